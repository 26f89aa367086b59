package toolstest

// Wording is a query with a text that it finds, or does not.
type Wording struct {
	Text, Query string
	Found       bool
}

// Wordings are what every search by words reads alike, by what they are about.
var Wordings = map[string][]Wording{
	"letters": {
		{"The office is in Hauptstraße", "hauptstrasse", true}, {"The office is in Hauptstrasse", "HAUPTSTRASSE", true}, {"The office is in Hauptstrasse", "Hauptstraße", true},
		{"Ёлка stands in the hall", "елка", true}, {"Елка stands in the hall", "ёлка", true},
		{"Our code is ＡＢＣ１２３４", "abc1234", true}, {"Our code is ABC1234", "ＡＢＣ１２３４", true},
		{"Łukasz comes from Łódź", "lodz", true}, {"Lukasz comes from Lodz", "Łódź", true},
		{"Søren fixed the boiler", "soren", true}, {"Soren fixed the boiler", "Søren", true},
		{"The Encyclopædia fell down", "encyclopaedia", true}, {"The Encyclopaedia fell down", "encyclopædia", true},
		{"Đorđe bought the lamp", "dorde", true}, {"Işık bought the lamp", "isik", true}, {"Isik bought the lamp", "ışık", true},
		{"Cafe\u0301 Müller has closed", "café müller", true}, {"Café Müller has closed", "cafe\u0301 muller", true}, {"Cafe Mueller has closed", "Café Müller", true},
		{"The oﬃce has moved", "office", true}, {"ΟΔΟΣ is a street", "οδος", true},
		{"Łukasz comes from Łódź", "warszawa", false}, {"Søren fixed the boiler", "sylvia", false},
	},
	"Korean": {
		{"엄마는 김치를 좋아한다", "김치", true}, {"엄마는 김치 요리를 한다", "김치를", true}, {"김치는 매콤하다", "김치가", true},
		{"우리는 서울에서 만났다", "서울", true}, {"서울 날씨가 춥다", "서울에", true}, {"회의는 월요일이다", "회의를", true}, {"회의 시간은 세시", "회의에서는", true},
		{"집에 가고 싶다", "집", true}, {"그 집 앞에서", "집에서", true}, {"학생과 선생님의 대화", "학생", true}, {"학생도 왔다", "학생으로", true},
		{"부산으로 떠났다", "부산", true}, {"지하철로 간다", "지하철", true}, {"고양이의 이름은 나비", "고양이", true}, {"고양이 이름은 나비", "고양이가", true},
		{"나는 학교에 간다", "나이", false}, {"회를 먹었다", "회의", false}, {"결을 보았다", "결과", false}, {"김장을 했다", "김치", false}, {"사를 보았다", "사과", false},
	},
	"questions": {
		{"李雷喜欢绿茶", "谁喜欢绿茶？", true}, {"绿茶放在厨房", "绿茶在哪里？", true}, {"护照在抽屉里", "护照在什么地方", true},
		{"火车晚点是因为下雪", "为什么火车晚点", true}, {"鍵は机の上にある", "鍵はどこですか", true}, {"会議は月曜日", "会議はいつですか", true},
		{"田中さんが担当する", "誰が担当しますか", true}, {"合言葉は富士山", "合言葉は何ですか", true}, {"ぶどうを買った", "ぶどう", true},
		{"你在做什么", "护照在什么地方", false}, {"駅はどこですか", "鍵はどこですか", false}, {"何をしますか", "会議はいつですか", false},
	},
	"days": {
		{"The vineyard has new owners", "vineyard on 2026-11-24", true}, {"The vineyard has new owners", "vineyard on 24.11.2026", true},
		{"We decided on the blue door", "what did we decide on 24 November", true}, {"Wir haben uns für die blaue Tür entschieden", "Was haben wir am 24. November für die Tür entschieden?", true},
		{"Nous avons choisi la porte bleue", "Qu'avons-nous choisi le 24 novembre 2026 pour la porte ?", true}, {"Elegimos la puerta azul", "¿Qué puerta elegimos el 24 de noviembre de 2026?", true},
		{"The meeting of 24 people in November", "vineyard on 24 November", false},
	},
	"numbers": {
		{"Release v2.4.1 is out", "2.4.1", true}, {"Release 2.4.1 is out", "v2.4.1", true}, {"Release 2.4.1 is out", "V2.4.1", true}, {"Release v2.4.1 is out", "2.4.2", false}, {"Release 2.4.2 is out", "v2.4.1", false},
		{"The bill is 1,234.50", "1234.50", true}, {"The bill is 1.234,50", "1234.50", true}, {"The bill is 1'234.50", "1234.50", true}, {"The bill is 1’234.50", "1234,50", true}, {"The bill is 1234.5", "1234.50", true},
		{"The bill is 1234.50", "1,234.50", true}, {"The bill is 1234.50", "1.234,50", true}, {"The bill is 1234.50", "1'234.50", true}, {"The bill is 1,234.50", "1'234.50", true}, {"The bill is 1,234.50", "1.234,50", true},
		{"We need 12000 screws", "12,000", true}, {"We need 12,000 screws", "12000", true}, {"We need 12'000 screws", "12000", true},
		{"The bill is 1,234.60", "1234.50", false}, {"The bill is 12,345.00", "1234.50", false}, {"The bill is 1 and 234 and 50", "1234.50", false},
	},
}

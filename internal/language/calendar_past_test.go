package language

import (
	"testing"
	"time"
)

// askedOn is a Tuesday.
var askedOn = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

func TestAQuestionOfWhatWasDoneNamesItsDays(t *testing.T) {
	t.Setenv("LC_ALL", "en_US.UTF-8")
	for question, want := range map[string]string{
		"what did we do on november 27":                               "2026-11-27",
		"what did we do on the 19th of november":                      "2026-11-19",
		"what happened on 24 november":                                "2026-11-24",
		"what did we do on 2026-11-24":                                "2026-11-24",
		"what did we do on 11/24":                                     "2026-11-24",
		"what did we do on 24/11?":                                    "2026-11-24",
		"what did we do on 11/3":                                      "2026-11-03",
		"what did we do on Tuesday, November 24th?":                   "2026-11-24",
		"what did we decide last friday":                              "2026-11-27",
		"what did we do on wednesday":                                 "2026-11-25",
		"what did we do last week":                                    "2026-11-23..2026-11-29",
		"what did we do in february":                                  "2026-02-01..2026-02-28",
		"what did we do on 3 march 2025":                              "2025-03-03",
		"was haben wir am 17. november gemacht":                       "2026-11-17",
		"was war am 20. november":                                     "2026-11-20",
		"was haben wir am 25.11. gemacht":                             "2026-11-25",
		"was haben wir am Freitag, den 20.11. gemacht":                "2026-11-20",
		"was war am 3.11.2026":                                        "2026-11-03",
		"was haben wir letzten freitag gemacht":                       "2026-11-27",
		"was wurde vorgestern besprochen":                             "2026-11-29",
		"qu'est-ce qu'on a fait le 24 novembre":                       "2026-11-24",
		"qu'est-ce qu'on a fait le 5/11":                              "2026-11-05",
		"qu'est-ce qu'on a fait hier":                                 "2026-11-30",
		"qu'avons-nous décidé vendredi dernier ?":                     "2026-11-27",
		"¿qué hicimos el 24 de noviembre?":                            "2026-11-24",
		"¿qué hicimos el viernes pasado?":                             "2026-11-27",
		"cosa abbiamo fatto il 24 novembre?":                          "2026-11-24",
		"cosa abbiamo fatto ieri?":                                    "2026-11-30",
		"cosa abbiamo deciso venerdì scorso":                          "2026-11-27",
		"wat hebben we op 24 november gedaan":                         "2026-11-24",
		"wat hebben we gisteren gedaan":                               "2026-11-30",
		"wat deden we afgelopen vrijdag":                              "2026-11-27",
		"o que fizemos em 24 de novembro?":                            "2026-11-24",
		"o que fizemos na sexta-feira passada?":                       "2026-11-27",
		"o que fizemos ontem":                                         "2026-11-30",
		"co robiliśmy 24 listopada?":                                  "2026-11-24",
		"co robiliśmy wczoraj":                                        "2026-11-30",
		"co ustaliliśmy w zeszły piątek":                              "2026-11-27",
		"co zrobiliśmy w zeszłym tygodniu":                            "2026-11-23..2026-11-29",
		"что мы делали 24 ноября?":                                    "2026-11-24",
		"что мы решили в прошлую пятницу":                             "2026-11-27",
		"что мы делали позавчера":                                     "2026-11-29",
		"24 Kasım'da ne yaptık?":                                      "2026-11-24",
		"dün ne yaptık":                                               "2026-11-30",
		"geçen cuma ne yaptık":                                        "2026-11-27",
		"ماذا فعلنا في 24 نوفمبر؟":                                    "2026-11-24",
		"ماذا فعلنا يوم الجمعة الماضي":                                "2026-11-27",
		"ماذا فعلنا أمس":                                              "2026-11-30",
		"11月24日我们做了什么":                                                "2026-11-24",
		"我们昨天做了什么":                                                    "2026-11-30",
		"上周五我们决定了什么":                                                  "2026-11-27",
		"我們上星期做了什麼":                                                   "2026-11-23..2026-11-29",
		"2026年11月24日做了什么":                                             "2026-11-24",
		"11月24日に何をしましたか":                                              "2026-11-24",
		"昨日は何をしましたか":                                                  "2026-11-30",
		"先週の金曜日に何を決めましたか":                                             "2026-11-27",
		"11월 24일에 뭐 했어?":                                              "2026-11-24",
		"어제 뭐 했어":                                                     "2026-11-30",
		"지난주 금요일에 뭐 했지":                                               "2026-11-27",
		"เมื่อวานเราทำอะไร":                                           "2026-11-30",
		"วันที่ 24 พฤศจิกายน เราทำอะไร":                               "2026-11-24",
		"วันศุกร์ที่แล้วเราทำอะไร":                                    "2026-11-27",
		"what do we do tomorrow":                                      "",
		"what is planned for next week":                               "",
		"what is the beta launch on 10 december 2026":                 "",
		"where do we host":                                            "",
		"Was habe ich Tobias für Samstag versprochen?":                "",
		"what did I promise for last friday":                          "",
		"wer war hier":                                                "",
		"does go 1.12 support modules":                                "",
		"why does the mill close at 11/0":                             "",
		"what did we get done on Nov. 24?":                            "2026-11-24",
		"what did we do in the last 3 days":                           "2026-11-28..2026-12-01",
		"was haben wir in den letzten zwei Wochen gemacht":            "2026-11-16..2026-12-01",
		"qu'a-t-on fait ces 3 derniers jours":                         "2026-11-28..2026-12-01",
		"¿qué hicimos en los últimos 3 días?":                         "2026-11-28..2026-12-01",
		"what did we do between november 17 and november 25":          "2026-11-17..2026-11-25",
		"was haben wir vom 17. November bis zum 20. November gemacht": "2026-11-17..2026-11-20",
		"what did we do from wednesday to friday":                     "2026-11-25..2026-11-27",
		"what did we do on november 17 and november 25":               "2026-11-17 2026-11-25",
	} {
		got := ""
		for _, n := range FindPastDays(question, askedOn) {
			if got += " " + n.From.Format(time.DateOnly); !n.To.Equal(n.From) {
				got += ".." + n.To.Format(time.DateOnly)
			}
		}
		if want != "" {
			want = " " + want
		}
		if got != want {
			t.Errorf("%q: days%s, want%s", question, got, want)
		}
	}
}

func TestADayInDigitsIsReadInTheOrderOfTheCountry(t *testing.T) {
	for locale, want := range map[string]string{"en_US.UTF-8": "2026-11-03", "en_GB.UTF-8": "2026-03-11", "C.UTF-8": ""} {
		t.Setenv("LC_ALL", locale)
		got := ""
		for _, n := range FindPastDays("what did we do on 11/3", askedOn) {
			got += n.From.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", locale, got, want)
		}
	}
}

func TestPastDaysAreReplacedByAWord(t *testing.T) {
	for question, want := range map[string]string{
		"what did we do on november 27?":          "what did we do on yesterday?",
		"was haben wir am 25.11. gemacht":         "was haben wir am yesterday gemacht",
		"上周五我们决定了什么":                              "yesterday我们决定了什么",
		"11월 24일에 뭐 했어?":                          "yesterday에 뭐 했어?",
		"what happens on december 10":             "what happens on december 10",
		"from november 17 to november 20, please": "from yesterday, please",
		"where do we host now?":                   "where do we host now?",
	} {
		if got := ReplacePastDays(question, askedOn, "yesterday"); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}

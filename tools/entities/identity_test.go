package entities

import (
	"encoding/json"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// example is the request that the source document prints.
const example = `{"invoice_number":"INV-001","amount":1500.00,"vendor_name":"Acme Corp","customer_name":"Test Customer","date":"2025-01-15"}`

func body(t testing.TB, text string) object {
	t.Helper()
	o, err := decodeObject(json.RawMessage(text))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func idOf(t testing.TB, capability, text string, refs ...string) string {
	t.Helper()
	c, ok := capabilityByID("neotoma:store_" + capability + ":v1")
	if !ok {
		t.Fatalf("no capability %s", capability)
	}
	return computePayloadID(c, dropNulls(body(t, text)), refs, "neotoma-mcp:v0.2.1")
}

func TestTheExampleOfTheSourceHasItsContentID(t *testing.T) {
	if got := idOf(t, "invoice", example); got != "payload_0a8d4d865a87aebbf6c3638b" {
		t.Errorf("the content id is %s", got)
	}
}

func TestContentIDsIgnoreHowABodyIsWritten(t *testing.T) {
	want := idOf(t, "invoice", example)
	for name, text := range map[string]string{
		"another order of keys":          `{"date":"2025-01-15","customer_name":"Test Customer","vendor_name":"Acme Corp","amount":1500.00,"invoice_number":"INV-001"}`,
		"case and outer space":           `{"invoice_number":" inv-001","amount":1500,"vendor_name":"ACME CORP ","customer_name":"test customer","date":"2025-01-15\n"}`,
		"the same number in other words": `{"invoice_number":"INV-001","amount":1.5e3,"vendor_name":"Acme Corp","customer_name":"Test Customer","date":"2025-01-15"}`,
		"fields that are not hashed":     `{"invoice_number":"INV-001","amount":1500,"vendor_name":"Acme Corp","customer_name":"Test Customer","date":"2025-01-15","currency":"EUR"}`,
	} {
		if got := idOf(t, "invoice", text); got != want {
			t.Errorf("%s: the content id is %s, want %s", name, got, want)
		}
	}
	for name, text := range map[string]string{
		"inner space":     `{"invoice_number":"INV-001","amount":1500,"vendor_name":"Acme  Corp","customer_name":"Test Customer","date":"2025-01-15"}`,
		"another amount":  `{"invoice_number":"INV-001","amount":1501,"vendor_name":"Acme Corp","customer_name":"Test Customer","date":"2025-01-15"}`,
		"a number quoted": `{"invoice_number":"INV-001","amount":"1500","vendor_name":"Acme Corp","customer_name":"Test Customer","date":"2025-01-15"}`,
		"a field absent":  `{"invoice_number":"INV-001","amount":1500,"vendor_name":"Acme Corp","date":"2025-01-15"}`,
	} {
		if got := idOf(t, "invoice", text); got == want {
			t.Errorf("%s does not change the content id", name)
		}
	}
}

func TestContentIDsOfOtherBodies(t *testing.T) {
	if idOf(t, "contract", `{"parties":["A","B"],"start_date":"2025-01-01"}`) != idOf(t, "contract", `{"parties":["b","a"],"start_date":"2025-01-01"}`) {
		t.Error("the order of an array changes the content id")
	}
	if idOf(t, "invoice", `{"memo":"x","z":{"b":1,"a":2}}`) != idOf(t, "invoice", `{"z":{"a":2,"b":1.0},"memo":"X "}`) {
		t.Error("a body without listed fields is not hashed as a whole")
	}
	if idOf(t, "invoice", `{"memo":"x"}`) == idOf(t, "invoice", `{"memo":"y"}`) {
		t.Error("different bodies without listed fields share a content id")
	}
	if idOf(t, "note", `{"title":"<b> & ü \u2028"}`) == idOf(t, "note", `{"title":"b"}`) {
		t.Error("markup is lost")
	}
	if idOf(t, "note", `{"title":"t"}`, "payload_b", "payload_a") != idOf(t, "note", `{"title":"t"}`, "payload_a", "payload_b") {
		t.Error("the order of source_refs changes the content id")
	}
	if idOf(t, "note", `{"title":"t"}`, "payload_a") == idOf(t, "note", `{"title":"t"}`) {
		t.Error("source_refs are not hashed")
	}
	if idOf(t, "note", `{"title":"t","content":null}`) != idOf(t, "note", `{"title":"t"}`) {
		t.Error("a null changes the content id")
	}
	if idOf(t, "invoice", `{"invoice_number":9007199254740993}`) == idOf(t, "invoice", `{"invoice_number":9007199254740992}`) {
		t.Error("integers beyond 2^53 meet")
	}
}

func TestNumbersPrintAsECMAScriptPrintsThem(t *testing.T) {
	for literal, want := range map[string]string{
		"0": "0", "-0": "0", "0.0": "0", "-0.0e5": "0", "1": "1", "-1": "-1", "1500.00": "1500", "1.5e3": "1500", "1500.50": "1500.5",
		"1e21": "1e+21", "1e20": "100000000000000000000", "123456789012345680000": "123456789012345680000",
		"1e-6": "0.000001", "1e-7": "1e-7", "1.5e-7": "1.5e-7", "0.000001234": "0.000001234", "0.00000123": "0.00000123", "0.000000123": "1.23e-7",
		"0.30000000000000004": "0.30000000000000004", "0.1": "0.1", "5e-324": "5e-324", "1e-400": "0", "1.7976931348623157e308": "1.7976931348623157e+308",
		"1.2345e22": "1.2345e+22", "-1.2345e-10": "-1.2345e-10", "4.35": "4.35", "0.5": "0.5", "100": "100", "123456.789": "123456.789",
		"9007199254740991": "9007199254740991", "9007199254740992": "9007199254740992", "9007199254740993": "9007199254740993",
		"-9007199254740993": "-9007199254740993", "9007199254740993.0": "9007199254740992", "1000000000000000000000": "1e+21",
		"1000000000000000000001": "1000000000000000000001", "1E400": "1e400", "-1e+400": "-1e400",
	} {
		if got := formatCanonicalNumber(literal); got != want {
			t.Errorf("%s prints as %s, want %s", literal, got, want)
		}
	}
	tenth, fifth := 0.1, 0.2
	if got := formatECMAScriptDouble(tenth + fifth); got != "0.30000000000000004" {
		t.Errorf("0.1 + 0.2 prints as %s", got)
	}
}

func FuzzNumbersReadBackAsTheyWere(f *testing.F) {
	for _, seed := range []float64{0, 1, -1, 1e21, 1e-7, 5e-324, math.MaxFloat64, 0.1, 123456789.125, 1 << 60} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, x float64) {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return
		}
		text := formatECMAScriptDouble(x)
		back, err := strconv.ParseFloat(text, 64)
		if err != nil || back != x {
			t.Fatalf("%v prints as %s and reads back as %v, %v", x, text, back, err)
		}
		if again := formatCanonicalNumber(text); again != text && math.Abs(x) < 1<<53 {
			t.Fatalf("%s prints as %s the second time", text, again)
		}
		if !json.Valid([]byte(text)) {
			t.Fatalf("%s is not JSON", text)
		}
	})
}

func FuzzCanonicalTextIsStable(f *testing.F) {
	for _, seed := range []string{example, `{"a":[1,"B ",null,{"z":1e400,"y":[[]]}]}`, `{"":"\u0000\u2028<>&\"\\"}`, `{"a":123456789012345678901234567890}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o, err := decodeObject(json.RawMessage(text))
		if err != nil {
			return
		}
		for _, s := range []style{exact, normalised} {
			first := encodeCanonicalJSON(o, s)
			again, err := decodeObject(first)
			if err != nil {
				t.Fatalf("%s is not JSON: %v", first, err)
			}
			// Folding twice may fold more, as for İ; the exact text is final.
			if second := encodeCanonicalJSON(again, s); s == exact && string(second) != string(first) {
				t.Fatalf("the text of %s is %s, and of that %s", text, first, second)
			}
		}
		c, _ := capabilityByID("neotoma:store_invoice:v1")
		if a, b := computePayloadID(c, dropNulls(o), nil, "v"), computePayloadID(c, dropNulls(o), nil, "v"); a != b || len(a) != len("payload_")+24 {
			t.Fatalf("content ids %s and %s", a, b)
		}
		if len(o) > 0 && len(hashAllValues(o)) == 0 {
			t.Fatal("nothing is indexed")
		}
	})
}

func TestNamesOfCompaniesLoseTheirLegalForm(t *testing.T) {
	for name, want := range map[string]string{
		"Acme Corp": "acme", "ACME, Inc.": "acme", " acme  ": "acme", "Acme": "acme", "Acme Corp.": "acme", "acme limited;": "acme ltd", "Acme Co., Ltd.": "acme co ltd",
		"Corp": "corp", "Company": "company", "Inc.": "inc", "Costco": "costco", "Big   Blue LLC": "big blue", "Alco": "alco", "": "", " . ": "", "Test Customer": "test customer",
	} {
		if got := normalizeEntityName(companyType, name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	if got := entityID(companyType, normalizeEntityName(companyType, "Acme Corp")); got != "ent_af939bedafbd1838b259772a" {
		t.Errorf("the entity id of Acme is %s", got)
	}
	if got := normalizeEntityName("task", " Call  Acme Inc. "); got != "call acme inc" {
		t.Errorf("a task is %q", got)
	}
}

func TestDocumentsOfOneIdentityAreOneEntity(t *testing.T) {
	self := func(capability, text string) string {
		c, _ := capabilityByID("neotoma:store_" + capability + ":v1")
		return compileStatements(c, body(t, text), "last resort "+text)[0].EntityID
	}
	for _, c := range []struct {
		name, capability, a, b string
		same                   bool
	}{
		{"an invoice with another amount", "invoice", `{"invoice_number":"1","vendor_name":"Acme Corp","amount":1}`, `{"invoice_number":" 1","vendor_name":"ACME, Inc.","amount":2}`, true},
		{"an invoice of another vendor", "invoice", `{"invoice_number":"1","vendor_name":"Acme"}`, `{"invoice_number":"1","vendor_name":"Beta"}`, false},
		{"an invoice without a number", "invoice", `{"vendor_name":"Acme","amount":1}`, `{"vendor_name":"Acme","amount":2}`, false},
		{"a number that is a number", "invoice", `{"invoice_number":7}`, `{"invoice_number":"7"}`, true},
		{"parts that could be read as one", "invoice", `{"invoice_number":"a","vendor_name":"b"}`, `{"invoice_number":"[\"a\",\"b\"]"}`, false},
		{"a transaction by id", "transaction", `{"transaction_id":"T","amount":1}`, `{"transaction_id":"t","amount":2}`, true},
		{"a transaction by date, amount and merchant", "transaction", `{"date":"2025-01-01","amount":1.0,"merchant_name":"Acme Inc"}`, `{"date":"2025-01-01","amount":1,"merchant_name":"acme","memo":"x"}`, true},
		{"a receipt", "receipt", `{"receipt_number":"1","vendor_name":"Acme","amount":3}`, `{"receipt_number":"1","vendor_name":"Acme"}`, true},
		{"a contract by number", "contract", `{"contract_number":"C","end_date":"2025-01-01"}`, `{"contract_number":"C","end_date":"2026-01-01"}`, true},
		{"a contract by parties and start", "contract", `{"parties":["Acme Inc","Beta"],"start_date":"2025-01-01"}`, `{"parties":["beta",{"name":"ACME"}],"start_date":"2025-01-01","end_date":"x"}`, true},
		{"two notes of one title", "note", `{"title":"Plan","content":"a"}`, `{"title":"Plan","content":"b"}`, false},
		{"a note by title and content", "note", `{"title":"Plan","content":"a"}`, `{"title":"plan","content":"a","tasks":["b"]}`, true},
		{"a note by title alone", "note", `{"title":"Plan"}`, `{"title":"plan "}`, true},
		{"a note by content", "note", `{"content":"a"}`, `{"content":"A "}`, true},
	} {
		if got := self(c.capability, c.a) == self(c.capability, c.b); got != c.same {
			t.Errorf("%s: same entity is %v, want %v", c.name, got, c.same)
		}
	}
}

func TestEntitiesAreExtractedFromEveryForm(t *testing.T) {
	c, _ := capabilityByID("neotoma:store_contract:v1")
	got := compileStatements(c, body(t, `{"contract_number":"C","parties":["Acme Inc"," ",7,null,{"name":"Beta","country":"DE"},"ACME"]}`), "")
	if len(got) != 3 || got[0].Role != "self" || got[1].Name != "Acme Inc" || got[2].Fields["country"] != "DE" {
		t.Errorf("extracted %+v", got)
	}
	n, _ := capabilityByID("neotoma:store_note:v1")
	got = compileStatements(n, body(t, `{"title":"Plan","tasks":["Call Ann",{"title":"Pay","due_date":"2025-02-01"},{"done":true}]}`), "")
	if len(got) != 3 || got[1].Fields["title"] != "Call Ann" || got[2].Fields["due_date"] != "2025-02-01" || got[2].EntityType != "task" {
		t.Errorf("extracted %+v", got)
	}
}

func TestTypesAnswerToAliasesSubtypesAndFamilies(t *testing.T) {
	for _, c := range []struct {
		kind, subtype, asked string
		want                 bool
	}{
		{"invoice", "", "bill", true}, {"Bill", "", "invoice", true}, {"expense", "", "transaction", true}, {"Person", "", "contact", true},
		{"FinancialRecord", "invoice", "invoice", true}, {"FinancialRecord", "invoice", "receipt", false}, {"invoice", "", "FinancialRecord", true},
		{"Exercise Log", "", "exercise_log", true}, {"note", "", "invoice", false},
	} {
		properties := object{}
		if c.subtype != "" {
			properties[subtypeField] = c.subtype
		}
		got := false
		for _, key := range listMatchingTypes(c.kind, properties) {
			got = got || key == resolveTypeAlias(c.asked)
		}
		if got != c.want {
			t.Errorf("%s/%s asked for as %s: %v", c.kind, c.subtype, c.asked, got)
		}
	}
}

func TestArraysAreSortedOnlyWhereContentIsCompared(t *testing.T) {
	for _, tc := range []struct{ name, value, exact, normalised string }{
		{"an empty one", `[]`, `[]`, `[]`},
		{"in order already", `[1,"b"]`, `[1,"b"]`, `["b",1]`},
		{"within one another", `[[3,1],[2],[1,3,2]]`, `[[3,1],[2],[1,3,2]]`, `[[1,2,3],[1,3],[2]]`},
		{"of texts one of which begins the other", `["ab","a","a"]`, `["ab","a","a"]`, `["a","a","ab"]`},
		{"of objects", `[{"b":[2,1]},{"a":0}]`, `[{"b":[2,1]},{"a":0}]`, `[{"a":0},{"b":[1,2]}]`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o, err := decodeObject(json.RawMessage(`{"v":` + tc.value + `}`))
			if err != nil {
				t.Fatal(err)
			}
			if got := string(encodeCanonicalJSON(o["v"], exact)); got != tc.exact {
				t.Errorf("exactly it is %s, want %s", got, tc.exact)
			}
			if got := string(encodeCanonicalJSON(o["v"], normalised)); got != tc.normalised {
				t.Errorf("as content it is %s, want %s", got, tc.normalised)
			}
		})
	}
}

func TestADeeplyNestedArrayIsNotCopiedAtEachLevel(t *testing.T) {
	const depth = 4000
	var v any = json.Number("1")
	for range depth {
		v = []any{v}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := string(encodeCanonicalJSON(v, normalised))
	runtime.ReadMemStats(&after)
	if got != strings.Repeat("[", depth)+"1"+strings.Repeat("]", depth) {
		t.Error("the text is not the value")
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 100*depth*2 {
		t.Errorf("%d bytes were allocated for a text of %d", used, len(got))
	}
}

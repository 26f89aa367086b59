package rpc

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"toolkit/internal/testenv"
)

// serve answers a whole input.
func serve(t *testing.T, s Server, options testOptions, input string) []string {
	t.Helper()
	var out strings.Builder
	if err := options.transport(s).Serve(t.Context(), strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(strings.TrimSuffix(out.String(), "\n"), "\n")[:strings.Count(out.String(), "\n")]
}

func TestAnAnswerCarriesTheIDAsTheClientWroteIt(t *testing.T) {
	for _, id := range []string{
		"0", "-0", "7", "-3", "999999999999999", "9007199254740992", "9007199254740993", "-9007199254740993",
		"18446744073709551616", strings.Repeat("9", 400), "1.5", "1.0", "1e999", "0.1000000000000000055", "1e3", "1E+400", "-1e-400",
		`""`, `"a"`, `"1"`, `"ü"`, `"\u00fc"`, `"\ud83d\ude00"`, `"\ud800"`, `"\"\\\n"`, `"` + strings.Repeat("x", 5000) + `"`,
	} {
		name := id[:min(len(id), 30)]
		t.Run("id "+name, func(t *testing.T) {
			for _, line := range []string{
				`{"jsonrpc":"2.0","id":%s,"method":"ping"}`,
				`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a"}}}`,
				`{"method":"no/such","jsonrpc":"2.0","id":%s}`,
				`{"method":"tools/call","jsonrpc":"2.0","id":%s,"params":7}`,
			} {
				for _, answer := range serve(t, newTestServer(), testOptions{}, fmt.Sprintf(line, id)) {
					if got := string(decode(t, answer).ID); got != id {
						t.Errorf("%s: the answer has id %s", line, got)
					}
				}
			}
		})
	}
}

func TestBadMessagesAreAnsweredAndTheNextOneIsServed(t *testing.T) {
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	for _, test := range []struct{ name, line, want string }{
		{"no JSON", `hello`, "null:error -32700"},
		{"truncated JSON", `{"jsonrpc":"2.0","id":1,"method":"ping"`, "null:error -32700"},
		{"two messages on a line", `{"jsonrpc":"2.0","id":1,"method":"ping"}{}`, "null:error -32700"},
		{"a zero byte", "\x00", "null:error -32700"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "null:error -32700"},
		{"deep nesting in the parameters", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":` + deep + `}}`, "null:error -32700"},
		{"deep nesting", deep, "null:error -32700"},
		{"a broken batch", `[{"jsonrpc":"2.0"`, "null:error -32700"},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "null:error -32600"},
		{"an empty batch", `[]`, "null:error -32600"},
		{"a string", `"ping"`, "null:error -32600"},
		{"a number", `12`, "null:error -32600"},
		{"null", `null`, "null:error -32600"},
		{"an empty object", `{}`, "null:error -32600"},
		{"no version", `{"id":1,"method":"ping"}`, "1:error -32600"},
		{"another version", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, "1:error -32600"},
		{"a version that is a number", `{"jsonrpc":2.0,"id":1,"method":"ping"}`, "1:error -32600"},
		{"another version in a notification", `{"jsonrpc":"1.0","method":"notifications/initialized"}`, "null:error -32600"},
		{"no method", `{"jsonrpc":"2.0","id":1}`, "1:error -32600"},
		{"an empty method", `{"jsonrpc":"2.0","id":1,"method":""}`, "1:error -32600"},
		{"a method that is a number", `{"jsonrpc":"2.0","id":1,"method":7}`, "1:error -32600"},
		{"a null id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, "null:error -32600"},
		{"an object as id", `{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, "null:error -32600"},
		{"an array as id", `{"jsonrpc":"2.0","id":[1],"method":"tools/call"}`, "null:error -32600"},
		{"a boolean as id", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, "null:error -32600"},
		{"an object as id of a notification", `{"jsonrpc":"2.0","id":{},"method":"notifications/initialized"}`, "null:error -32600"},
		{"a request that also is a response", `{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}`, "1:error -32600"},
		{"parameters that are an array", `{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}`, "1:error -32602"},
		{"parameters that are a string", `{"jsonrpc":"2.0","id":1,"method":"ping","params":"a"}`, "1:error -32602"},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":\"\xff\"}}}", "1:error -32700"},
		{"invalid UTF-8 in the id", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}", "null:error -32700"},
		{"an unknown method", `{"jsonrpc":"2.0","id":1,"method":"no/such"}`, "1:error -32601"},
		{"an unknown tool", toolCall(1, "no_such", ""), "1:error -32602"},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines := serve(t, newTestServer(), testOptions{}, test.line+"\n"+toolCall("next", "write", ""))
			wantLines(t, lines, test.want, `"next":written`)
		})
	}
}

func TestMessagesThatNeedNoAnswerGetNone(t *testing.T) {
	for _, test := range []struct{ name, line string }{
		{"a result", `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{"a null result", `{"jsonrpc":"2.0","id":1,"result":null}`},
		{"an error", `{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"no"}}`},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`},
		{"an unknown notification", `{"jsonrpc":"2.0","method":"notifications/no_such","params":{"a":1}}`},
		{"a notification with a null id", `{"jsonrpc":"2.0","id":null,"method":"notifications/initialized","params":{}}`},
		{"a request without id", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"write","arguments":{"text":"x"}}}`},
		{"a blank line", " \t"},
		{"an empty line", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newTestServer()
			wantLines(t, serve(t, s, testOptions{}, test.line+"\n"+request("next", "ping", nil)), `"next":result`)
			wantEqual(t, "writes", s.recorded(), []string{})
		})
	}
}

func TestAnEscapedVersionIsTheSameVersion(t *testing.T) {
	wantLines(t, serve(t, newTestServer(), testOptions{}, `{"jsonrpc":"\u0032.0","id":1,"method":"ping"}`), "1:result")
}

func TestByteOrderMarkAndCarriageReturnsAreTolerated(t *testing.T) {
	input := "\ufeff" + request(1, "ping", nil) + "\r\n\r\n \t" + request(2, "ping", nil) + " \r\n"
	wantLines(t, serve(t, newTestServer(), testOptions{}, input), "1:result", "2:result")
}

func TestCallsBeforeInitializeAreServed(t *testing.T) {
	lines := serve(t, newTestServer(), testOptions{}, toolCall(1, "write", "a")+"\n"+initialize+"\n"+initialize)
	wantEqual(t, "answers", len(lines), 3)
}

func TestASecondRequestWithAnIDInFlightIsRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, testOptions{})
		c.send(toolCall("ü", "block", "a"), `{"jsonrpc":"2.0","id":"\u00fc","method":"ping"}`, request("u", "ping", nil))
		wantEqual(t, "answer", summary(t, c.next()), `"\u00fc":error -32600`)
		wantEqual(t, "answer", summary(t, c.next()), `"u":result`)
		close(s.release)
		wantLines(t, c.end(), `"ü":released`)
	})
}

func TestALineThatIsTooLongIsRefusedUnderItsIDAndSkipped(t *testing.T) {
	x := strings.Repeat("x", 100_000)
	for _, test := range []struct{ name, line, id string }{
		{"before the parameters", `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"text":"` + x + `","id":6}}`, "5"},
		{"first, with spaces", ` { "id" : "\u00fc\"" , "params":{"text":"` + x + `"}, "jsonrpc":"2.0"}`, `"\u00fc\""`},
		{"behind the parameters", `{"method":"tools/call","params":{"text":"` + x + `"},"jsonrpc":"2.0","id":9007199254740993}` + "\r", "9007199254740993"},
		{"behind the parameters, but not last", `{"params":{"text":"` + x + `"},"id": -1.5e3 ,"jsonrpc":"2.0","method":"ping"} `, "-1.5e3"},
		{"among the parameters alone", `{"jsonrpc":"2.0","method":"tools/call","params":{"text":"` + x + `","id":6}}`, "null"},
		{"within a text at the end", `{"jsonrpc":"2.0","params":"` + x + `\",\"id\":6}`, "null"},
		{"too far from either end", `{"a":"` + x + `","id":7,"b":"` + x + `"}`, "null"},
		{"of a kind that is none", `{"jsonrpc":"2.0","id":{"a":5},"params":"` + x + `"}`, "null"},
		{"a number that is none", `{"jsonrpc":"2.0","id":1e-,"params":"` + x + `"}`, "null"},
		{"no UTF-8", `{"jsonrpc":"2.0","id":"` + "\xff" + `","params":"` + x + `"}`, "null"},
		{"no JSON", x, "null"},
	} {
		t.Run(test.name, func(t *testing.T) {
			input := test.line + "\n" + request("next", "ping", nil) + "\n" + test.line
			lines := serve(t, newTestServer(), testOptions{MaxLine: 1000}, input)
			if len(lines) != 3 {
				t.Fatalf("%d answers", len(lines))
			}
			wantEqual(t, "answer", summary(t, lines[0]), test.id+":error -32600")
			wantEqual(t, "the one behind it", summary(t, lines[1]), `"next":result`)
		})
	}
}

func TestTheIDOfALineThatTheEndOfTheInputCutsOffIsNotGuessed(t *testing.T) {
	cut := `{"jsonrpc":"2.0","params":{"text":"` + strings.Repeat("x", 10_000) + `","id":6}`
	wantLines(t, serve(t, newTestServer(), testOptions{MaxLine: 1000}, cut), "null:error -32600")
}

// endless is a line without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestALineThatIsTooLongIsNotHeldInMemory(t *testing.T) {
	in := io.MultiReader(io.LimitReader(endless{}, 64<<20), strings.NewReader("\n"+request(1, "ping", nil)))
	var out lineWriter
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := (testOptions{MaxLine: 1 << 20}).transport(newTestServer()).Serve(t.Context(), in, &out); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 16<<20 {
		t.Errorf("%d bytes were allocated", allocated)
	}
	wantLines(t, out.writes, "null:error -32600", "1:result")
}

func TestALineOfExactlyTheLimitIsServed(t *testing.T) {
	line := request(1, "ping", nil)
	wantLines(t, serve(t, newTestServer(), testOptions{MaxLine: len(line)}, line+"\n"+line+" "), "1:result", "1:error -32600")
}

func TestAMessageOfManyMegabytesIsServed(t *testing.T) {
	text := strings.Repeat("0123456789", testenv.Choose(200_000, 500_000))
	lines := serve(t, newTestServer(), testOptions{Grace: time.Hour}, toolCall(1, "echo", text))
	wantEqual(t, "the text came back", decode(t, lines[0]).text() == text, true)
}

func TestAFailingCallIsAnsweredWithoutDetailsAndLogged(t *testing.T) {
	for _, tool := range []string{"panic", "nan", "unmarshalable"} {
		t.Run(tool, func(t *testing.T) {
			var log bytes.Buffer
			options := testOptions{Logger: slog.New(slog.NewJSONHandler(&log, nil))}
			lines := serve(t, newTestServer(), options, toolCall(1, tool, "")+"\n"+toolCall(2, "write", "b"))
			wantEqual(t, "answers", len(lines), 2)
			failed := decode(t, lines[0])
			wantEqual(t, "code", failed.Error.Code, -32603)
			wantEqual(t, "message", failed.Error.Message, "internal error")
			wantEqual(t, "the call behind it", summary(t, lines[1]), "2:written")
			if log.Len() == 0 {
				t.Error("nothing was logged")
			}
			if tool == "panic" && (!strings.Contains(log.String(), "a secret path") || !strings.Contains(log.String(), "goroutine")) {
				t.Errorf("the log lacks the panic and its stack: %s", &log)
			}
		})
	}
}

func TestAServerWithoutAGoodAnswerIsAnsweredFor(t *testing.T) {
	for name, answer := range map[string]func() any{
		"a handler that panics":          func() any { panic("no") },
		"a handler without an answer":    func() any { return nil },
		"a handler that answers rubbish": func() any { return "rubbish" },
	} {
		t.Run(name, func(t *testing.T) {
			input := request(1, "ping", nil) + "\n" + toolCall(2, "write", "") + "\n" + `{"jsonrpc":"2.0","method":"notifications/x"}`
			wantLines(t, serve(t, oddServer{newTestServer(), answer}, testOptions{}, input), "1:error -32603", "2:error -32603")
		})
	}
}

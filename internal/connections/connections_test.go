package connections

import (
	"io"
	"net"
	"net/http"
	"slices"
	"testing"
	"time"
)

// serve serves behind a limit: "/hold" until the test ends, everything else at once.
func serve(t *testing.T, most int) (address string, l *Limit, held chan struct{}) {
	t.Helper()
	release := make(chan struct{})
	held = make(chan struct{}, 10)
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hold" {
			held <- struct{}{}
			<-release
		}
		io.WriteString(w, "answered") //nolint:errcheck // the test reads it
	})}
	l = NewLimit(most)
	l.GuardServer(s)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go s.Serve(listener) //nolint:errcheck // it ends with the test
	t.Cleanup(func() {
		close(release)
		s.Close()
	})
	return listener.Addr().String(), l, held
}

func dial(t *testing.T, address, sends string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, sends); err != nil {
		t.Fatal(err)
	}
	return c
}

func get(t *testing.T, address string) {
	t.Helper()
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Get("http://" + address)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
}

func TestAGoodRequestIsAnsweredBesideMoreConnectionsThanMayBe(t *testing.T) {
	for name, sends := range map[string]string{
		"that send nothing":            "",
		"that stop within the headers": "GET / HTTP/1.1\r\nHost: x",
		"that were answered":           "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			address, _, _ := serve(t, 5)
			for range 20 {
				dial(t, address, sends)
			}
			get(t, address)
		})
	}
}

func TestConnectionsThatAreBeingAnsweredAreLeftAloneUpToTwiceTheNumber(t *testing.T) {
	const most = 3
	address, l, held := serve(t, most)
	for range 2 * most {
		dial(t, address, "GET /hold HTTP/1.1\r\nHost: x\r\n\r\n")
		<-held
	}
	oneMore := dial(t, address, "")
	if _, err := io.ReadAll(oneMore); err != nil { // it ends
		t.Error(err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.open {
		if !c.serving {
			t.Error("a connection is kept that is not being answered")
		}
	}
	if len(l.open) != 2*most {
		t.Errorf("%d connections are open, want %d", len(l.open), 2*most)
	}
}

func TestWhatWasNeverAnsweredAndWaitsLongestMakesRoom(t *testing.T) {
	start := time.Unix(0, 0)
	for _, test := range []struct {
		name string
		open []connection
		want int // which one is closed; -1: none
	}{
		{"the oldest", []connection{{since: start.Add(2)}, {since: start.Add(1)}, {since: start.Add(3)}}, 1},
		{"a new one before an answered one", []connection{{since: start, answered: true}, {since: start.Add(5)}}, 1},
		{"an answered one before one that is served", []connection{{since: start, serving: true}, {since: start.Add(5), answered: true}}, 1},
		{"none of those that are served", []connection{{serving: true}, {serving: true}}, -1},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := NewLimit(len(test.open))
			var conns []net.Conn
			for _, c := range test.open {
				c.conn, _ = net.Pipe()
				conns = append(conns, c.conn)
				l.open[c.conn] = &c
			}
			l.closeIdleConnection()
			closed := slices.IndexFunc(conns, func(c net.Conn) bool { return l.open[c] == nil })
			if closed != test.want {
				t.Errorf("connection %d was closed, want %d", closed, test.want)
			}
		})
	}
}

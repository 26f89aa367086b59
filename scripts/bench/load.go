package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// What must hold.
const (
	maxGoodWait      = time.Second // of the good client, for 99 of 100 calls
	maxResidentBytes = 400 << 20   // of resident memory
)

type loadRun struct {
	out              io.Writer
	program          string
	idle, slow, most int
	time             time.Duration

	url, address string
	large        atomic.Int64 // large calls that were answered
	failed       atomic.Int64 // large calls that were refused
}

// measureLoad serves a database over HTTP among clients that ask for nothing, clients that are slow and clients that
// ask for much, and checks that a good client hardly notices.
func measureLoad(ctx context.Context, out io.Writer, args []string) error {
	l := loadRun{out: out}
	flags := flag.NewFlagSet("bench load", flag.ContinueOnError)
	flags.StringVar(&l.program, "program", "bin/toolkit", "the program to run")
	flags.IntVar(&l.idle, "idle", 1000, "clients that send nothing")
	flags.IntVar(&l.slow, "slow", 300, "clients that send a byte of a header each second")
	flags.IntVar(&l.most, "large", 4, "largest calls a second")
	flags.DurationVar(&l.time, "time", time.Minute, "how long")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return l.checkGoodCallsUnderLoad(ctx)
}

func (l *loadRun) checkGoodCallsUnderLoad(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "toolkit-load-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // the system clears its temporary folder too
	server, err := l.startServer(filepath.Join(folder, "toolkit.db"))
	if err != nil {
		return err
	}
	defer server.Process.Kill() //nolint:errcheck // what it stored is thrown away
	ctx, cancel := context.WithTimeout(ctx, l.time)
	defer cancel()
	var clients sync.WaitGroup
	for range l.idle {
		clients.Go(func() { l.holdConnection(ctx, "") })
	}
	for range l.slow {
		clients.Go(func() {
			l.holdConnection(ctx, "POST /api/mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: "+strings.Repeat("x", 1000))
		})
	}
	clients.Go(func() { l.sendLargeCalls(ctx) })
	waits, err := l.measureGoodCalls(ctx)
	bytes := peakResidentBytes(server.Process.Pid)
	cancel()
	clients.Wait()
	if err != nil {
		return err
	}
	return l.printReport(waits, bytes)
}

func (l *loadRun) printReport(waits []time.Duration, bytes int64) error {
	slices.Sort(waits)
	p99 := waits[len(waits)*99/100]
	fmt.Fprintf(l.out, "%d idle and %d slow clients; %d large calls answered, %d refused; %d good calls: p50 %s, p99 %s, longest %s; at most %d MB resident\n",
		l.idle, l.slow, l.large.Load(), l.failed.Load(), len(waits), waits[len(waits)/2], p99, waits[len(waits)-1], bytes>>20)
	switch {
	case p99 > maxGoodWait:
		return fmt.Errorf("a good client waits %s, more than %s", p99, maxGoodWait)
	case bytes > maxResidentBytes:
		return fmt.Errorf("%d MB are resident, more than %d", bytes>>20, maxResidentBytes>>20)
	}
	return nil
}

// startServer starts the server and waits until it serves.
func (l *loadRun) startServer(database string) (*exec.Cmd, error) {
	server := exec.Command(l.program, "serve", "--http", "127.0.0.1:0", "--http-rate-limit", "0", "--db", database)
	stderr, err := server.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := server.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, url, found := strings.Cut(lines.Text(), "toolkit serves "); found {
			l.url = url
			l.address = strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/api/mcp")
			go io.Copy(io.Discard, stderr) //nolint:errcheck // it ends with the server
			return server, nil
		}
	}
	return nil, errors.Join(errors.New("the server did not begin to serve"), server.Wait())
}

// holdConnection keeps a connection open that sends a byte a second of a text, or nothing, and opens another one when the server
// closes it.
func (l *loadRun) holdConnection(ctx context.Context, text string) {
	for ctx.Err() == nil {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", l.address)
		if err != nil {
			pauseFor(ctx, time.Second)
			continue
		}
		stop := context.AfterFunc(ctx, func() { conn.Close() })
		if text != "" {
			go func() {
				for i := range len(text) {
					if _, err := io.WriteString(conn, text[i:i+1]); err != nil {
						return
					}
					pauseFor(ctx, time.Second)
				}
			}()
		}
		io.Copy(io.Discard, conn) //nolint:errcheck // until it is closed
		stop()
		conn.Close()
		pauseFor(ctx, time.Second)
	}
}

func pauseFor(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// newLargestCall are the largest calls that are allowed: a search for as many words as there may be, and a text of a megabyte.
func newLargestCall(n int) (tool string, arguments map[string]any) {
	if n%2 == 0 {
		return "hybrid_search", map[string]any{"query_text": wordsOfLength(n, 10_000), "top_k": 100}
	}
	return "create_entities", map[string]any{"entities": []any{map[string]any{"name": fmt.Sprint("load ", n), "entityType": "load", "observations": []any{wordsOfLength(n, 1<<20)}}}}
}

func wordsOfLength(n, length int) string {
	var text strings.Builder
	for i := 0; text.Len() < length; i++ {
		fmt.Fprintf(&text, "word%d of March %d, ", (n*7919+i)%50_000, 1900+i%200)
	}
	return text.String()[:length]
}

func (l *loadRun) sendLargeCalls(ctx context.Context) {
	if l.most == 0 {
		return
	}
	ticker := time.NewTicker(time.Second / time.Duration(l.most))
	defer ticker.Stop()
	var calls sync.WaitGroup
	defer calls.Wait()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		calls.Go(func() {
			tool, arguments := newLargestCall(n)
			if l.call(ctx, http.DefaultClient, tool, arguments) == nil {
				l.large.Add(1)
			} else if ctx.Err() == nil {
				l.failed.Add(1)
			}
		})
	}
}

// measureGoodCalls calls as a good client does, one call after the other, and returns how long each took.
func (l *loadRun) measureGoodCalls(ctx context.Context) (waits []time.Duration, err error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConns: 1}}
	for i := 0; ctx.Err() == nil; i++ {
		tool, arguments := "list_active_charts", map[string]any{}
		if i%2 == 1 {
			tool, arguments = "hybrid_search", map[string]any{"query_text": "the garden in March", "top_k": 5}
		}
		begun := time.Now()
		err := l.call(ctx, client, tool, arguments)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("a good call failed: %w", err)
		}
		waits = append(waits, time.Since(begun))
		pauseFor(ctx, 50*time.Millisecond)
	}
	if len(waits) == 0 {
		return nil, errors.New("no good call was answered")
	}
	return waits, nil
}

func (l *loadRun) call(ctx context.Context, client *http.Client, tool string, arguments map[string]any) error {
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments},
	})
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url, strings.NewReader(string(body)))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", "load") // so that a connection that was just closed is no failure
	response, err := client.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var answer struct {
		Error  json.RawMessage
		Result struct {
			IsError bool
			Content json.RawMessage
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return err
	}
	if answer.Error != nil || answer.Result.IsError {
		return fmt.Errorf("%s: %s %.300s%.300s", tool, response.Status, answer.Error, answer.Result.Content)
	}
	return nil
}

// peakResidentBytes is the most memory that a process held, as Linux tells it; 0 elsewhere.
func peakResidentBytes(pid int) (bytes int64) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, found := strings.CutPrefix(line, "VmHWM:"); found {
			fmt.Sscanf(rest, "%d kB", &bytes) //nolint:errcheck // it stays 0
		}
	}
	return bytes << 10
}

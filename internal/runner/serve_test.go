package runner

import (
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// notes is an onlooker that keeps what it is told.
type notes struct {
	mu      sync.Mutex
	arrived chan evidence.Exchange // room for some
	ended   []string
	unused  chan int64
}

func newNotes() *notes {
	return &notes{arrived: make(chan evidence.Exchange, 20), unused: make(chan int64, 20)}
}

func (n *notes) Arrived(x evidence.Exchange) { n.arrived <- x }

func (n *notes) Answering(evidence.Exchange, scenarios.Step) {}

func (n *notes) Ended(x evidence.Exchange, step *scenarios.Step) {
	line := 0
	if step != nil {
		line = step.Line
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ended = append(n.ended, strconv.Itoa(x.Seq)+" by line "+strconv.Itoa(line)+", ended by "+string(x.EndedBy))
}

func (n *notes) Unused(_ evidence.Offset, _ string, bytes int64) { n.unused <- bytes }

// served serves a case, at free ports unless an address is given.
func served(t *testing.T, id, listen string) (*Served, *notes) {
	t.Helper()
	seen := newNotes()
	s, err := Serve(chosen(t, evidence.ClockReal, id)[0], ServeOptions{Listen: listen, Onlooker: seen})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, seen
}

// resolve asks the platform for access and returns the status; 0 where there was no answer.
func resolve(t *testing.T, s *Served) int {
	t.Helper()
	p := s.Credentials("main", scenarios.EndpointPlatform)
	asking, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.URL+"/api/v1/agent-sessions/"+s.SessionUID("main")+"/resolve-runtime-access/", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	asking.Header.Set("Authorization", "Bearer "+p.Token)
	own := &http.Transport{}
	defer own.CloseIdleConnections()
	answer, err := own.RoundTrip(asking)
	if err != nil {
		return 0
	}
	defer func() { _ = answer.Body.Close() }()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return 0
	}
	return answer.StatusCode
}

// freePorts finds the first of some ports in a row that are free, as far as that can be known.
func freePorts(t *testing.T, n int) int {
	t.Helper()
	for range 50 {
		first, err := net.Listen("tcp", loopback)
		if err != nil {
			t.Fatal(err)
		}
		port := first.Addr().(*net.TCPAddr).Port
		free := port+n < 1<<16
		for i := 1; i < n && free; i++ {
			next, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port+i))
			if free = err == nil; free {
				_ = next.Close()
			}
		}
		_ = first.Close()
		if free {
			return port
		}
	}
	t.Fatal("no free ports in a row were found")
	return 0
}

func TestAServedScenarioIsAtTheSamePlaceEachTime(t *testing.T) {
	t.Parallel()
	port := freePorts(t, 3)
	listen := "127.0.0.1:" + strconv.Itoa(port)
	at := func(i int, path string) string { return "http://127.0.0.1:" + strconv.Itoa(port+i) + path }
	want := []ServedPlace{
		{Name: "platform", URL: at(0, ""), Accepts: evidence.AcceptsYes},
		{Name: "runtime", URL: at(1, "/opaque-runtime/"), Accepts: evidence.AcceptsYes},
		{Name: "dead", URL: at(2, "/opaque-dead/"), Accepts: evidence.AcceptsRefuse},
	}
	var uids, tokens []string
	for range 2 { // the second time at ports that the first has only just left
		s, _ := served(t, "nobody-at-the-runtime", listen)
		if diff := cmp.Diff(want, s.Places()); diff != "" {
			t.Errorf("the places differ (-want +got):\n%s", diff)
		}
		if status := resolve(t, s); status != http.StatusOK {
			t.Errorf("resolve is answered %d, want 200", status)
		}
		if _, err := net.Dial("tcp", "127.0.0.1:"+strconv.Itoa(port+2)); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("connecting to the server that refuses: %v", err)
		}
		uids, tokens = append(uids, s.SessionUID("main")), append(tokens, s.Credentials("main", scenarios.EndpointPlatform).Token)
		run, _, malformed := s.Close()
		if len(run.Exchanges) != 1 || len(malformed) > 0 {
			t.Errorf("%d exchanges, faults %q; want one and none", len(run.Exchanges), malformed)
		}
	}
	if uids[0] != uids[1] || tokens[0] == tokens[1] {
		t.Errorf("uids %q have to be one, tokens %q two", uids, tokens)
	}
}

func TestAPortThatIsTakenIsNamed(t *testing.T) {
	t.Parallel()
	other, err := net.Listen("tcp", loopback)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	_, err = Serve(chosen(t, evidence.ClockReal, "plain-send")[0], ServeOptions{Listen: other.Addr().String(), Onlooker: newNotes()})
	taken, ok := errors.AsType[*ListenError](err)
	if !ok || taken.Server != "platform" || taken.Address != other.Addr().String() || !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("the error is %v", err)
	}
	for _, bad := range []string{"nowhere", "127.0.0.1:http-alt-none"} {
		if _, err := Serve(scenarios.Case{}, ServeOptions{Listen: bad}); err == nil {
			t.Errorf("listening at %q is no mistake", bad)
		}
	}
}

func TestWhatHangsEndsWithTheServing(t *testing.T) {
	t.Parallel()
	s, seen := served(t, "resolve-hangs/wire=cut_after_request_how_hang", loopback)
	status := make(chan int, 1)
	go func() { status <- resolve(t, s) }() // ends when the server closes
	<-seen.arrived
	began := time.Now()
	run, _, _ := s.Close()
	if took := time.Since(began); took > time.Second {
		t.Errorf("closing took %s", took)
	}
	if got := <-status; got != 0 {
		t.Errorf("the request that hung was answered %d", got)
	}
	if len(run.Exchanges) != 1 || run.Exchanges[0].EndedBy != evidence.EndedByRun {
		t.Errorf("the exchanges are %+v", run.Exchanges)
	}
}

func TestAServedScenarioTellsWhatArrives(t *testing.T) {
	t.Parallel()
	s, seen := served(t, "waking-then-ready", loopback)
	for range 4 {
		resolve(t, s)
	}
	idle, err := net.Dial("tcp", strings.TrimPrefix(s.Credentials("main", scenarios.EndpointPlatform).URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	_ = idle.Close()
	if bytes := <-seen.unused; bytes != 0 {
		t.Errorf("an idle connection has carried %d bytes", bytes)
	}
	_, leftover, malformed := s.Close()
	if len(seen.unused) > 0 {
		t.Errorf("%d connections that were used are told as unused", len(seen.unused))
	}
	slices.Sort(seen.ended) // an answer is there before its end is told
	want := []string{"1 by line 10, ended by server", "2 by line 10, ended by server", "3 by line 12, ended by server", "4 by line 0, ended by server"}
	if diff := cmp.Diff(want, seen.ended); diff != "" {
		t.Errorf("what was told differs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"line 14: the step of runtime.send_message has answered 0 of 1 times"}, leftover); diff != "" || len(malformed) > 0 {
		t.Errorf("left over (-want +got), and faults %q:\n%s", malformed, diff)
	}
}

// A step that asks for the one call of its scenario answers whoever comes.
func TestTheOneCallOfAServedScenarioIsKnown(t *testing.T) {
	t.Parallel()
	s, _ := served(t, "timeout-unusable/timeout=0", loopback)
	if status := resolve(t, s); status != http.StatusOK {
		t.Errorf("resolve is answered %d, want 200", status)
	}
	if calls := s.Calls(); len(calls) != 1 || calls[0].Asked.Session != s.SessionUID("main") || calls[0].Asked.Number != 1 {
		t.Errorf("the calls are %+v", calls)
	}
}

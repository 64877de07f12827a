package runner

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
)

// guest is a run of a board in a test.
type guest struct {
	*line

	session string
	leave   func()
}

// aBoard is the platform of a session of which tests open the runs.
func aBoard(t *testing.T) *board {
	t.Helper()
	b, err := newBoard(&live{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.close)
	return b
}

// opens adds a run whose handler answers with its name, or does as it is told.
func (b *board) opens(name string, handler http.HandlerFunc) guest {
	rec := evidence.NewRecorder(name, evidence.ClockReal, time.Now(), evidence.Tolerance{}, nil)
	world := script.NewWorld(script.WorldConfig{Names: name, Nonce: "nonce", Recorder: rec, Keys: b.keys})
	if handler == nil {
		handler = func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, name) }
	}
	added := &line{name: name, rec: rec, world: world, handler: handler, guests: &crowd{}}
	return guest{line: added, session: world.SessionUID("main"), leave: b.open(added)}
}

// asks sends a request to a board and returns who answered.
func asks(t *testing.T, client *http.Client, b *board, target string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.origin+target, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+b.keys.PlatformToken())
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		return strconv.Itoa(answer.StatusCode)
	}
	return string(text)
}

// visitor is a client with connections of its own.
func visitor(t *testing.T) *http.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func TestBoardHandsEachRequestToItsRun(t *testing.T) {
	t.Parallel()
	b, client := aBoard(t), visitor(t)
	one, two := b.opens("one", nil), b.opens("two", nil)
	over := b.opens("over", nil)
	odd := two.world.SessionUID("odd/../x")
	if got := asks(t, client, b, "/agent-sessions/"+over.session+"/"); got != "over" {
		t.Fatalf("the run that is about to end got nothing, but %s did", got)
	}
	over.leave()
	const nobody = "418"
	for _, test := range []struct{ name, target, many, alone string }{
		{"a session of the one", "/agent-sessions/" + one.session + "/", "one", "one"},
		{"a session in the query", "/agent-sessions/?uid=" + one.session, "one", "one"},
		{"the agent of the one", "/agents/" + one.world.AgentUID() + "/", "one", "one"},
		{"a session of the other", "/agent-sessions/" + two.session + "/resolve-runtime-access/", "two", nobody},
		{"a uid with a tail", "/agent-sessions/" + strings.ReplaceAll(odd, "/", "%2F") + "/", "two", nobody},
		{"no uid at all", "/auth/refresh/", nobody, "one"},
		{"an unknown path with nobody's uid", "/x/00000000-0000-4000-8000-000000000000", nobody, "one"},
		{"a session of a run that is over", "/agent-sessions/" + over.session + "/", nobody, nobody},
		{"an agent of a run that is over", "/agents/" + over.world.AgentUID() + "/", nobody, nobody},
	} {
		if got := asks(t, client, b, test.target); got != test.many {
			t.Errorf("%s went to %s beside other runs, want %s", test.name, got, test.many)
		}
	}
	two.leave()
	for _, test := range []struct{ name, target, want string }{
		{"no uid at all", "/auth/refresh/", "one"},
		{"a session of the run that has just ended", "/agent-sessions/" + two.session + "/", nobody},
		{"a session of a run that is over", "/agent-sessions/" + over.session + "/", nobody},
		{"an unknown path with nobody's uid", "/x/00000000-0000-4000-8000-000000000000", "one"},
	} {
		if got := asks(t, client, b, test.target); got != test.want {
			t.Errorf("%s went to %s while one run is under way, want %s", test.name, got, test.want)
		}
	}
	one.leave()
	if got := asks(t, client, b, "/auth/refresh/"); got != nobody {
		t.Errorf("a request while no run is under way went to %s", got)
	}
}

func TestBoardTellsOfStraysWithoutTheirSecrets(t *testing.T) {
	t.Parallel()
	b, client := aBoard(t), visitor(t)
	token := b.keys.PlatformToken()
	asks(t, client, b, "/auth/"+token+"/?token="+token)
	for range mostStrays + 5 {
		asks(t, client, b, "/whoami/")
	}
	left := b.left()
	if len(left) != mostStrays {
		t.Errorf("%d strays are kept, want %d", len(left), mostStrays)
	}
	first := left[0].Request
	want := evidence.Request{
		Method: http.MethodPost, Target: "/auth/‹left out›/", Host: strings.TrimPrefix(b.origin, "http://"), Proto: "HTTP/1.1", ContentLength: 2,
		Header: http.Header{},
	}
	for _, name := range []string{"Accept-Encoding", "Authorization", "Content-Length", "User-Agent"} {
		want.Header[name] = []string{"‹left out›"}
	}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("the stray differs (-want +got):\n%s", diff)
	}
	for i, x := range left {
		if x.Seq != i+1 {
			t.Fatalf("stray %d has the number %d", i+1, x.Seq)
		}
	}
}

func TestBoardServesManyRunsAtOnceOverSharedConnections(t *testing.T) {
	t.Parallel()
	b := aBoard(t)
	client := visitor(t) // its connections serve whichever run is next
	var work sync.WaitGroup
	for n := range 16 {
		work.Go(func() { // ends with its requests
			g := b.opens(fmt.Sprintf("run %d", n), nil)
			defer g.leave()
			for range 8 {
				if got := asks(t, client, b, "/agent-sessions/"+g.session+"/"); got != g.name {
					t.Errorf("a request of %s went to %s", g.name, got)
				}
			}
		})
	}
	work.Wait()
	if left := b.left(); len(left) != 0 {
		t.Errorf("%d strays, want none: %v", len(left), left[0].Request.Target)
	}
}

func TestARunIsNotOverWhileARequestOfItsIsServed(t *testing.T) {
	t.Parallel()
	b, client := aBoard(t), visitor(t)
	arrived, release := make(chan struct{}), make(chan struct{})
	g := b.opens("slow", func(w http.ResponseWriter, _ *http.Request) {
		close(arrived)
		<-release
		_, _ = fmt.Fprint(w, "slow")
	})
	answered := make(chan string, 1)
	go func() { answered <- asks(t, client, b, "/agent-sessions/"+g.session+"/") }() // ends with the answer
	<-arrived
	g.leave()
	select {
	case <-g.guests.idle():
		t.Error("nobody is counted while a request is served")
	default:
	}
	close(release)
	if got := <-answered; got != "slow" {
		t.Errorf("the request under way came to %q", got)
	}
	<-g.guests.idle()
}

func TestAConnectionOfTheBoardIsToldApartInEachRun(t *testing.T) {
	t.Parallel()
	b := aBoard(t)
	one, two := b.opens("one", nil), b.opens("two", nil)
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(b.origin, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	dialled := func(context.Context, string, string) (net.Conn, error) { return conn, nil }
	transport := &http.Transport{DialContext: dialled, MaxConnsPerHost: 1}
	client := &http.Client{Transport: transport}
	for _, g := range []guest{one, two, one} {
		asks(t, client, b, "/agent-sessions/"+g.session+"/")
	}
	one.leave()
	asks(t, client, b, "/agent-sessions/"+two.session+"/")
	transport.CloseIdleConnections()
	b.close() // waits for the server's side to have seen it
	two.leave()
	seen := func(g guest) []evidence.Connection {
		return g.rec.Close(evidence.End{How: evidence.EndSettled}, 0).Connections
	}
	first, second := seen(one), seen(two)
	if len(first) != 1 || len(second) != 1 {
		t.Fatalf("the runs saw %d and %d connections, want one each", len(first), len(second))
	}
	if first[0].ClosedBy != ClosedByRun {
		t.Errorf("for the run that left, the connection was closed by %q", first[0].ClosedBy)
	}
	if second[0].ClosedBy == ClosedByRun || second[0].ClosedBy == "" {
		t.Errorf("for the run that stayed, the connection was closed by %q", second[0].ClosedBy)
	}
	if first[0].BytesIn == 0 || second[0].BytesIn == 0 || first[0].BytesOut == 0 {
		t.Errorf("nothing is said to have gone over it: %+v, %+v", first[0], second[0])
	}
}

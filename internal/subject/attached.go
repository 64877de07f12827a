package subject

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Attached is a driver that is running already and serves the driver protocol over HTTP: the same messages, each a
// request of its own (docs/drivers.md).
type Attached struct {
	url   string
	http  *http.Client
	about evidence.Subject
	calls atomic.Int64
	runs  atomic.Int64
	watch *Watch
	over  context.Context //nolint:containedctx // ends calls that are open when the session is over
	end   context.CancelFunc

	mu       sync.Mutex
	breaches int
	open     int // calls
	silent   int // calls in a row to which nothing was answered
	lost     error
}

// Attach returns the subject for a driver at a URL.
func Attach(url string) *Attached {
	over, end := context.WithCancel(context.Background()) //nolint:forbidigo // it is the session's own, and Stop ends it
	return &Attached{
		url: strings.TrimSuffix(url, "/"), over: over, end: end,
		// No proxy of the surroundings, and no redirect: the driver is where the user says.
		http: &http.Client{
			Transport:     &http.Transport{MaxIdleConnsPerHost: 64},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		about: evidence.Subject{Kind: evidence.KindAttach, Name: url, Capabilities: []string{}, Parallel: 1},
	}
}

// About implements Subject. Before Start it names no more than the address.
func (a *Attached) About() evidence.Subject { return a.about }

// Start implements Session.
func (a *Attached) Start(ctx context.Context, p Platform) error {
	ctx, cancel := context.WithTimeout(ctx, helloPatience)
	defer cancel()
	greeting, err := encoded(helloMessage{Type: typeHello, Protocol: ProtocolVersion, Platform: platformOf(p)})
	if err != nil {
		return err
	}
	said, err := a.post(ctx, typeHello, greeting)
	if err != nil {
		return fmt.Errorf("the driver at %s did not say hello: %w", a.url, err)
	}
	in, err := readIntroduction(said)
	if err != nil && !a.watch.forgives(in, err) {
		return fmt.Errorf("the driver at %s is not ready: %w", a.url, err)
	}
	a.about = in.about(evidence.KindAttach)
	return a.watch.pardon(askForNothing(ctx, a))
}

// post sends a message and returns the answer.
func (a *Attached) post(ctx context.Context, what string, message []byte) ([]byte, error) {
	a.watch.sent(message)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, a.url+"/"+what, bytes.NewReader(message)) //nolint:gosec // the driver is where the user says
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := a.http.Do(request) //nolint:gosec // as above
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(answer.Body, longestLine+1))
	switch {
	case err != nil:
		return nil, err
	case len(body) > longestLine:
		return nil, fmt.Errorf("an answer of more than %d bytes", longestLine)
	case answer.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("the answer to POST %s/%s has the status %d, want 200", a.url, what, answer.StatusCode)
	}
	a.watch.heard(body)
	return body, nil
}

// Open implements Subject.
func (a *Attached) Open(Env) (Instance, error) {
	return &attachedInstance{attached: a, name: fmt.Sprintf("r%d", a.runs.Add(1))}, nil
}

// Lost implements Session.
func (a *Attached) Lost() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.lost
}

// Said implements Session. What an attached driver prints goes elsewhere.
func (*Attached) Said() string { return "" }

// Stop implements Session. The driver is told that the session is over, and left running.
func (a *Attached) Stop() {
	a.end()
	ctx, cancel := context.WithTimeout(context.Background(), byePatience) //nolint:forbidigo // the session's own has ended
	defer cancel()
	if goodbye, err := encoded(map[string]string{"type": typeBye}); err == nil {
		_, _ = a.post(ctx, typeBye, goodbye) // one that has gone needs no word
	}
	a.http.CloseIdleConnections()
}

// attachedInstance is an attached driver in one run.
type attachedInstance struct {
	attached *Attached
	name     string

	mu       sync.Mutex
	breaches []Breach
}

// Do implements Instance.
func (i *attachedInstance) Do(ctx context.Context, call Call) Answer {
	a := i.attached
	id := fmt.Sprintf("c%d", a.calls.Add(1))
	message, err := messageOf(id, i.name+"."+call.Client, call)
	if err != nil {
		return crashed(err)
	}
	answered, written := make(chan struct{}), make(chan struct{})
	defer close(answered)
	go func() { // ends with the call
		// A cancel has a connection of its own. It waits for its call, which the driver would else not know yet.
		for _, come := range []<-chan struct{}{written, ctx.Done()} {
			select {
			case <-answered:
				return
			case <-come:
			}
		}
		if text, err := encoded(map[string]string{"type": typeCancel, "id": id}); err == nil && a.claims("cancel") {
			_, _ = a.post(a.over, typeCancel, text) //nolint:contextcheck // the caller's own has ended; the call tells what came of it
		}
	}()
	beside := a.begin()
	body, err := a.post(telling(a.over, written), typeCall, message) //nolint:contextcheck // the result comes also after the caller has given up
	beside = a.finish(err) || beside
	if err != nil {
		answer := crashed(fmt.Errorf("the driver did not answer the call: %w", err))
		answer.Disturbed = beside
		return answer
	}
	return i.read(id, body)
}

// telling is a context whose request closes a channel when it has been written.
func telling(ctx context.Context, written chan struct{}) context.Context {
	once := sync.OnceFunc(func() { close(written) }) // a request is written again where its kept connection has ended
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { once() }})
}

// begin notes that a call is open now and tells whether others are.
func (a *Attached) begin() (beside bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open++
	return a.open > 1
}

// finish notes how a call went and tells whether others were open. A driver that answers nothing any more has gone, and
// nobody here can start it again.
func (a *Attached) finish(err error) (beside bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	beside = a.open > 1
	a.open--
	a.silent++
	switch {
	case err == nil:
		a.silent = 0
	case a.silent >= mostStarts && a.lost == nil && a.watch == nil:
		a.lost = fmt.Errorf("the driver at %s answered none of %d calls in a row; the last time: %w", a.url, a.silent, err)
	}
	return beside
}

func (a *Attached) claims(capability string) bool {
	return slices.Contains(a.about.Capabilities, capability)
}

// read reads the answer to a call.
func (i *attachedInstance) read(id string, body []byte) Answer {
	r, err := readReply(body)
	if err == nil && r.ID != id {
		err = fmt.Errorf("the answer to the call %q has the id %q", id, r.ID)
	}
	if err != nil {
		i.breach(body, err)
		return Answer{Outcome: evidence.Outcome{Kind: evidence.OutcomeUnsupported, Reason: err.Error()}}
	}
	answer, err := r.answer()
	if err != nil {
		i.breach(body, err)
	}
	return answer
}

func (i *attachedInstance) breach(body []byte, err error) {
	i.mu.Lock()
	i.breaches = append(i.breaches, Breach{Line: beginning(body), Why: err.Error()})
	i.mu.Unlock()
	a := i.attached
	a.mu.Lock()
	defer a.mu.Unlock()
	a.breaches++
	if a.breaches >= mostBreaches && a.lost == nil && a.watch == nil {
		a.lost = fmt.Errorf("the driver broke the protocol %d times; the last time: %w", a.breaches, err)
	}
}

// Breaches implements Breaching.
func (i *attachedInstance) Breaches() []Breach {
	i.mu.Lock()
	defer i.mu.Unlock()
	found := i.breaches
	i.breaches = nil
	return found
}

// Close implements Instance.
func (*attachedInstance) Close() error { return nil }

// crashed is the answer where there is none.
func crashed(err error) Answer {
	return Answer{Outcome: evidence.Outcome{Kind: evidence.OutcomeCrash, Reason: err.Error()}}
}

// askForNothing makes a call with an operation that does not exist: a driver that does something then would do anything.
func askForNothing(ctx context.Context, s Subject) error {
	ctx, cancel := context.WithTimeout(ctx, helloPatience)
	defer cancel()
	instance, err := s.Open(Env{})
	if err != nil {
		return err
	}
	defer func() { _ = instance.Close() }()
	asked := make(chan Answer, 1)
	go func() { // ends with the answer, or with the driver
		asked <- instance.Do(ctx, Call{Client: "none", Op: unknownOp, Session: "00000000-0000-4000-8000-000000000000"})
	}()
	wanted := errors.New("the answer to an operation that a driver does not know is unsupported")
	select {
	case a := <-asked:
		if noticing, ok := instance.(Breaching); ok {
			for _, b := range noticing.Breaches() {
				return fmt.Errorf("the driver was asked for the operation %q and answered with %s (%s): %w", unknownOp, b.Why, b.Line, wanted)
			}
		}
		if a.Kind == evidence.OutcomeUnsupported {
			return nil
		}
		return fmt.Errorf("the driver was asked for the operation %q and ended it as %s%s: %w", unknownOp, a.Kind, after(": ", a.Reason), wanted)
	case <-ctx.Done():
		return fmt.Errorf("the driver was asked for the operation %q and gave no answer in time: %w", unknownOp, wanted)
	}
}

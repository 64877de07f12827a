package subject

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

const (
	// helloPatience is how long a driver may take to say hello: an interpreter and its packages have to be loaded.
	helloPatience = 60 * time.Second
	// mostStarts is how often a driver is started in a session: once, and three times again.
	mostStarts = 4
	// mostBreaches is how many breaches of the protocol end a session.
	mostBreaches = 10
	// keptBreaches is how many of them are kept where a session goes on that is watched.
	keptBreaches = 1000
	// unknownOp is asked for before anything is judged. No client has it.
	unknownOp = "no_such_operation"
)

// DriverOptions say what a driver finds around it.
type DriverOptions struct {
	// Dir is the user's directory, in which the driver is started.
	Dir string
	// Surroundings is the user's environment as NAME=VALUE. Little of it is handed on.
	Surroundings []string
	// Env is what the user adds to it, as Variables returns it.
	Env []string
}

// Driver is a program that makes calls with a client in any language and speaks the driver protocol (docs/drivers.md).
// One process serves a whole session; calls of several runs are open in it at once.
type Driver struct {
	program  string
	words    []string
	options  DriverOptions
	platform Platform
	watch    *Watch // nil where nobody watches
	about    evidence.Subject
	home     *homes
	calls    atomic.Int64    // ids so far
	runs     atomic.Int64    // instances so far
	over     context.Context //nolint:containedctx // ends a start that is under way when the session is over
	end      context.CancelFunc
	starting sync.Mutex // held while a process is started again, and by who stops the session

	mu       sync.Mutex
	line     *process
	starts   int
	stopped  bool
	lost     error
	breaches int
	open     map[string]*pending
	known    map[string]*driverInstance // of all calls, by their ids
	at       []*driverInstance          // those that are open
	orphans  []Breach                   // noticed while none was open
}

// pending is a call that a driver has not answered.
type pending struct {
	of     *driverInstance
	line   *process
	answer chan Answer
}

// NewDriver returns the subject for a driver. The error says that its program cannot be found.
func NewDriver(words []string, o DriverOptions) (*Driver, error) {
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("there is no driver: name the program, and its words, that speaks the driver protocol")
	}
	program, err := find(words[0], CommandOptions{Dir: o.Dir, Surroundings: o.Surroundings})
	if err != nil {
		return nil, err
	}
	heedInterrupts()
	return driverOf(program, words[1:], o), nil
}

func driverOf(program string, words []string, o DriverOptions) *Driver {
	over, end := context.WithCancel(context.Background()) //nolint:forbidigo // it is the session's own, and Stop ends it
	return &Driver{
		over: over, end: end,
		program: program, words: words, options: o, open: map[string]*pending{}, known: map[string]*driverInstance{},
		about: evidence.Subject{Kind: evidence.KindDriver, Name: filepath.Base(program), Capabilities: []string{}, Parallel: 1},
	}
}

// Twin implements Twinned. Who watches a session wants to see one dialogue.
func (d *Driver) Twin() Session {
	if d.watch != nil {
		return nil
	}
	return driverOf(d.program, d.words, d.options)
}

// About implements Subject. Before Start it names no more than the program.
func (d *Driver) About() evidence.Subject { return d.about }

// Start implements Session.
func (d *Driver) Start(ctx context.Context, p Platform) error {
	hs, err := newHomes("", nil)
	if err != nil {
		return err
	}
	d.home, d.platform = hs, p
	in, err := d.launch(ctx)
	if err != nil {
		return err
	}
	d.about = in.about(evidence.KindDriver)
	return d.watch.pardon(askForNothing(ctx, d))
}

// launch starts the process and hears its hello. The driver's lock is not held.
func (d *Driver) launch(ctx context.Context) (introduction, error) {
	h, err := d.home.of("driver")
	if err != nil {
		return introduction{}, err
	}
	var line *process
	hellos := make(chan []byte, 1)
	greeted := false // read by the goroutine that reads lines alone
	line, err = startProcess(ctx, d.program, d.words, d.environment(h), d.options.Dir, func(text []byte) {
		d.watch.heard(text)
		switch {
		case greeted:
			d.heard(text)
		case !d.watch.skips(text):
			greeted = true
			hellos <- text
		}
	})
	if err != nil {
		return introduction{}, err
	}
	line.watch = d.watch
	greeting, err := encoded(helloMessage{Type: typeHello, Protocol: ProtocolVersion, Platform: platformOf(d.platform)})
	if err == nil {
		_, _ = line.write(greeting) // a process that has ended says so better
	}
	timer := time.NewTimer(helloPatience)
	defer timer.Stop()
	failed := func(format string, args ...any) (introduction, error) {
		line.kill("it was not ready")
		<-line.ended
		return introduction{}, fmt.Errorf(format, args...)
	}
	select {
	case text := <-hellos:
		in, err := readIntroduction(text)
		if err != nil && !d.watch.forgives(in, err) {
			return failed("the driver is not ready: %w", err)
		}
		d.take(line)
		return in, nil
	case <-line.ended:
		return failed("the driver ended before it said hello: %s", line.ending())
	case <-timer.C:
		return failed("the driver had not said hello after %s%s", helloPatience, after("; the end of its standard error: ", lastOf(line.said.text())))
	case <-ctx.Done():
		return failed("the driver had not said hello when the time was over")
	}
}

// after puts words before a text that is not empty.
func after(words, text string) string {
	if text == "" {
		return ""
	}
	return words + text
}

// take makes a process the one that gets calls.
func (d *Driver) take(line *process) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.line = line
	d.starts++
	go func() { // ends with the process
		<-line.ended
		d.died(line)
	}()
}

// environment is what the driver's process gets.
func (d *Driver) environment(h home) []string {
	p := d.platform
	own := []string{
		"HOME=" + h.dir(), "TMPDIR=" + h.temporary(), fmt.Sprintf("A2A_CONFORM_PROTOCOL=%d", ProtocolVersion),
		"A2A_CONFORM_DIR=" + h.work(), "A2A_CONFORM_PLATFORM_URL=" + p.URL, "A2A_CONFORM_PLATFORM_TOKEN=" + p.Token,
		"A2A_CONFORM_REFRESH_TOKEN=" + p.RefreshToken,
	}
	return lastOfEach(variablesOf(d.options.Surroundings, own, d.options.Env, p))
}

// Open implements Subject.
func (d *Driver) Open(Env) (Instance, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := &driverInstance{driver: d, name: fmt.Sprintf("r%d", d.runs.Add(1)), breaches: d.orphans}
	d.orphans = nil
	d.at = append(d.at, i)
	return i, nil
}

// Lost implements Session.
func (d *Driver) Lost() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lost
}

// Said implements Session.
func (d *Driver) Said() string {
	d.mu.Lock()
	line := d.line
	d.mu.Unlock()
	if line == nil {
		return ""
	}
	return lastOf(line.said.text())
}

// Stop implements Session.
func (d *Driver) Stop() {
	d.end()
	d.starting.Lock() // a process that is about to be there is stopped with the others
	defer d.starting.Unlock()
	d.mu.Lock()
	d.stopped = true
	line := d.line
	d.mu.Unlock()
	if line != nil {
		by := line.stop()
		d.watch.ended(line.departure(by))
	}
	if d.home != nil {
		_ = d.home.remove() // a file left in the temporary directory harms nobody
	}
}

// running returns the process that takes calls, and starts it again where it has ended. A call that had to wait for that
// is held up: it has lost time that its client did not take.
func (d *Driver) running() (line *process, heldUp bool, err error) {
	if line, err = d.current(); line != nil || err != nil {
		return line, false, err
	}
	d.starting.Lock()
	defer d.starting.Unlock()
	if line, err = d.current(); line != nil || err != nil {
		return line, true, err
	}
	// Not by the context of a call: another may want the process when the caller of this one has given up.
	if _, err := d.launch(d.over); err != nil {
		return nil, true, d.lose(fmt.Errorf("the driver ended and could not be started again: %w", err))
	}
	line, err = d.current()
	if line == nil && err == nil {
		err = errors.New("the driver ended as soon as it had been started again")
	}
	return line, true, err
}

// current is the process that takes calls, nil where a new one is to be started, and an error where none may be.
func (d *Driver) current() (*process, error) {
	d.mu.Lock()
	line, stopped, lost, starts := d.line, d.stopped, d.lost, d.starts
	d.mu.Unlock()
	select {
	case <-line.ended:
	default:
		return line, nil
	}
	switch {
	case stopped:
		return nil, errors.New("the session is over")
	case lost != nil:
		return nil, lost
	case starts >= mostStarts:
		return nil, d.lose(fmt.Errorf("the driver ended %d times and is not started again; the last time: %s", starts, line.ending()))
	default:
		return nil, nil //nolint:nilnil // no process and nothing against a new one
	}
}

// lose keeps why no more calls are made; the first reason counts.
func (d *Driver) lose(err error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lost == nil {
		d.lost = err
	}
	return d.lost
}

// died answers the calls that were open in a process that has ended.
func (d *Driver) died(line *process) {
	how := line.ending()
	d.mu.Lock()
	defer d.mu.Unlock()
	var left []*pending
	for _, id := range slices.Sorted(maps.Keys(d.open)) {
		if d.open[id].line == line {
			left = append(left, d.open[id])
			delete(d.open, id)
		}
	}
	for _, call := range left {
		call.answer <- Answer{
			Outcome:   evidence.Outcome{Kind: evidence.OutcomeCrash, Reason: how},
			Disturbed: len(left) > 1,
		}
	}
}

// heard takes a line that the driver wrote.
func (d *Driver) heard(text []byte) {
	r, err := readReply(text)
	var answer Answer
	var wrong error
	if err == nil {
		answer, wrong = r.answer() // before the lock: it may be long
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	call := d.open[r.ID]
	switch {
	case err != nil:
		d.breach(r.ID, text, err.Error())
	case call == nil && d.known[r.ID] != nil:
		d.breach(r.ID, text, "a second answer to a call")
	case call == nil:
		d.breach(r.ID, text, fmt.Sprintf("an answer to a call %q that was never made", r.ID))
	default:
		delete(d.open, r.ID)
		if wrong != nil {
			d.breach(r.ID, text, wrong.Error())
		}
		call.answer <- answer
	}
}

// breach keeps what is against the protocol: with the run that it is of, else with one that is open. A driver that goes
// on is ended, and no more is kept: it may write without end. The lock is held.
func (d *Driver) breach(id string, line []byte, why string) {
	b := Breach{Line: beginning(line), Why: why}
	d.breaches++
	switch {
	case d.breaches > keptBreaches:
		return
	case d.breaches >= mostBreaches && d.lost == nil && d.watch == nil:
		d.lost = fmt.Errorf("the driver broke the protocol %d times; the last time: %s (%s)", d.breaches, b.Why, b.Line)
		if d.line != nil {
			d.line.kill(fmt.Sprintf("it broke the protocol %d times", d.breaches))
		}
	}
	i := d.known[id]
	if (i == nil || !slices.Contains(d.at, i)) && len(d.at) > 0 {
		i = d.at[0]
	}
	if i == nil || !slices.Contains(d.at, i) {
		d.orphans = append(d.orphans, b)
		return
	}
	i.breaches = append(i.breaches, b)
}

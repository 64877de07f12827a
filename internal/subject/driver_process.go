package subject

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// How long a driver process is waited for, and how much it may say (docs/drivers.md).
const (
	writePatience = 10 * time.Second // for a line to be taken
	byePatience   = 5 * time.Second  // to end by itself after bye
	termPatience  = 2 * time.Second  // to end after its input was closed and its group got TERM
	killPatience  = 5 * time.Second  // to be gone after KILL
	endPatience   = time.Second      // to end by itself where it takes nothing more
	drainPatience = time.Second      // to read what was written before the end
	longestLine   = 64 << 20
	mostOutput    = 1 << 30
)

// process is a driver in a process of its own: lines go in, lines come out.
type process struct {
	cmd   *exec.Cmd
	stdin *os.File
	said  output // its standard error
	lines lines
	// ended is closed when the process has ended and all that it wrote has been read; how is set before.
	ended chan struct{}
	how   string
	left  bool // processes of its group outlived it; set with how
	watch *Watch
	waits [3]time.Duration // for each step of stop

	writing sync.Mutex
	stuck   bool // a line was not taken; the lock is writing's

	killing sync.Once
	mu      sync.Mutex
	killed  string // why it was killed, where it was
}

// startProcess starts a driver. Each line that it writes is handed to line, one after the other, without its end; no
// line follows once ended is closed. The caller stops the process.
func startProcess(ctx context.Context, program string, words, env []string, dir string, line func([]byte)) (*process, error) {
	p := &process{ended: make(chan struct{}), waits: [3]time.Duration{byePatience, termPatience, killPatience}}
	p.lines = lines{each: line, tooMuch: p.kill}
	p.cmd = shell(context.WithoutCancel(ctx), program, words) // it outlives the call that starts it; stop ends it
	p.cmd.Dir, p.cmd.Env = dir, env
	p.cmd.Stdout, p.cmd.Stderr, p.cmd.WaitDelay = &p.lines, &p.said, drainPatience
	in, out, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make the driver's standard input: %w", err)
	}
	p.cmd.Stdin, p.stdin = in, out
	err = p.cmd.Start()
	_ = in.Close()
	if err != nil {
		_ = out.Close()
		return nil, fmt.Errorf("the driver could not be started: %w", err)
	}
	go p.wait() // ends with the process, drainPatience later at most
	return p, nil
}

// wait reads the process to its end. Nothing of its group is left then.
func (p *process) wait() {
	err := p.cmd.Wait()
	p.left = lingers(p.cmd.Process.Pid)
	killGroup(p.cmd.Process.Pid)
	_ = p.stdin.Close()
	exit, name := endedBy(p.cmd.ProcessState)
	p.mu.Lock()
	switch {
	case p.killed != "":
		p.how = "the driver was ended: " + p.killed
	case name != "":
		p.how = "the driver was ended by the signal " + name
	case err != nil && p.cmd.ProcessState == nil:
		p.how = "the driver could not be waited for: " + err.Error()
	default:
		p.how = fmt.Sprintf("the driver ended with exit status %d", exit)
	}
	p.mu.Unlock()
	close(p.ended)
}

// write hands a line over, and tells how many bytes of it were taken. The error says that the process does not take it
// all; one that is stuck is ended then.
func (p *process) write(line []byte) (taken int, err error) {
	p.writing.Lock()
	defer p.writing.Unlock()
	if p.stuck {
		return 0, errors.New("the driver reads nothing")
	}
	p.watch.sent(line)
	_ = p.stdin.SetWriteDeadline(time.Now().Add(writePatience)) // a pipe that cannot have one is a file, which never blocks
	taken, err = p.stdin.Write(line)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		p.stuck = true
		p.kill(fmt.Sprintf("it did not take a line within %s; a driver reads its standard input at all times", writePatience))
	}
	return taken, err
}

// endsWithin tells whether the process ends by itself before a time has gone by.
func (p *process) endsWithin(d time.Duration) bool {
	soon := time.NewTimer(d)
	defer soon.Stop()
	select {
	case <-p.ended:
		return true
	case <-soon.C:
		return false
	}
}

// kill ends the process and its group, and keeps why. The number of one that has ended may be another's by now.
func (p *process) kill(why string) {
	select {
	case <-p.ended:
		return
	default:
	}
	p.killing.Do(func() {
		p.mu.Lock()
		p.killed = why
		p.mu.Unlock()
		killGroup(p.cmd.Process.Pid)
	})
}

// stop ends the process in the way that the protocol has: by word; by the end of its input and TERM to its group; by KILL.
// It returns what it took, as Ending has it.
func (p *process) stop() (by string) {
	goodbye, _ := encoded(map[string]string{"type": typeBye})
	steps := []struct {
		by string
		do func()
	}{
		{"bye", func() { _, _ = p.write(goodbye) }},
		{"TERM", func() {
			_ = p.stdin.Close()
			termGroup(p.cmd.Process.Pid)
		}},
		{"KILL", func() { killGroup(p.cmd.Process.Pid) }},
	}
	for i, step := range steps {
		select {
		case <-p.ended:
			return by
		default:
		}
		by = step.by
		step.do()
		timer := time.NewTimer(p.waits[i])
		select {
		case <-p.ended:
		case <-timer.C:
		}
		timer.Stop()
	}
	return by
}

// departure is how a process ended that was stopped.
func (p *process) departure(by string) Ending {
	select {
	case <-p.ended:
	default:
		return Ending{By: by, How: "the driver could not be ended", Failed: true, Left: true, Said: p.said.text()}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	state := p.cmd.ProcessState
	return Ending{By: by, How: p.how, Failed: state == nil || !state.Success(), Left: p.left, Said: p.said.text()}
}

// lingers tells whether processes of a group that has lost its leader go on. Those that are ending already are waited for.
func lingers(group int) bool {
	const patience, step = 200 * time.Millisecond, 5 * time.Millisecond
	for waited := time.Duration(0); groupLives(group); waited += step {
		if waited >= patience {
			return true
		}
		<-time.After(step)
	}
	return false
}

// ending says how the process ended, with the end of what it said.
func (p *process) ending() string {
	<-p.ended
	p.mu.Lock()
	defer p.mu.Unlock()
	if said := lastOf(p.said.text()); said != "" {
		return p.how + "; the end of its standard error: " + said
	}
	return p.how + "; it wrote nothing to its standard error"
}

// lastOf is the end of a text, in one line.
func lastOf(text string) string {
	const most = 600
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= most {
		return text
	}
	text = text[len(text)-most:]
	return "…" + strings.ToValidUTF8(text, "")
}

// lines splits what is written into lines.
type lines struct {
	each    func(line []byte)
	tooMuch func(why string)

	mu    sync.Mutex
	begun bytes.Buffer
	size  int64
	over  bool
}

var _ io.Writer = (*lines)(nil)

// Write implements io.Writer. It takes everything, so that nobody waits for a reader; what is too much is dropped.
func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	taken := len(b)
	l.size += int64(taken)
	for !l.over && len(b) > 0 {
		end := bytes.IndexByte(b, '\n')
		part := b
		if end >= 0 {
			part = b[:end]
		}
		switch {
		case l.size > mostOutput:
			l.exceed(fmt.Sprintf("it wrote more than %d bytes", int64(mostOutput)))
			return taken, nil
		case l.begun.Len()+len(part) > longestLine:
			l.exceed(fmt.Sprintf("it wrote a line of more than %d bytes", longestLine))
			return taken, nil
		}
		l.begun.Write(part)
		if end < 0 {
			break
		}
		b = b[end+1:]
		if line := bytes.TrimRight(l.begun.Bytes(), "\r"); len(bytes.TrimSpace(line)) > 0 {
			l.each(bytes.Clone(line))
		}
		l.begun.Reset()
	}
	return taken, nil
}

func (l *lines) exceed(why string) {
	l.over = true
	l.begun = bytes.Buffer{}
	l.tooMuch(why)
}

package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// How a mutant ended.
type end string

const (
	lives     end = "lives"     // somebody comes to it, and nobody notices
	unreached end = "unreached" // nobody comes to it
	killed    end = "killed"
	panicked  end = "panicked" // killed too: the program fell over
	endless   end = "endless"  // killed too: it came to no end
)

// fate is what became of a mutant, and who noticed.
type fate struct {
	end end
	by  string
	// proven tells that a test noticed, and not only a run that is judged otherwise.
	proven bool
}

func (f fate) killed() bool { return f.end != lives && f.end != unreached }

// silence is how long the program may say nothing: many times what the slowest piece of work takes, which is to record
// all runs.
const silence = 5 * time.Minute

// say runs a test of the program and gives each line meant for us to told, by words. It returns how the program ended.
func (b *bench) say(ctx context.Context, test string, env []string, told func(words []string)) (end end, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(ctx, b.program(), "-test.run", test, "-test.timeout", "0")
	cmd.Dir, cmd.Env = filepath.Join(b.root, b.Dir), append(os.Environ(), env...)
	out, to, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer out.Close() //nolint:errcheck // it is read only
	cmd.Stdout, cmd.Stderr = to, to
	if err := cmd.Start(); err != nil {
		return "", err
	}
	to.Close() //nolint:errcheck,gosec // the program has its own
	tooLong := time.AfterFunc(silence, stop)
	defer tooLong.Stop()
	end = panicked
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			break
		}
		tooLong.Reset(silence)
		if said, ok := strings.CutPrefix(strings.TrimSpace(line), "#mutant "); ok {
			told(strings.Fields(said))
		} else if strings.Contains(line, "mutant without end") {
			end = endless
		}
	}
	failed := cmd.Wait()
	switch {
	case failed == nil:
		end = lives
	case ctx.Err() != nil:
		end = endless
	case cmd.ProcessState.ExitCode() == 1:
		end = killed
	}
	return end, nil
}

// test is what a test comes to without a mutant.
type test struct {
	name    string
	steps   int64
	reached map[int]bool
}

// tests runs each test once without a mutant. Those that cost least come first.
func (b *bench) tests(ctx context.Context) ([]test, error) {
	var tests []test
	_, err := b.say(ctx, "^TestMutantsReached$", nil, func(words []string) {
		t := test{name: words[1], reached: map[int]bool{}}
		t.steps, _ = strconv.ParseInt(words[2], 10, 64)
		for _, word := range words[3:] {
			n, _ := strconv.Atoi(word)
			t.reached[n] = true
		}
		tests = append(tests, t)
	})
	slices.SortFunc(tests, func(a, b test) int { return cmp.Compare(a.steps, b.steps) })
	return tests, err
}

// try tries every mutant: by the tests that come to it, then on recorded runs, then by the tests that need a process.
func (b *bench) try(ctx context.Context, note func(string)) (map[int]fate, error) {
	fates := map[int]fate{}
	tests, err := b.tests(ctx)
	if err != nil {
		return nil, err
	}
	var work []string
	for _, m := range b.mutants {
		line := []string{strconv.Itoa(m.Number)}
		for _, t := range tests {
			if t.reached[m.Number] {
				line = append(line, fmt.Sprintf("%s:%d", t.name, 20*t.steps+100_000)) // the steps that it may take with a mutant
			}
		}
		fates[m.Number] = fate{end: unreached}
		if len(line) > 1 {
			work = append(work, strings.Join(line, " "))
		}
	}
	note(fmt.Sprintf("%d mutants, %d tests come to %d of them", len(b.mutants), len(tests), len(work)))
	if err := b.through(ctx, &labour{test: "TestMutantsProven", proven: true, fates: fates, note: note}, work); err != nil {
		return nil, err
	}
	if b.Corpus {
		work = b.living(fates, func(fate) bool { return true })
		note(fmt.Sprintf("%d live; now on recorded runs", len(work)))
		if err := b.through(ctx, &labour{test: "TestMutantsOnRuns", fates: fates, note: note}, work); err != nil {
			return nil, err
		}
	}
	return fates, b.inProcesses(ctx, fates, note)
}

// living lists the mutants that live and fit.
func (b *bench) living(fates map[int]fate, fits func(fate) bool) []string {
	var work []string
	for _, m := range b.mutants {
		if f := fates[m.Number]; !f.killed() && fits(f) {
			work = append(work, strconv.Itoa(m.Number))
		}
	}
	return work
}

// progress is after how many mutants somebody who waits is told.
const progress = 500

// labour is the trying of mutants by several processes at once.
type labour struct {
	test   string // of the program
	proven bool   // what it notices is proven
	total  int

	mu    sync.Mutex
	fates map[int]fate
	done  int
	note  func(string)
}

// tried notes what became of a mutant. That no run comes to it does not take back that a test does.
func (l *labour) tried(n int, f fate) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if f.end != unreached {
		l.fates[n] = f
	}
	l.done++
	if l.done%progress == 0 {
		l.note(fmt.Sprintf("%d of %d tried", l.done, l.total))
	}
}

// through has the program do the lines of work, each of which begins with the number of a mutant, in as many processes
// as there are processors. It returns when all have ended.
func (b *bench) through(ctx context.Context, l *labour, work []string) error {
	l.total = len(work)
	return shared(work, func(worker int, share []string) error {
		return b.share(ctx, l, filepath.Join(b.work, fmt.Sprintf("work%d", worker)), share)
	})
}

// share does a part of the work. A mutant with which the program falls over is dead, and another process goes on behind it.
func (b *bench) share(ctx context.Context, l *labour, list string, work []string) error {
	for at := 0; at < len(work); {
		if err := os.WriteFile(list, []byte(strings.Join(work[at:], "\n")), 0o600); err != nil {
			return err
		}
		begun := 0 // the mutant being tried
		ended, err := b.say(ctx, "^"+l.test+"$", []string{"MUTANT_WORK=" + list}, func(words []string) {
			n, _ := strconv.Atoi(words[1])
			if words[0] == "begin" {
				begun = n
				return
			}
			begun = 0
			at++
			l.tried(n, fate{end(words[0]), strings.Join(words[2:], " "), l.proven})
		})
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case begun != 0:
			l.tried(begun, fate{ended, "", l.proven})
			at++
		case at < len(work):
			return fmt.Errorf("%s ended as %s with %d of %d mutants tried: run the tests of ./%s", l.test, ended, at, len(work), b.Dir)
		}
	}
	return nil
}

// inProcesses runs the tests that need a process, for each mutant that nobody came to until one of them notices.
func (b *bench) inProcesses(ctx context.Context, fates map[int]fate, note func(string)) error {
	for _, test := range b.Processes {
		work := b.living(fates, func(f fate) bool { return f.end == unreached })
		note(fmt.Sprintf("%d have not been reached; now %s in a process for each", len(work), test))
		l := &labour{test: test, proven: true, total: len(work), fates: fates, note: note}
		err := shared(work, func(_ int, numbers []string) error {
			for _, number := range numbers {
				n, _ := strconv.Atoi(number)
				ended, err := b.say(ctx, "^"+test+"$", []string{"MUTANT=" + number}, func([]string) {})
				if err != nil || ctx.Err() != nil {
					return cmp.Or(err, ctx.Err())
				}
				if ended != lives {
					l.tried(n, fate{ended, test, true})
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// shared deals work out to as many workers as there are processors, and returns when all have ended.
func shared(work []string, do func(worker int, share []string) error) error {
	shares := make([][]string, runtime.GOMAXPROCS(0))
	for i, line := range work {
		shares[i%len(shares)] = append(shares[i%len(shares)], line)
	}
	problems := make([]error, len(shares))
	var workers sync.WaitGroup
	for i, share := range shares {
		workers.Go(func() { problems[i] = do(i, share) })
	}
	workers.Wait()
	return errors.Join(problems...)
}

package runner

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// Limits of what the text of an end shows, so that it stays readable.
const (
	shownGoroutines = 8
	shownFrames     = 5
)

// goroutine is what a stack dump says about one goroutine.
type goroutine struct {
	state   string
	durable bool // waits for something inside its bubble, so that time may move on
	frames  []string
}

// String leaves out all numbers that differ from one process to the next.
func (g goroutine) String() string {
	return fmt.Sprintf("[%s] %s", g.state, strings.Join(g.frames, " < "))
}

// bubbled reads the goroutines of one bubble, without those that hold the bubble
// itself, from a dump of all stacks.
func bubbled(bubble int64) []goroutine {
	mark := fmt.Sprintf(", synctest bubble %d]", bubble)
	var found []goroutine
	for block := range strings.SplitSeq(allStacks(), "\n\n") {
		header, stack, _ := strings.Cut(block, "\n")
		before, _, ours := strings.Cut(header, mark)
		if !ours || strings.Contains(stack, "\ntesting.tRunner(") || strings.Contains(stack, "testing/synctest.Test(") ||
			strings.Contains(stack, "testing/synctest.testingSynctestTest(") {
			continue
		}
		_, state, _ := strings.Cut(before, "[")
		state, durable := strings.CutSuffix(state, " (durable)")
		found = append(found, goroutine{state, durable, frames(stack)})
	}
	return found
}

// frames reads the frames of one stack of a dump, the innermost first.
func frames(stack string) []string {
	var shown []string
	lines := strings.Split(stack, "\n")
	for i := 0; i+1 < len(lines) && len(shown) < shownFrames; i += 2 {
		name, place := lines[i], strings.TrimSpace(lines[i+1])
		if strings.HasPrefix(name, "created by ") {
			break
		}
		if arguments := strings.LastIndexByte(name, '('); arguments > 0 {
			name = name[:arguments]
		}
		if machinery(name) {
			continue
		}
		place, _, _ = strings.Cut(place, " ")
		shown = append(shown, name+" ("+filepath.Base(place)+")")
	}
	return shown
}

// panicFrames gives the first frames of the code that panicked. It is called by
// the function that recovers.
func panicFrames() string {
	var pcs [64]uintptr
	stack := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	var text strings.Builder
	past := false // the frames above gopanic are those of recovering
	for shown := 0; shown < shownFrames; {
		frame, more := stack.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			past = true
		case strings.HasSuffix(frame.Function, ".(*bubble).guard"):
			return text.String()
		case past && !machinery(frame.Function):
			fmt.Fprintf(&text, "%s (%s:%d)\n", frame.Function, filepath.Base(frame.File), frame.Line)
			shown++
		}
		if !more {
			break
		}
	}
	return text.String()
}

// machinery tells a function of the runtime, which says nothing about a subject.
func machinery(function string) bool {
	return strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "internal/") ||
		strings.HasSuffix(function, ".(*bubble).guard") || strings.Contains(function, ".(*bubble).main.")
}

// list writes goroutines in a fixed order, equal ones once.
func list(all []goroutine) string {
	slices.SortFunc(all, func(a, b goroutine) int { return cmp.Compare(a.String(), b.String()) })
	var lines []string
	for i := 0; i < len(all); {
		line, same := all[i].String(), 1
		for i+same < len(all) && all[i+same].String() == line {
			same++
		}
		if same > 1 {
			line = fmt.Sprintf("%d × %s", same, line)
		}
		lines, i = append(lines, line), i+same
	}
	if more := len(lines) - shownGoroutines; more > 0 {
		lines = append(lines[:shownGoroutines], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// currentBubble reads the number of the caller's bubble where alone Go tells it:
// "goroutine 7 [running, synctest bubble 3]:".
func currentBubble() int64 {
	var buf [128]byte
	header, _, _ := strings.Cut(string(buf[:runtime.Stack(buf[:], false)]), "]")
	_, number, _ := strings.Cut(header, "synctest bubble ")
	id, _ := strconv.ParseInt(number, 10, 64) // without it the texts lack stacks; how the bubble ended is known all the same
	return id
}

// allStacks dumps all stacks, whatever room they take, up to 64 MiB.
func allStacks() string {
	for size := 1 << 20; ; size *= 2 {
		buf := make([]byte, size)
		if n := runtime.Stack(buf, true); n < size || size >= 64<<20 {
			return string(buf[:n])
		}
	}
}

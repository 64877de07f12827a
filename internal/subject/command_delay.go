package subject

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// endPhase is for how long before the end of a command it counts how long the machine kept it waiting. What a command
// does when its time is over, noticing it, saying so and ending, is over in less.
const endPhase = 10 * time.Second

// delaySample is how long a process had been kept waiting by a moment.
type delaySample struct {
	at     time.Time
	waited time.Duration
}

// delayEvery is how often a process is asked.
const delayEvery = 20 * time.Millisecond

// followDelay looks at a process until done is closed, and returns how long it was ready to run in its last phase while
// the machine was busy with others: what is late by no more than that is not late by its own doing.
func followDelay(pid int, done <-chan struct{}) time.Duration {
	ticker := time.NewTicker(delayEvery)
	defer ticker.Stop()
	var samples []delaySample
	for {
		waited, ok := waitedOf(pid)
		if ok {
			samples = append(samples, delaySample{time.Now(), waited})
		}
		select {
		case <-done:
			return delayAtTheEnd(samples, time.Now())
		case <-ticker.C:
		}
	}
}

// delayAtTheEnd is what the samples of a process say of its last phase before its end.
func delayAtTheEnd(samples []delaySample, end time.Time) time.Duration {
	if len(samples) == 0 {
		return 0
	}
	first := samples[0]
	for _, s := range samples {
		if end.Sub(s.at) < endPhase {
			break
		}
		first = s
	}
	return max(0, samples[len(samples)-1].waited-first.waited)
}

// waitedOf is how long the first thread of a process was ready to run and did not, as Linux tells it.
func waitedOf(pid int) (time.Duration, bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/schedstat")
	if err != nil {
		return 0, false
	}
	return readSchedstat(string(text))
}

// readSchedstat reads the second of the three numbers, which counts nanoseconds.
func readSchedstat(text string) (time.Duration, bool) {
	fields := strings.Fields(text)
	if len(fields) != 3 {
		return 0, false
	}
	n, err := strconv.ParseInt(fields[1], 10, 64)
	return time.Duration(n), err == nil && n >= 0
}

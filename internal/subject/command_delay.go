package subject

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// delaySample is how long a process had been kept waiting by a moment.
type delaySample struct {
	at     time.Time
	waited time.Duration
}

// delayEvery is how often a process is asked.
const delayEvery = 20 * time.Millisecond

// delays are the samples of a process, in the order of time.
type delays []delaySample

// followDelay looks at a process until done is closed.
func followDelay(pid int, done <-chan struct{}) delays {
	ticker := time.NewTicker(delayEvery)
	defer ticker.Stop()
	var samples delays
	for {
		if waited, ok := waitedOf(pid); ok {
			samples = append(samples, delaySample{time.Now(), waited})
		}
		select {
		case <-done:
			return samples
		case <-ticker.C:
		}
	}
}

// since is how long the process was ready to run from a moment to its end while the machine was busy with others: what is
// late by no more than that is not late by its own doing.
func (d delays) since(moment time.Time) time.Duration {
	if len(d) == 0 {
		return 0
	}
	first := d[0]
	for _, s := range d {
		if s.at.After(moment) {
			break
		}
		first = s
	}
	return max(0, d[len(d)-1].waited-first.waited)
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

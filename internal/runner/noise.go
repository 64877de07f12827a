package runner

import (
	"io"
	"net"
	"slices"
	"sync"
	"time"
)

const (
	// probeEvery is how long the timer of a probe is.
	probeEvery = 10 * time.Millisecond
	// leastNoise is what is always granted: a quiet moment says little about the next.
	leastNoise = 5 * time.Millisecond
	// firstProbes are made before the first run.
	firstProbes = 5
	// keptProbes is how many probes are kept, some minutes of them: no run takes longer.
	keptProbes = 1 << 15
)

// noise measures, all through a session, by how much this machine is late: a probe waits for a timer, sends a byte over
// loopback and reads it again, which is what clients and servers do.
type noise struct {
	stop  chan struct{}
	tasks sync.WaitGroup
	near  net.Conn
	far   net.Conn

	mu     sync.Mutex
	began  time.Time // of the probe that is under way
	probes []probe   // in the order of time
}

// probe is a moment and by how much the machine was late then.
type probe struct {
	at   time.Time
	late time.Duration
}

// listenForNoise starts to measure and returns after the first measures. close ends it.
func listenForNoise() (*noise, error) {
	l, err := net.Listen("tcp", loopback) //nolint:noctx // binding a port of this machine waits for nobody
	if err != nil {
		return nil, err
	}
	defer func() { _ = l.Close() }()
	near, err := net.Dial("tcp", l.Addr().String()) //nolint:noctx // the listener is there: the system connects at once
	if err != nil {
		return nil, err
	}
	far, err := l.Accept()
	if err != nil {
		_ = near.Close()
		return nil, err
	}
	n := &noise{stop: make(chan struct{}), near: near, far: far}
	n.tasks.Go(n.echo) // ends when its connection is closed
	for range firstProbes {
		n.probe()
	}
	n.tasks.Go(n.measure) // ends when stop is closed
	return n, nil
}

// echo sends back what comes.
func (n *noise) echo() {
	_, _ = io.Copy(n.far, n.far) // ends with the connection, which is no error
}

// measure makes one probe after the other.
func (n *noise) measure() {
	for {
		select {
		case <-n.stop:
			return
		default:
			n.probe()
		}
	}
}

// probe is late by what it takes beyond its timer.
func (n *noise) probe() {
	n.mu.Lock()
	n.began = time.Now()
	began := n.began
	n.mu.Unlock()
	<-time.After(probeEvery)
	var b [1]byte
	if _, err := n.near.Write(b[:]); err != nil {
		return // it is being closed
	}
	if _, err := io.ReadFull(n.near, b[:]); err != nil {
		return
	}
	now := time.Now()
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.probes) == keptProbes {
		n.probes = slices.Delete(n.probes, 0, keptProbes/2)
	}
	n.probes = append(n.probes, probe{now, now.Sub(began) - probeEvery})
}

// since is by how much the machine may have been late since a moment: twice the worst that was measured, for a client
// may have been held up where the probe was not.
func (n *noise) since(moment time.Time) time.Duration {
	n.mu.Lock()
	defer n.mu.Unlock()
	most := max(leastNoise, time.Since(n.began)-probeEvery)
	for _, p := range slices.Backward(n.probes) {
		if p.at.Before(moment) {
			break
		}
		most = max(most, p.late)
	}
	return 2 * most
}

func (n *noise) close() {
	close(n.stop)
	_ = n.near.Close()
	_ = n.far.Close()
	n.tasks.Wait()
}

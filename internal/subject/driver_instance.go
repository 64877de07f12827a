package subject

import (
	"context"
	"fmt"
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// driverInstance is a driver in one run.
type driverInstance struct {
	driver   *Driver
	name     string
	breaches []Breach // the lock is the driver's
}

// Do implements Instance. It returns when the driver answers or ends; a driver that claims cancel is told when the
// caller gives up.
func (i *driverInstance) Do(ctx context.Context, call Call) Answer {
	d := i.driver
	line, heldUp, err := d.running()
	if err != nil {
		return crashed(err)
	}
	id := fmt.Sprintf("c%d", d.calls.Add(1))
	message, err := messageOf(id, i.name+"."+call.Client, call)
	if err != nil {
		return crashed(err)
	}
	waiting := &pending{of: i, line: line, answer: make(chan Answer, 1)}
	d.mu.Lock()
	d.open[id], d.known[id] = waiting, i
	d.mu.Unlock()
	unread := false
	if taken, err := line.write(message); err != nil {
		unread = line.endsWithin(endPatience) && taken == 0 // it was ending already
		line.kill("it does not take what is written to it: " + err.Error())
		<-line.ended
		d.died(line) // it may have been told before the call was open
	}
	select {
	case a := <-waiting.answer:
		a.Disturbed = a.Disturbed || unread || heldUp && a.Kind != evidence.OutcomeCrash
		return a
	case <-ctx.Done():
	}
	if slices.Contains(d.about.Capabilities, "cancel") {
		if text, err := encoded(map[string]string{"type": typeCancel, "id": id}); err == nil {
			_, _ = line.write(text) // a process that has ended needs no word
		}
	}
	return <-waiting.answer // comes at the latest when the session ends the process
}

// Breaches implements Breaching.
func (i *driverInstance) Breaches() []Breach {
	i.driver.mu.Lock()
	defer i.driver.mu.Unlock()
	found := i.breaches
	i.breaches = nil
	return found
}

// Close implements Instance.
func (i *driverInstance) Close() error {
	i.driver.mu.Lock()
	defer i.driver.mu.Unlock()
	i.driver.at = slices.DeleteFunc(i.driver.at, func(o *driverInstance) bool { return o == i })
	return nil
}

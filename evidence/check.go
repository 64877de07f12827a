package evidence

import "fmt"

// checkRun lists what in a run refers to something that is not there, and the times that are missing of what is. The
// rules rely on both.
func checkRun(run *Run) []string {
	c := checker{run: run}
	if run.ID == "" {
		c.notef("/id: is empty")
	}
	c.known = map[string]bool{}
	for i, e := range run.Endpoints {
		if c.known[e.Name] {
			c.notef("/endpoints/%d: endpoint %q occurs twice", i, e.Name)
		}
		c.known[e.Name] = true
	}
	for i := range run.Calls {
		if run.Calls[i].Number != i+1 {
			c.notef("/calls/%d/number: is %d, want %d", i, run.Calls[i].Number, i+1)
		}
	}
	for i := range run.Connections {
		if run.Connections[i].Number != i+1 {
			c.notef("/connections/%d/number: is %d, want %d", i, run.Connections[i].Number, i+1)
		}
		c.endpoint(fmt.Sprintf("/connections/%d", i), run.Connections[i].Endpoint)
	}
	for i := range run.Exchanges {
		c.exchange(i)
	}
	return c.problems
}

type checker struct {
	run      *Run
	known    map[string]bool
	problems []string
}

func (c *checker) notef(format string, args ...any) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, fmt.Sprintf(format, args...))
	}
}

func (c *checker) endpoint(place, name string) {
	if !c.known[name] {
		c.notef("%s/endpoint: there is no endpoint %q", place, name)
	}
}

func (c *checker) exchange(i int) {
	x := &c.run.Exchanges[i]
	place := fmt.Sprintf("/exchanges/%d", i)
	if x.Seq != i+1 {
		c.notef("%s/seq: is %d, want %d", place, x.Seq, i+1)
	}
	for _, number := range x.Calls {
		if number < 1 || number > len(c.run.Calls) {
			c.notef("%s/calls: there is no call %d", place, number)
		}
	}
	if x.Connection < 0 || x.Connection > len(c.run.Connections) {
		c.notef("%s/connection: there is no connection %d", place, x.Connection)
	}
	c.endpoint(place, x.Endpoint)
	c.times(place, x)
	for _, b := range bodiesOf(x) {
		if b.SHA256 != "" && !isHash(b.SHA256) {
			c.notef("%s: %q is no SHA-256 of a body", place, b.SHA256)
		}
	}
}

// times notes what of an answer was recorded without when.
func (c *checker) times(place string, x *Exchange) {
	status, complete := 0, false
	if x.Response != nil {
		status, complete = x.Response.Status, x.Response.Complete
	}
	for _, t := range []struct {
		name     string
		from, by *Offset
		needed   bool
	}{
		{"head", x.HeadFrom, x.HeadBy, status != 0},
		{"last", x.LastFrom, x.LastBy, complete},
	} {
		if (t.from == nil) != (t.by == nil) || t.needed && t.by == nil {
			c.notef("%s: want the times %s_from and %s_by of its answer", place, t.name, t.name)
		}
	}
}

package evidence

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What lies between the end of a driver's call and the arrival of its line makes the start that is reckoned from its
// measure late. The first request of the call is not lost by that.
func TestACallBeginsNotAfterItsFirstRequest(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		elapsed, want Offset
		opened        []Offset // of the connection of its first request
	}{
		"the line came at once":               {elapsed: 9, want: 1},
		"the line came late":                  {elapsed: 5, want: 2},
		"longer than it was open":             {elapsed: 50, want: 1},
		"late, on a connection of its own":    {elapsed: 5, want: 1, opened: []Offset{1}},
		"late, on a connection that was kept": {elapsed: 5, want: 2, opened: []Offset{0}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &scene{r: NewRecorder(name, ClockReal, timeZero(), Tolerance{}, nil)}
			number := s.r.StartCall(Call{Client: "k1", Session: sessionA, Op: CallSend, Started: 1})
			for _, opened := range tt.opened {
				s.r.addConnection(Connection{Endpoint: "platform", Opened: &opened})
			}
			s.resolve().x.Connection = len(tt.opened) // at 2
			s.r.EndCall(number, 10, &tt.elapsed, Outcome{Kind: OutcomeMessage}, nil)
			run := s.r.Close(End{How: EndSettled}, 10)
			if diff := cmp.Diff(tt.want, run.Calls[0].Started); diff != "" {
				t.Errorf("the start:\n%s", diff)
			}
			if diff := cmp.Diff([]int{number}, run.Exchanges[0].Calls); diff != "" {
				t.Errorf("whose the resolve is:\n%s", diff)
			}
		})
	}
}

package evidence

import "testing"

func TestWhoEndedTheExchangeClosedTheConnection(t *testing.T) {
	t.Parallel()
	at, later := Offset(5), Offset(6)
	for _, test := range []struct {
		name   string
		by     EndedBy
		closed Offset
		was    string
		want   string
	}{
		{"an answer went out and both closed", EndedByServer, at, "client", "server"},
		{"the script cut it", EndedByCut, at, "client", "server"},
		{"the client hung up", EndedByClient, at, "server", "client"},
		{"the client closed later", EndedByServer, later, "client", "client"},
		{"the run ended it", EndedByRun, at, "run", "run"},
	} {
		run := Run{
			Exchanges:   []Exchange{{Seq: 1, Connection: 1, Ended: &at, EndedBy: test.by}},
			Connections: []Connection{{Number: 1, Closed: &test.closed, ClosedBy: test.was}, {Number: 2, ClosedBy: ""}},
		}
		settleClosers(&run)
		if got := run.Connections[0].ClosedBy; got != test.want {
			t.Errorf("%s: closed by %q, want %q", test.name, got, test.want)
		}
	}
}

package suites

import "github.com/a2a-conform/a2a-conform/evidence"

// AnswerWords says in a few words what a server answered, as the time-line of a finding does. Of an exchange that goes on
// it says that there is no answer.
func AnswerWords(x *evidence.Exchange) string { return (&Exchange{Exchange: x}).answerWords() }

// CallWords says in a few words what a client is asked for, as the time-line of a finding does.
func CallWords(c *evidence.Call) string { return callWords(&Call{Call: c}) }

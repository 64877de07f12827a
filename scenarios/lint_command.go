package scenarios

import (
	"path"
	"slices"
	"strings"
)

// commandNeed is the capability that only commands have.
const commandNeed = "command"

// ofCommands are the members of a call that only a command can be given.
func ofCommands() []string { return []string{"env", "args", "signal"} }

// commands checks what is about commands alone: a file that asks for such things must need one, or other clients would
// be judged on a scenario that never happened to them.
func (l lint) commands() {
	steps := l.root.get("calls")
	if steps == nil {
		return
	}
	for _, step := range steps.items {
		for _, n := range append([]*node{step}, itemsOf(step.get("together"))...) {
			l.ofCommand(n, append(ofCommands(), "home"))
			l.environment(n.get("env"))
			l.signal(n.get("signal"))
		}
		l.home(step.get("home"))
	}
	walkTexts(steps, func(text string, at position) {
		if strings.Contains(text, printedID+"}") && !l.ofACommand() {
			l.c.addf(at, "only a command prints ids: add %s to needs, or take message_id", commandNeed)
		}
	})
}

func (l lint) ofACommand() bool { return slices.Contains(l.made.Needs, commandNeed) }

func itemsOf(n *node) []*node {
	if n == nil {
		return nil
	}
	return n.items
}

func (l lint) ofCommand(n *node, members []string) {
	for _, member := range members {
		if n.get(member) != nil && !l.ofACommand() {
			l.c.addf(n.keyPlace(member), "%s is for commands alone: add %s to needs", member, commandNeed)
		}
	}
}

// environment checks that each variable has a name.
func (l lint) environment(n *node) {
	for _, item := range itemsOf(n) {
		name, _, found := strings.Cut(item.text, "=")
		if item.is(textNode) && (!found || strings.Trim(name, variableLetters) != "" || name == "") {
			l.c.addf(item.at, "want NAME=VALUE, here %s", item.show())
		}
	}
}

// variableLetters are what the name of a variable is made of.
const variableLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

// signal checks that a signal has a moment, and one after the command has begun to work.
func (l lint) signal(n *node) {
	if n == nil {
		return
	}
	if n.get("after") == nil && n.get("delay") == nil {
		l.c.addf(n.at, "when is the signal sent? Want after, delay or both")
	}
	after := n.get("after")
	if !after.is(textNode) {
		return
	}
	if op, _, _ := strings.Cut(after.text, "#"); !slices.Contains(ops(), op) {
		l.c.addf(after.at, "unknown operation %q%s", shorten(op, 40), guess(op, ops()))
	}
}

// home checks where a file is put, and that the home is one that a call has.
func (l lint) home(n *node) {
	if n == nil {
		return
	}
	l.named(n.get("client"), "client", allCalls(l.made.Calls), func(c Call) string { return c.Client })
	if at := n.get("put").get("path"); at.is(textNode) && !localPath(at.text) {
		l.c.addf(at.at, "want a path below the home, without a slash at its beginning and without .., here %s", at.show())
	}
}

func localPath(name string) bool {
	clean := path.Clean(name)
	return name == clean && !path.IsAbs(name) && name != "." && name != ".." && !strings.HasPrefix(name, "../")
}

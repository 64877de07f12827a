package scenarios

import (
	"regexp"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// check adds every problem of a file: first what its schema says and what concerns the file as a whole, then what shows in its cases, on both
// clocks.
func check(root *node, name string, s *schema, o Options, c *collector) {
	s.check(root, c)
	c.next()
	checkNames(root, c)
	checkFile(root, name, o, c)
	checkVariables(root, c)
	for _, clock := range []evidence.Clock{evidence.ClockVirtual, evidence.ClockReal} {
		for _, v := range variants(root, stem(name), clock) {
			if c.full() {
				return
			}
			c.next()
			checkCase(root, v, clock, s, c)
		}
	}
}

func checkCase(root *node, v variant, clock evidence.Clock, s *schema, c *collector) {
	filled := fill(root, v.values, c)
	held := newCollector(c.file)
	l := lint{c: c, clock: clock, values: v.values, root: filled, made: decoder{held}.decodeCase(filled, v.id, clock)}
	l.references()
	if len(v.values) > 0 && (clock == evidence.ClockVirtual || root.get("real") != nil) {
		s.check(filled, c) // without values of its own a case is what was checked already
	}
	c.next() // a placeholder that means nothing is no wrong duration as well
	for _, problem := range held.list {
		c.addf(position{Line: problem.Line, Col: problem.Col}, "%s", problem.Text)
	}
	l.calls()
	l.commands()
	l.steps()
	l.expectations()
	l.budgets()
	l.slowness()
}

// lint checks one case: the tree with its places, and what was made of it.
type lint struct {
	c     *collector
	clock evidence.Clock
	// values are what the file's own placeholders stand for.
	values map[string]*node
	root   *node
	made   Case
}

var (
	nameForm     = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)
	variableForm = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
)

// checkNames holds the names that a file makes up to their form. The schema says the same; the validator mixes up the
// places of such errors.
func checkNames(root *node, c *collector) {
	for _, m := range membersOf(root.get("endpoints")) {
		if !nameForm.MatchString(m.key) {
			c.addf(m.keyAt, "want a name of small letters, digits, hyphens and underscores that begins with a letter, here %q", shorten(m.key, 40))
		}
	}
	for _, variables := range []*node{root.get("vars"), root.get("real").get("vars"), root.get("each")} {
		for _, m := range membersOf(variables) {
			if !variableForm.MatchString(m.key) {
				c.addf(m.keyAt, "want a name of small letters, digits and underscores that begins with a letter, here %q", shorten(m.key, 40))
			}
		}
	}
}

func membersOf(n *node) []member {
	if n == nil {
		return nil
	}
	return n.members
}

func checkFile(root *node, name string, o Options, c *collector) {
	if scenario := root.get("scenario"); scenario.is(textNode) && scenario.text != stem(name) {
		c.addf(scenario.at, "the scenario is called %q and its file %q: the two must be the same", shorten(scenario.text, 40), stem(name))
	}
	covers := root.get("covers")
	if len(o.KnownRules) == 0 || covers == nil {
		return
	}
	for _, rule := range covers.items {
		if rule.kind == textNode && !slices.Contains(o.KnownRules, rule.text) {
			c.addf(rule.at, "unknown rule %q%s", shorten(rule.text, 40), didYouMean(rule.text, o.KnownRules))
		}
	}
}

// checkVariables looks at vars, real.vars and each: what they define, and whether it is used.
func checkVariables(root *node, c *collector) {
	vars, each := root.get("vars"), root.get("each")
	for _, m := range membersOf(root.get("real").get("vars")) {
		if vars.get(m.key) == nil {
			c.addf(m.keyAt, "real.vars changes %q, which is not in vars%s", m.key, didYouMean(m.key, vars.keys()))
		}
	}
	used := usedPlaceholders(root)
	for _, m := range append(slices.Clone(membersOf(vars)), membersOf(each)...) {
		switch {
		case m.key == absentName:
			c.addf(m.keyAt, "%q is a name that placeholders have already: take another", m.key)
		case !used[m.key]:
			c.addf(m.keyAt, "%s is not used anywhere%s", m.key, almostUsed(m.key, used))
		}
	}
	for _, m := range membersOf(each) {
		if vars.get(m.key) != nil {
			c.addf(m.keyAt, "%s is in vars and in each", m.key)
		}
		for i, item := range m.value.items {
			if slices.IndexFunc(m.value.items, item.equal) < i {
				c.addf(item.at, "%s is in the list twice", item.show())
			}
		}
	}
	product := 1
	for _, m := range membersOf(each) {
		if product *= max(len(m.value.items), 1); product > maxCases {
			c.addf(root.keyPlace("each"), "each makes more than %d cases: split the scenario", maxCases)
			return
		}
	}
}

func almostUsed(name string, used map[string]bool) string {
	for _, other := range sortedKeys(used) {
		if meant := didYouMean(other, []string{name}); meant != "" {
			return "; ${" + other + "} is"
		}
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// usedPlaceholders are the names of all placeholders outside of the variables themselves.
func usedPlaceholders(root *node) map[string]bool {
	used := map[string]bool{}
	note := func(text string, _ position) {
		for _, placeholder := range placeholderForm.FindAllStringSubmatch(text, -1) {
			used[placeholder[1]] = true
		}
	}
	for _, m := range root.members {
		if !slices.Contains([]string{"scenario", "vars", "real", "each"}, m.key) {
			walkTexts(m.value, note)
		}
	}
	return used
}

// walkTexts visits every text and every name of a member below a node.
func walkTexts(n *node, visit func(text string, at position)) {
	if n.kind == textNode {
		visit(n.text, n.at)
	}
	for _, item := range n.items {
		walkTexts(item, visit)
	}
	for _, m := range n.members {
		if strings.Contains(m.key, "${") {
			visit(m.key, m.keyAt)
		}
		walkTexts(m.value, visit)
	}
}

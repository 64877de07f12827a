package scenarios

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

//go:embed schema.json
var schemaText string

// Schema returns the JSON Schema (2020-12) of scenario files.
func Schema() []byte { return []byte(schemaText) }

// schema checks files against schema.json and words what it finds for a reader: the titles in the schema say what is
// wanted, so that a message never shows a pattern.
type schema struct {
	compiled *jsonschema.Schema
	text     any
}

func newSchema() (*schema, error) {
	text, err := jsonschema.UnmarshalJSON(strings.NewReader(schemaText))
	if err != nil {
		return nil, fmt.Errorf("read the schema of scenarios: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", text); err != nil {
		return nil, fmt.Errorf("add the schema of scenarios: %w", err)
	}
	compiled, err := compiler.Compile("schema.json")
	if err != nil {
		return nil, fmt.Errorf("compile the schema of scenarios: %w", err)
	}
	return &schema{compiled: compiled, text: text}, nil
}

// check adds what the schema says against a file.
func (s *schema) check(root *node, c *collector) {
	var found *jsonschema.ValidationError
	if err := s.compiled.Validate(root.value()); !errors.As(err, &found) {
		return
	}
	w := wording{schema: s, root: root, c: c, unknown: map[string][]string{}}
	var faults []*jsonschema.ValidationError
	flatten(found, &faults)
	for _, fault := range faults {
		if more, ok := fault.ErrorKind.(*kind.AdditionalProperties); ok {
			w.unknownMembers(fault, more.Properties)
		}
	}
	for _, fault := range faults {
		if c.full() {
			return
		}
		w.fault(fault)
	}
}

// flatten collects the errors that say something themselves.
func flatten(fault *jsonschema.ValidationError, to *[]*jsonschema.ValidationError) {
	switch fault.ErrorKind.(type) {
	case *kind.OneOf, *kind.Not, *kind.PropertyNames:
	default:
		if len(fault.Causes) > 0 {
			for _, cause := range fault.Causes {
				flatten(cause, to)
			}
			return
		}
	}
	*to = append(*to, fault)
}

// wording turns the validator's errors into problems.
type wording struct {
	*schema

	root *node
	c    *collector
	// unknown has, by the place in the file, what the unknown members there seem to mean: a member that is missing only
	// because its name is misspelt is not reported twice.
	unknown map[string][]string
}

func (w wording) fault(fault *jsonschema.ValidationError) {
	n, owner := w.find(fault.InstanceLocation)
	if w.variable(n) {
		return // what it stands for is looked at in each case
	}
	switch what := fault.ErrorKind.(type) {
	case *kind.AdditionalProperties:
	case *kind.Required:
		w.missing(owner, what.Missing, w.unknown[strings.Join(fault.InstanceLocation, "/")])
	case *kind.DependentRequired:
		w.c.addf(owner, "%s needs %s beside it", what.Prop, strings.Join(what.Missing, " and "))
	case *kind.OneOf:
		w.exactlyOne(fault, n, owner)
	case *kind.Not:
		names := stringsOf(w.at(fault.SchemaURL), "not", "required")
		w.c.addf(owner, "%s exclude each other", strings.Join(names, " and "))
	case *kind.PropertyNames: // the validator mixes up their places; checkNames sees to them
	case *kind.UniqueItems:
		item := n.items[what.Duplicates[1]]
		w.c.addf(item.at, "%s is in the list twice", item.show())
	case *kind.Enum:
		w.c.addf(n.at, "want %s, here %s%s", w.title(fault), n.show(), guess(n.text, stringsOf(w.at(fault.SchemaURL), "enum")))
	case *kind.Pattern:
		w.c.addf(n.at, "want %s, here %s%s", w.title(fault), n.show(), didYouMean(n.text, words(what.Want)))
	default:
		w.c.addf(n.at, "want %s, here %s", w.title(fault), n.show())
	}
}

// variable tells whether a value is a placeholder of the file's own and nothing else.
func (w wording) variable(n *node) bool {
	if n.kind != textNode {
		return false
	}
	name, whole := wholePlaceholder(n.text)
	return whole && (name == absentName || w.root.get("vars").get(name) != nil || w.root.get("each").get(name) != nil)
}

// unknownMembers names members that the format does not have.
func (w wording) unknownMembers(fault *jsonschema.ValidationError, names []string) {
	n, _ := w.find(fault.InstanceLocation)
	known := keysOf(w.at(fault.SchemaURL), "properties")
	what := "member"
	if slices.Contains(known, "platform.resolve_access") {
		what = "operation"
	}
	for _, name := range names {
		if w.c.full() {
			return
		}
		at := n.keyPlace(name)
		meant := guess(name, known)
		w.c.addf(at, "unknown %s %q%s", what, shorten(name, 40), meant)
		key := strings.Join(fault.InstanceLocation, "/")
		w.unknown[key] = append(w.unknown[key], meant)
	}
}

func (w wording) missing(owner position, names, meant []string) {
	for _, name := range names {
		if !slices.Contains(meant, didYouMean(name, []string{name})) {
			w.c.addf(owner, "%q is missing", name)
		}
	}
}

// exactlyOne says which of the alternatives are there. An unknown member in their place has been reported already.
func (w wording) exactlyOne(fault *jsonschema.ValidationError, n *node, owner position) {
	var known, here []string
	alternatives, _ := within(w.at(fault.SchemaURL), "oneOf").([]any)
	for _, alternative := range alternatives {
		known = append(known, stringsOf(alternative, "required")...)
	}
	for _, key := range n.keys() {
		if slices.Contains(known, key) {
			here = append(here, key)
		}
	}
	switch {
	case len(here) > 0:
		w.c.addf(n.keyPlace(here[1]), "want exactly one of %s, here %s", strings.Join(known, ", "), strings.Join(here, " and "))
	case len(w.unknown[strings.Join(fault.InstanceLocation, "/")]) == 0:
		w.c.addf(owner, "want exactly one of %s, here none", strings.Join(known, ", "))
	}
}

// find walks to a value of the file; its owner is the name under which it stands, for what concerns it as a whole.
func (w wording) find(location []string) (n *node, owner position) {
	n, owner = w.root, w.root.at
	for _, step := range location {
		if n.kind == listNode {
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(n.items) {
				break
			}
			n = n.items[i]
			owner = n.at
			continue
		}
		owner = n.keyPlace(step)
		next := n.get(step)
		if next == nil {
			break
		}
		n = next
	}
	return n, owner
}

func (w wording) title(fault *jsonschema.ValidationError) string {
	title, _ := within(w.at(fault.SchemaURL), "title").(string)
	return title
}

// at is the part of the schema that an URL points to.
func (s *schema) at(url string) any {
	_, pointer, _ := strings.Cut(url, "#")
	here := s.text
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if step == "" {
			continue
		}
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		if list, ok := here.([]any); ok {
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(list) {
				return nil
			}
			here = list[i]
			continue
		}
		here = within(here, step)
	}
	return here
}

func within(value any, path ...string) any {
	for _, step := range path {
		object, _ := value.(map[string]any)
		value = object[step]
	}
	return value
}

func stringsOf(value any, path ...string) []string {
	list, _ := within(value, path...).([]any)
	var texts []string
	for _, item := range list {
		if text, ok := item.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// keysOf are the names of the members of a part of the schema, in the order of schema.json where that can be told.
func keysOf(value any, path ...string) []string {
	object, _ := within(value, path...).(map[string]any)
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

var choiceForm = regexp.MustCompile(`^\^\(?([a-z_|-]+)\)?\$`)

// words are the alternatives of a pattern that begins as ^(this|that)$ does.
func words(pattern string) []string {
	choice := choiceForm.FindStringSubmatch(pattern)
	if choice == nil {
		return nil
	}
	return strings.Split(choice[1], "|")
}

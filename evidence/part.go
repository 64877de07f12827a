package evidence

// Part is one part of a Message (contract, section 4: exactly one of text, raw, url and data).
type Part struct {
	Value *Value
	Kind  PartKind
	// Content is the value of the one member that the part has; absent for a part that is none.
	Content *Value
	// Why says what is wrong with the part; empty for a sound one.
	Why string
}

// PartKind tells what a part carries.
type PartKind string

// The kinds of part. None is an element that is no part.
const (
	PartText PartKind = "text"
	PartRaw  PartKind = "raw"
	PartURL  PartKind = "url"
	PartData PartKind = "data"
	PartNone PartKind = "none"
)

// ReadPart reads an element of parts. It never fails.
func ReadPart(v *Value) Part {
	p := Part{Value: v, Kind: PartNone}
	if v.Kind() != KindObject {
		p.Why = "is " + v.Kind().String()
		return p
	}
	for _, kind := range []PartKind{PartText, PartRaw, PartURL, PartData} {
		content := v.Member(string(kind))
		// Null is data like any other; of the other kinds it is what a client writes for "not this one".
		if content == nil || kind != PartData && content.kind == KindNull {
			continue
		}
		if p.Kind != PartNone {
			return Part{Value: v, Kind: PartNone, Why: "has both " + string(p.Kind) + " and " + string(kind)}
		}
		p.Kind, p.Content = kind, content
	}
	switch {
	case p.Kind == PartNone:
		p.Why = "has none of text, raw, url and data"
	case p.Kind != PartData && p.Content.kind != KindString:
		p.Why = "has a " + string(p.Kind) + " that is " + p.Content.Kind().String()
	}
	return p
}

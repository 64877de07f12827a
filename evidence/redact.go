package evidence

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
)

// A secret is found by grams, runs of gramSize bytes. Every stride-th gram of a text is looked up in a table of the
// grams of all needles; a hit is stretched to both sides and counts when it is long enough. A run of twelve bytes
// holds a looked-up gram wherever it begins (8 + 5 - 1 = 12), so nothing is missed, and a text costs a fifth of its
// length in look-ups however many secrets there are.
const (
	gramSize   = 8
	stride     = 5
	partLength = gramSize + stride - 1 // 12 bytes of a secret in a row give it away
)

// needle is one form of one secret as it may stand in a text.
type needle struct {
	mention Mention
	text    []byte
	// least is the length of the shortest run that counts.
	least int
}

// redactor replaces secrets. It is not safe for concurrent use; the recorder guards it.
type redactor struct {
	// gramTable holds the long needles; nil while there is none.
	*gramTable
	// short needles have no gram; they are looked for one by one.
	short []needle
}

// gramTable is what is looked up. It is large beside all else that a run records of itself, so that runs pass it on.
type gramTable struct {
	needles []needle
	table   []gram
	used    int
	// filter has a bit for each gram that may be in the table. It is small enough to stay in the processor's nearest
	// cache, and turns nearly every look-up away.
	filter [1 << (filterBits - 6)]uint64
}

// empty makes the table ready for the secrets of another run.
func (t *gramTable) empty() {
	clear(t.needles)
	clear(t.table)
	t.needles, t.used, t.filter = t.needles[:0], 0, [len(t.filter)]uint64{}
}

const filterBits = 16

// gram is a slot of the table; needle counts from 1, so that the zero slot is free.
type gram struct {
	key    uint64
	needle int32
	offset int32
}

// add makes the redactor look for a secret in all its forms.
func (r *redactor) add(name, value string) {
	whole := needle{mention: Mention{Name: name}, text: []byte(value), least: partLength}
	if len(value) <= partLength {
		r.short = append(r.short, whole)
		return
	}
	if r.gramTable == nil {
		r.gramTable = new(gramTable)
	}
	r.index(whole)
	for pad := range 3 {
		core := base64Core(value, pad)
		r.addForm(name, FormBase64, core, 16)
		if bytes.ContainsAny(core, "+/") { // else both alphabets write the same
			r.addForm(name, FormBase64, bytes.ReplaceAll(bytes.ReplaceAll(core, []byte("+"), []byte("-")), []byte("/"), []byte("_")), 16)
		}
	}
	lower := hex.AppendEncode(nil, whole.text)
	upper := bytes.ToUpper(lower)
	r.addForm(name, FormHex, lower, 2*partLength)
	r.addForm(name, FormHex, upper, 2*partLength)
	r.addForm(name, FormPercent, percentForm(lower), 3*partLength)
	r.addForm(name, FormPercent, percentForm(upper), 3*partLength)
}

func (r *redactor) addForm(name string, form Form, text []byte, least int) {
	r.index(needle{mention: Mention{Name: name, Form: form}, text: text, least: min(least, len(text))})
}

// base64Core returns what base64 makes of value where it begins at one of three places in a group of bytes, without the
// characters that its neighbours share.
func base64Core(value string, pad int) []byte {
	padded := append(make([]byte, pad, pad+len(value)), value...)
	text := base64.RawStdEncoding.AppendEncode(nil, padded)
	if len(padded)%3 != 0 {
		text = text[:len(text)-1]
	}
	return text[[...]int{0, 2, 3}[pad]:]
}

func percentForm(digits []byte) []byte {
	text := make([]byte, 0, len(digits)*3/2)
	for i := 0; i < len(digits); i += 2 {
		text = append(text, '%', digits[i], digits[i+1])
	}
	return text
}

// index enters the grams of a needle. A needle whose runs must be long meets several look-ups in each of them, so a
// part of its grams is enough.
func (r *redactor) index(n needle) {
	r.needles = append(r.needles, n)
	hits := max((n.least-gramSize+1)/stride, 1)
	for offset := 0; offset+gramSize <= len(n.text); offset++ {
		if (offset/stride)%hits == 0 {
			r.enter(gram{
				key:    binary.LittleEndian.Uint64(n.text[offset:]),
				needle: int32(len(r.needles)), //nolint:gosec // some hundred needles
				offset: int32(offset),
			})
		}
	}
}

func (r *redactor) enter(g gram) {
	if 2*(r.used+1) > len(r.table) {
		old := r.table
		r.table = make([]gram, max(2048, 2*len(old)))
		r.used = 0
		for _, o := range old {
			if o.needle != 0 {
				r.enter(o)
			}
		}
	}
	hash := spread(g.key)
	r.filter[hash>>(64-filterBits)/64] |= 1 << (hash >> (64 - filterBits) % 64)
	at := r.slot(hash)
	for r.table[at].needle != 0 {
		at = (at + 1) & (len(r.table) - 1)
	}
	r.table[at] = g
	r.used++
}

// spread makes of keys that differ in few bits numbers that differ in many, most of all in the upper ones.
func spread(key uint64) uint64 { return key * 0x9E3779B97F4A7C15 }

// slot is where the look-up of a gram begins. The table's length is a power of two.
func (r *redactor) slot(hash uint64) int { return int(hash>>24) & (len(r.table) - 1) }

// match is a run of a text that gives a secret away.
type match struct {
	start, end int
	mention    Mention
}

// bytes returns text with every secret replaced by its marker; text itself where there is none.
func (r *redactor) bytes(text []byte) []byte {
	var out []byte
	done := 0
	r.each(text, func(m match) {
		out = append(out, text[done:m.start]...)
		out = append(out, m.mention.marker()...)
		done = m.end
	})
	if done > 0 || out != nil {
		text = append(out, text[done:]...)
	}
	for _, n := range r.short {
		text = replaceShort(text, n)
	}
	return text
}

func replaceShort(text []byte, n needle) []byte {
	if len(n.text) == 0 || !bytes.Contains(text, n.text) {
		return text
	}
	return bytes.ReplaceAll(text, n.text, []byte(n.mention.marker()))
}

// text is bytes for a string. What is not UTF-8 becomes U+FFFD: the file form could not hold it, and a rule must see
// the same text before and after.
func (r *redactor) text(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(r.short) == 0 && len(s) < partLength {
		return s
	}
	text := []byte(s)
	if out := r.bytes(text); len(out) != len(s) || len(out) > 0 && &out[0] != &text[0] {
		return string(out)
	}
	return s
}

// each calls found for every match in the order of the text; no two overlap.
func (r *redactor) each(text []byte, found func(match)) {
	if r.gramTable == nil {
		return
	}
	done := 0
	for at := 0; at+gramSize <= len(text); at += stride {
		place := spread(binary.LittleEndian.Uint64(text[at:])) >> (64 - filterBits)
		if r.filter[place/64]&(1<<(place%64)) == 0 {
			continue
		}
		if m := r.longest(text, done, at); m.end > 0 {
			found(m)
			done, at = m.end, m.end-stride
		}
	}
}

// longest finds the longest run around the gram at a place, which may reach back to done.
func (r *redactor) longest(text []byte, done, at int) match {
	var best match
	key := binary.LittleEndian.Uint64(text[at:])
	for s := r.slot(spread(key)); r.table[s].needle != 0; s = (s + 1) & (len(r.table) - 1) {
		if r.table[s].key != key {
			continue
		}
		n := &r.needles[r.table[s].needle-1]
		offset := int(r.table[s].offset)
		start, end := at, at+gramSize
		for i := offset; i > 0 && start > done && text[start-1] == n.text[i-1]; i-- {
			start--
		}
		for i := offset + gramSize; i < len(n.text) && end < len(text) && text[end] == n.text[i]; i++ {
			end++
		}
		if end-start < n.least || end-start <= best.end-best.start {
			continue
		}
		best = match{start: start, end: end, mention: n.mention}
		if n.mention.Form == FormWhole && end-start < len(n.text) {
			best.mention.Form = FormPart
		}
	}
	return best
}

// names lists the secrets that stand whole in a text that was not recorded yet.
func (r *redactor) names(text []byte) []string {
	var names []string
	r.each(text, func(m match) {
		if m.mention.Form == FormWhole {
			names = append(names, m.mention.Name)
		}
	})
	for _, n := range r.short {
		if len(n.text) > 0 && bytes.Contains(text, n.text) {
			names = append(names, n.mention.Name)
		}
	}
	return names
}

// secretName makes the name of a secret that was given none: the first of each kind of platform credential has no
// number, runtime tokens always have one.
func secretName(kind SecretKind, number int) string {
	name := openMark + string(kind) + "-token"
	if kind == SecretRuntime || number != 1 {
		name += ":" + strconv.Itoa(number)
	}
	return name + closeMark
}

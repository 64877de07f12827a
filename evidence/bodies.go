package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
)

// Bodies holds large bodies once each, whichever run they belong to, and what one run after another needs for a while.
// One store serves all runs of a session; it may be used by several goroutines. The zero Bodies is ready.
type Bodies struct {
	mu     sync.Mutex
	byHash map[string][]byte
	tables *tables
}

// Next is an empty store for another session. The two have in common what one run after another needs, and no body.
func (b *Bodies) Next() *Bodies { return &Bodies{tables: b.spare()} }

// tables are empty ones of redactors, left by runs that are over.
type tables struct {
	mu   sync.Mutex
	free []*gramTable
}

func (b *Bodies) spare() *tables {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tables == nil {
		b.tables = &tables{}
	}
	return b.tables
}

// table returns an empty table of a redactor, nil where none is left.
func (b *Bodies) table() *gramTable {
	spare := b.spare()
	spare.mu.Lock()
	defer spare.mu.Unlock()
	if len(spare.free) == 0 {
		return nil
	}
	last := len(spare.free) - 1
	t := spare.free[last]
	spare.free = spare.free[:last]
	return t
}

// release takes back the table of a redactor that is not used any more.
func (b *Bodies) release(t *gramTable) {
	if t == nil {
		return
	}
	t.empty() // it says what the secrets of a run were
	spare := b.spare()
	spare.mu.Lock()
	defer spare.mu.Unlock()
	spare.free = append(spare.free, t)
}

// Keep makes a body of content that has its secrets replaced already; size is what it was on the wire. Content above
// LargeBody that the store has seen before is dropped in favour of the copy it holds. The content must not be changed
// afterwards.
func (b *Bodies) Keep(content []byte, size int64) Body {
	if len(content) <= LargeBody {
		return Body{Size: size, Bytes: content}
	}
	sum := sha256.Sum256(content)
	hash := hex.EncodeToString(sum[:])
	b.mu.Lock()
	defer b.mu.Unlock()
	if held, ok := b.byHash[hash]; ok {
		return Body{Size: size, SHA256: hash, Bytes: held}
	}
	if b.byHash == nil {
		b.byHash = map[string][]byte{}
	}
	b.byHash[hash] = content
	return Body{Size: size, SHA256: hash, Bytes: content}
}

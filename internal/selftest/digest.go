package selftest

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// digest stands for all that was recorded of a run.
type digest [sha256.Size]byte

// digestOf walks through everything that a run holds, by its types: a member that evidence gets tomorrow counts without
// a word here. Written as JSON first, as much would take five times as long.
func digestOf(run evidence.Run) (digest, error) {
	w := walk{sum: sha256.New()}
	if err := w.value(reflect.ValueOf(&run).Elem()); err != nil {
		return digest{}, fmt.Errorf("digest the run %s: %w", run.ID, err)
	}
	w.flush()
	return digest(w.sum.Sum(nil)), nil
}

// walk puts values into a sum: what can be of several lengths after its length, so that no two runs read alike.
type walk struct {
	sum  hash.Hash
	held []byte // what has not gone into the sum yet
}

func (w *walk) flush() {
	w.sum.Write(w.held)
	w.held = w.held[:0]
}

func (w *walk) number(n uint64) {
	if len(w.held) >= 4<<10 {
		w.flush()
	}
	w.held = binary.AppendUvarint(w.held, n)
}

func (w *walk) text(s string) {
	w.number(uint64(len(s)))
	w.held = append(w.held, s...)
}

func (w *walk) bytes(b []byte) {
	w.number(uint64(len(b)))
	w.flush()
	w.sum.Write(b)
}

func (w *walk) value(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			w.number(1)
		} else {
			w.number(0)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.number(uint64(v.Int())) //nolint:gosec // any number for any number
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.number(v.Uint())
	case reflect.Float32, reflect.Float64:
		w.number(math.Float64bits(v.Float()))
	case reflect.String:
		w.text(v.String())
	case reflect.Pointer:
		return w.pointed(v)
	case reflect.Struct:
		return w.members(v)
	case reflect.Slice, reflect.Array:
		return w.items(v)
	case reflect.Map:
		return w.entries(v)
	default:
		return fmt.Errorf("it holds a %s: say how that is to be digested", v.Type())
	}
	return nil
}

func (w *walk) pointed(v reflect.Value) error {
	if v.IsNil() {
		w.number(0)
		return nil
	}
	w.number(1)
	return w.value(v.Elem())
}

func (w *walk) members(v reflect.Value) error {
	if v.Type() == reflect.TypeFor[evidence.Body]() {
		if large, ok := reflect.TypeAssert[evidence.Body](v); ok && large.SHA256 != "" {
			w.number(uint64(large.Size)) //nolint:gosec // any number for any number
			w.text(large.SHA256)         // it has a digest already
			return nil
		}
	}
	for _, member := range v.Fields() {
		if err := w.value(member); err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) items(v reflect.Value) error {
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		w.bytes(v.Bytes())
		return nil
	}
	w.number(uint64(v.Len())) //nolint:gosec // a length is no less than 0
	for i := range v.Len() {
		if err := w.value(v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

// entries goes through a map in the order of its keys, which are texts.
func (w *walk) entries(v reflect.Value) error {
	if v.Type().Key().Kind() != reflect.String {
		return fmt.Errorf("it holds a %s: say in which order that is to be digested", v.Type())
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	w.number(uint64(len(keys)))
	for _, key := range keys {
		w.text(key.String())
		if err := w.value(v.MapIndex(key)); err != nil {
			return err
		}
	}
	return nil
}

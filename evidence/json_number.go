package evidence

import (
	"bytes"
	"math/big"
	"strconv"
)

// decimal is a number by value: digits times ten to the exponent, without zeros at either end, so that two numbers
// are equal when their parts are. No power of ten is ever written out: 1e999999999 costs what it is long.
type decimal struct {
	negative bool
	digits   []byte // empty for zero
	exponent *big.Int
}

// maxExponent is how many digits of an exponent are computed with. Beyond it the exponent alone is compared as it
// is written: nobody can hold such a number.
const maxExponent = 100

// readDecimal reads a number that isNumber has let pass.
func readDecimal(text []byte) decimal {
	d := decimal{exponent: new(big.Int)}
	text, d.negative = bytes.CutPrefix(text, []byte{'-'})
	if e := bytes.IndexAny(text, "eE"); e >= 0 {
		power := bytes.TrimPrefix(text[e+1:], []byte{'+'})
		if len(power) > maxExponent {
			return decimal{negative: d.negative, digits: text, exponent: d.exponent}
		}
		d.exponent.SetString(string(power), 10)
		text = text[:e]
	}
	whole, fraction, _ := bytes.Cut(text, []byte{'.'})
	all := append(append(make([]byte, 0, len(whole)+len(fraction)), whole...), fraction...)
	all = bytes.TrimLeft(all, "0")
	d.digits = bytes.TrimRight(all, "0")
	if len(d.digits) == 0 {
		return decimal{exponent: new(big.Int)}
	}
	shift := int64(len(all) - len(d.digits) - len(fraction))
	d.exponent.Add(d.exponent, big.NewInt(shift))
	return d
}

func (d decimal) equal(other decimal) bool {
	return d.negative == other.negative && bytes.Equal(d.digits, other.digits) && d.exponent.Cmp(other.exponent) == 0
}

// int64 returns the number where it is whole and fits.
func (d decimal) int64() (int64, bool) {
	const most = 19 // digits of the largest int64
	if d.exponent.Sign() < 0 || !d.exponent.IsInt64() || d.exponent.Int64() > most || len(d.digits) > most {
		return 0, false
	}
	text := append([]byte{}, d.digits...)
	if d.negative {
		text = append([]byte{'-'}, text...)
	}
	if len(d.digits) == 0 {
		return 0, true
	}
	text = append(text, bytes.Repeat([]byte{'0'}, int(d.exponent.Int64()))...)
	n, err := strconv.ParseInt(string(text), 10, 64)
	return n, err == nil
}

func equalNumbers(a, b *Value) bool {
	if bytes.Equal(a.raw, b.raw) {
		return true
	}
	if a.broken || b.broken {
		return false
	}
	return readDecimal(a.raw).equal(readDecimal(b.raw))
}

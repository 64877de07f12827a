package scenarios

import (
	"io/fs"
	"strconv"
)

// homeMode is the mode of a file that is put into a home, where the file leaves it open.
const homeMode = 0o600

func signals() []string { return []string{"INT", "TERM"} }

func spoils() []string { return []string{"cut", "empty", "garbage", "directory"} }

func (d decoder) signal(n *node) Signal {
	signal := Signal{Name: d.oneOf(n.get("name"), signals()...), Delay: d.duration(n.get("delay"))}
	if after := n.get("after"); after != nil {
		signal.After = d.after(after)
	}
	return signal
}

func (d decoder) home(n *node) *HomeStep {
	return &HomeStep{
		Client: orElse(d.text(n.get("client")), "a"),
		Spoil:  d.oneOf(n.get("spoil"), spoils()...),
		Put:    pointer(n.get("put"), d.homeFile),
	}
}

func (d decoder) homeFile(n *node) HomeFile {
	return HomeFile{Path: d.text(n.get("path")), Text: d.text(n.get("text")), Mode: d.mode(n.get("mode"))}
}

// mode is the permission bits of a file, in octal digits.
func (d decoder) mode(n *node) fs.FileMode {
	if n == nil {
		return homeMode
	}
	bits, err := strconv.ParseUint(n.text, 8, 32)
	if n.kind != textNode || err != nil || bits > 0o777 {
		d.want(n, `permission bits between quotes, such as "0600"`)
		return homeMode
	}
	return fs.FileMode(bits)
}

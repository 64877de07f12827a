package subject

import (
	"context"
	"io"
	"net"
	"os"
)

// Process is what a command gets of the process that it runs in. A command that touches nothing else can run inside
// this process, many times over and at once, on virtual time.
type Process struct {
	// Args are the words of the command line, without the program's name.
	Args []string
	// Env returns the value of a variable, empty where there is none.
	Env func(name string) string
	// Dir is the working directory, which relative names of files start from.
	Dir            string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Dial opens connections; nil for the machine's own.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// NewMessageID makes message ids; nil for random ones.
	NewMessageID func() string
	// Notify asks for INT and TERM in place of their default action, which is to end the process.
	Notify func() <-chan os.Signal
}

// Program is a command that can run inside this process: what its main would do. It returns the exit status.
type Program func(ctx context.Context, p Process) int

// Homes is what an instance can do whose clients have homes: directories in which commands keep files between calls.
// An instance without homes does not implement it.
type Homes interface {
	// Spoil damages each file in a client's home that holds a token: how is "cut", "empty", "garbage" or "directory".
	Spoil(client, how string) error
	// Put writes a file into a client's home, in place of one that is there.
	Put(client string, file HomeFile) error
}

// HomeFile is a file for a home.
type HomeFile struct {
	// Path is relative to the home and does not leave it.
	Path string
	Text string
	// Mode is the file's permission bits.
	Mode os.FileMode
}

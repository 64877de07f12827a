package runner

// makeRoom lets the stack of its goroutine grow to 16 KiB in one step, while there is little on it that has to move. A run
// makes a dozen goroutines that all need as much; growing by and by, each frame moved again and again, took a twelfth of
// the time of a self-test.
//
//go:noinline
func makeRoom() {
	var room [9 << 10]byte
	fill(&room, 0)
}

// fill keeps the room from being left out of the program.
//
//go:noinline
func fill(room *[9 << 10]byte, b byte) { room[len(room)-1] = b }

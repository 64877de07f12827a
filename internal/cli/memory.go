package cli

import "runtime/debug"

// boundMemory sets the collector for a judging of that many runs, and returns a function that sets it back. The default
// collects some forty times while the heap is still small, which costs a tenth of the time; without a limit the few runs
// with files of 15 MiB would then let it grow far beyond what they need. A run and its checks keep some 20 KiB.
func boundMemory(runs int) (restore func()) {
	const (
		base = 128 << 20
		each = 40 << 10
	)
	return boundHeap(base + int64(runs)*each)
}

// planHeap is how many bytes the loading of scenarios may take before the collector works as hard as it must.
const planHeap = 256 << 20

// boundHeap sets the collector so that it rarely works below a limit in bytes, and returns a function that sets it back.
func boundHeap(bytes int64) (restore func()) {
	const percent = 400
	before, limit := debug.SetGCPercent(percent), debug.SetMemoryLimit(bytes)
	return func() {
		debug.SetGCPercent(before)
		debug.SetMemoryLimit(limit)
	}
}

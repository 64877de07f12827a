package scenarios

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Expand returns the cases of many files, in their order, and uses all processors for it.
func Expand(files []*File, clock evidence.Clock) []Case {
	return slices.Concat(ExpandEach(files, clock)...)
}

// ExpandEach does what Expand does and keeps the cases of each file apart.
func ExpandEach(files []*File, clock evidence.Clock) [][]Case {
	perFile := make([][]Case, len(files))
	each(len(files), func(i int) { perFile[i] = files[i].Cases(clock) })
	return perFile
}

// each calls do for every number below n, on as many goroutines as there are processors, and returns when all of them
// have ended.
func each(n int, do func(i int)) {
	var (
		workers sync.WaitGroup
		next    atomic.Int64
	)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	workers.Wait()
}

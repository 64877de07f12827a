package suites

// requestRules are the rules of this chapter.
func requestRules() []Rule { return nil }

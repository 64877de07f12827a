package suites

// flowRules are the rules of this chapter.
func flowRules() []Rule { return nil }

package suites

// limitRules are the rules of this chapter.
func limitRules() []Rule { return nil }

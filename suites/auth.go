package suites

// authRules are the rules of this chapter.
func authRules() []Rule { return nil }

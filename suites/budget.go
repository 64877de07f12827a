package suites

// budgetRules are the rules of this chapter.
func budgetRules() []Rule { return nil }

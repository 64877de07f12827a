package suites

// subjectRules are the rules of this chapter.
func subjectRules() []Rule { return nil }

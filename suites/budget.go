package suites

// budgetRules are the rules of this chapter.
func budgetRules() []Rule {
	return []Rule{
		bud01(), bud02(), bud03(), bud04(), bud05(), bud06(), bud07(), bud08(), bud09(), bud10(), bud11(), bud12(),
		bud13(), bud14(), bud15(), bud16(), bud17(), bud18(), bud19(), bud20(), bud21(), bud22(),
	}
}

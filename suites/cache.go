package suites

// cacheRules are the rules of this chapter: access that a client keeps between calls, in memory or in a file. Access is
// one answer of the platform, not a token string: the same token handed out again is new access.
func cacheRules() []Rule {
	return []Rule{
		cache01(), cache02(), cache03(), cache04(), cache05(), cache06(), cache07(), cache08(), cache09(), cache10(), cache11(), cache12(),
		cache13(), cache14(), cache15(), cache16(), cache17(), cache18(),
	}
}

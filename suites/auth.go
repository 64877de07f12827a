package suites

// authRules are the rules of this chapter.
func authRules() []Rule {
	return []Rule{
		auth01(), auth02(), auth03(), auth04(), auth05(), auth06(), auth07(), auth08(), auth09(), auth10(), auth11(),
		auth12(), auth13(), auth14(),
	}
}

package scenarios

// Parse reads the text of a scenario that a program made and knows to be right, without more checks than that it is
// YAML. The name is that of the file that it would be.
func Parse(name string, content []byte) (*File, error) {
	c := newCollector(name)
	root := parse(content, c)
	if c.found() {
		return nil, &Problems{List: c.sorted()}
	}
	return newFile(root, name, ""), nil
}

// Check reads the text of a scenario with all the checks of Load. Its error is *Problems.
func Check(name string, content []byte, o Options) (*File, error) {
	l, err := newLoader(o)
	if err != nil {
		return nil, err
	}
	l.add(name, content)
	files, err := l.result()
	if err != nil {
		return nil, err
	}
	return files[0], nil
}

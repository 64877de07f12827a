package evidence

// readAnswer reads the body of an answer, and tells whether the whole of it arrived and is one JSON value.
func readAnswer(x *Exchange) (body *Value, problems []Problem, whole bool) {
	if x.Response == nil {
		return nil, nil, false
	}
	body, problems = ReadJSON(x.Response.Body.Bytes)
	_, broken := NotJSON(problems)
	return body, problems, x.Response.Complete && !broken
}

// status is the status of an answer, zero where none went out.
func status(x *Exchange) int {
	if x.Response == nil {
		return 0
	}
	return x.Response.Status
}

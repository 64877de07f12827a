package evidence

import "strconv"

// Content is the body as whoever goes by the head takes it: no more bytes than the head announced.
func (r *Response) Content() []byte {
	announced, err := strconv.ParseInt(r.Header.Get("Content-Length"), 10, 64)
	tooMany := err == nil && announced >= 0 && announced < min(r.Body.Size, int64(len(r.Body.Bytes)))
	if tooMany && r.Header.Get("Content-Encoding") == "" {
		return r.Body.Bytes[:announced]
	}
	return r.Body.Bytes
}

// readAnswer reads the body of an answer, and tells whether the whole of it arrived and is one JSON value.
func readAnswer(x *Exchange) (body *Value, problems []Problem, whole bool) {
	if x.Response == nil {
		return nil, nil, false
	}
	body, problems = ReadJSON(x.Response.Content())
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

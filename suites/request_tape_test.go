package suites

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Edits of a call and of its sends that tests of the request, the limit and the answer share.

// saying gives a call its text.
func saying(text string) func(*evidence.Call) {
	return func(c *evidence.Call) { c.Input.Message = evidence.Some(text) }
}

// withID gives a call the caller's own message id.
func withID(id string) func(*evidence.Call) {
	return func(c *evidence.Call) { c.Input.MessageID = evidence.Some(id) }
}

// ofKind asks for a response kind.
func ofKind(kind string) func(*evidence.Call) {
	return func(c *evidence.Call) { c.Input.ResponseKind = evidence.Some(kind) }
}

// strictly asks for a strict dictionary, with a number of repair attempts where one is given.
func strictly(attempts ...string) func(*evidence.Call) {
	return func(c *evidence.Call) {
		c.Input.StrictDictionary = evidence.Some(true)
		for _, n := range attempts {
			c.Input.JSONRepairAttempts = evidence.Some(json.Number(n))
		}
	}
}

// onSession sends a call to another session.
func onSession(uid string) func(*evidence.Call) {
	return func(c *evidence.Call) { c.Session = uid }
}

// ofAnother makes a call one of another instance.
func ofAnother() func(*evidence.Call) {
	return func(c *evidence.Call) { c.Client = "b" }
}

// taskCall makes a call that follows a Task.
func taskCall(op evidence.CallOp, id string) func(*evidence.Call) {
	return func(c *evidence.Call) {
		c.Op, c.Input = op, evidence.Input{TaskID: evidence.Some(id)}
	}
}

// withFiles hands files to a call: their contents, by which they are named too.
func withFiles(contents ...string) func(*evidence.Call) {
	return func(c *evidence.Call) {
		for _, content := range contents {
			sum := sha256.Sum256([]byte(content))
			c.Files = append(c.Files, evidence.InputFile{
				Name: content + ".pdf", MediaType: "application/pdf", Size: int64(len(content)), SHA256: hex.EncodeToString(sum[:]), Readable: true,
			})
		}
	}
}

// unreadable hands a file to a call that cannot be read.
func unreadable(c *evidence.Call) {
	c.Files = append(c.Files, evidence.InputFile{Name: "gone.pdf"})
}

// sentBody replaces the whole body of a request.
func sentBody(body string) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) {
		x.Request.Body, x.Request.ContentLength = bodyOf(body), int64(len(body))
	}
}

// strictBody is the body of a strict send of "hello".
func strictBody() string {
	return fmt.Sprintf(`{"message":{"messageId":"msg-1","role":"ROLE_USER","contextId":%q,"parts":[{"text":"hello"}]},`+
		`"configuration":{"acceptedOutputModes":["application/json"],"responseKind":"message"},`+
		`"metadata":{%q:{"response_format":{"type":"dictionary","strict":true},"jsonRepairAttempts":3}}}`, sessionUID, evidence.OutputContractURI)
}

// partsBody is the body of a send of these parts.
func partsBody(parts ...string) string {
	return fmt.Sprintf(`{"message":{"messageId":"msg-1","role":"ROLE_USER","contextId":%q,"parts":[%s]},`+
		`"configuration":{"acceptedOutputModes":["text/plain"],"responseKind":"message"}}`, sessionUID, strings.Join(parts, ","))
}

// filePart is a part with a file's content.
func filePart(content string) string {
	return fmt.Sprintf(`{"raw":%q,"filename":%q,"mediaType":"application/pdf"}`, base64.StdEncoding.EncodeToString([]byte(content)), content+".pdf")
}

// method changes the method of a request.
func method(name string) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) { x.Request.Method = name }
}

// meaning changes the operation of a request.
func meaning(op evidence.Op) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) { x.Op = op }
}

// responseHeader sets a header of the answer; no values take it away.
func responseHeader(name string, values ...string) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) {
		x.Response.Header.Del(name)
		for _, v := range values {
			x.Response.Header.Add(name, v)
		}
	}
}

// redirect answers with a redirect.
func redirect(code int, to string) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) {
		status(code, "")(x)
		responseHeader("Location", to)(x)
	}
}

// halfRead leaves a request's body unread after its first bytes.
func halfRead(n int) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) {
		x.BodyRead = nil
		x.Request.Body = bodyOf(string(x.Request.Body.Bytes[:n]))
	}
}

// sends is the plain case of a call, its send edited.
func sends(edit ...func(*evidence.Exchange)) *tape {
	return newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, answered(), edit...).returns(0.005, answered())
}

// asking is the plain case of an edited call.
func asking(edit func(*evidence.Call), edits ...func(*evidence.Exchange)) *tape {
	return newTape().call(0, edit).resolve(0.001, ready(token1)).send(0.003, token1, answered(), edits...).returns(0.005, answered())
}

// refusing is a call that ends with an error before any request.
func refusing(edit func(*evidence.Call)) *tape {
	return newTape().call(0, edit).fails(0.001, evidence.InvalidArgument)
}

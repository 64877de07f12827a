package script

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/wire"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// The media types of the contract.
const (
	MediaJSON = "application/json"
	MediaA2A  = "application/a2a+json"
)

// answer makes the answer that a reply asks for. With an error it is still a usable answer, but not what was asked.
func (s *Server) answer(v *Serving, reply scenarios.Reply) (wire.Answer, error) {
	answer, err := s.unedited(v, reply)
	if err != nil || reply.With == nil {
		return answer, err
	}
	body, err := edit(answer.Body, v.filledEdit(*reply.With))
	if err != nil {
		return answer, fmt.Errorf("the answer could not be changed as with asks: %w", err)
	}
	answer.Body = body
	return answer, nil
}

func (s *Server) unedited(v *Serving, reply scenarios.Reply) (wire.Answer, error) {
	switch {
	case reply.Detail != nil:
		answer := Detail(reply.Detail.HTTP, v.Fill(reply.Detail.Text))
		for name, value := range reply.Detail.Header {
			answer.Header[name] = []string{v.Fill(value)}
		}
		return answer, nil
	case reply.Redirect != nil:
		return v.redirect(*reply.Redirect), nil
	case reply.Raw != nil:
		return v.raw(*reply.Raw), nil
	case reply.Bytes != nil:
		return wire.Answer{Verbatim: []byte(v.Fill(*reply.Bytes))}, nil
	case reply.Default:
		if answer, ok := s.Writer.Default(v); ok {
			return answer, nil
		}
	default:
		if answer, ok := s.Writer.Write(v, reply); ok {
			return answer, nil
		}
	}
	text := fmt.Sprintf("%s has no such reply", v.Op)
	return Detail(http.StatusTeapot, text), fmt.Errorf("%s", text)
}

// JSON is an answer with a JSON body.
func JSON(status int, mediaType string, body any) wire.Answer {
	return wire.Answer{Status: status, Header: http.Header{"Content-Type": {mediaType}}, Body: encode(body)}
}

// encode writes JSON without the escapes that HTML would need. Everything that is written here can be.
func encode(body any) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		panic(fmt.Sprintf("an answer cannot be written: %v", err)) // a mistake in this program
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// Detail is a plain error of either server.
func Detail(status int, text string) wire.Answer {
	if text == "" {
		text = "umber finch"
	}
	return JSON(status, MediaJSON, map[string]string{"detail": text})
}

// redirect points to an endpoint of the run, under whose address the path of the operation is kept, or wherever the
// scenario says.
func (v *Serving) redirect(r scenarios.Redirect) wire.Answer {
	to := v.Fill(r.To)
	if place, ok := v.World.Place(r.To); ok {
		to = strings.TrimSuffix(place.URL(), "/") + "/" + v.Vars["tail"]
		if query := v.Request.URL.RawQuery; query != "" {
			to += "?" + query
		}
	}
	return wire.Answer{Status: r.Status, Header: http.Header{"Location": {to}}}
}

func (v *Serving) raw(r scenarios.Raw) wire.Answer {
	header := http.Header{}
	for name, lines := range r.Header {
		for _, line := range lines {
			header[name] = append(header[name], v.Fill(line))
		}
	}
	return wire.Answer{Status: r.Status, Header: header, Body: []byte(v.Fill(string(r.Body)))}
}

// clean tells whether nothing in a step asks for an answer that is not well-formed. A bare Task is one of the two forms
// of an answer to get and cancel only.
func clean(op evidence.Op, step scenarios.Step) bool {
	w, r := step.Wire, step.Reply
	w.HeadAfter = 0
	bare := r.Task != nil && r.Task.Bare && op == evidence.OpSendMessage
	return w == scenarios.Wire{} && !bare && r.With == nil && r.Raw == nil && r.Bytes == nil
}

package subject

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// ProtocolVersion is the version of the driver protocol that is spoken (docs/drivers.md).
const ProtocolVersion = 1

// The types of messages.
const (
	typeHello       = "hello"
	typeCall        = "call"
	typeResult      = "result"
	typeUnsupported = "unsupported"
	typeCancel      = "cancel"
	typeBye         = "bye"
)

// helloMessage begins a session.
type helloMessage struct {
	Type     string           `json:"type"`
	Protocol int              `json:"protocol"`
	Platform *platformMessage `json:"platform"`
}

// platformMessage tells a driver where the platform is.
type platformMessage struct {
	URL          string `json:"url"`
	Token        string `json:"token"`
	RefreshToken string `json:"refresh_token"`
}

func platformOf(p Platform) *platformMessage {
	return &platformMessage{URL: p.URL, Token: p.Token, RefreshToken: p.RefreshToken}
}

// introduction is a driver's own hello.
type introduction struct {
	Type     *string `json:"type"`
	Protocol *int    `json:"protocol"`
	Client   *struct {
		Name     *string `json:"name"`
		Version  string  `json:"version"`
		Language string  `json:"language"`
	} `json:"client"`
	Capabilities *[]string          `json:"capabilities"`
	Parallel     *int               `json:"parallel"`
	Constants    evidence.Constants `json:"constants"`
}

// readIntroduction reads a driver's hello. The error lists everything that is wrong with it.
func readIntroduction(line []byte) (introduction, error) {
	var in introduction
	if err := json.Unmarshal(line, &in); err != nil {
		return in, fmt.Errorf("its hello cannot be read: %w", notJSON(line, err))
	}
	var wrong []error
	add := func(bad bool, format string, args ...any) {
		if bad {
			wrong = append(wrong, fmt.Errorf("its hello "+format, args...))
		}
	}
	add(in.Type == nil || *in.Type != typeHello, "has the type %s, want %q", quoted(in.Type), typeHello)
	add(in.Protocol == nil, "names no protocol, want %d", ProtocolVersion)
	add(in.Protocol != nil && *in.Protocol != ProtocolVersion, "names the protocol %d, and this version speaks %d", deref(in.Protocol), ProtocolVersion)
	add(in.Client == nil || in.Client.Name == nil || *in.Client.Name == "", "names no client: client.name is the name of what is judged")
	add(in.Capabilities == nil, "lists no capabilities")
	add(in.Parallel != nil && *in.Parallel < 1, "takes %d calls at once, want 1 or more", deref(in.Parallel))
	for name, value := range map[string]*float64{
		"min_wait_ms": in.Constants.MinWaitMS, "max_wait_ms": in.Constants.MaxWaitMS, "cache_skew": in.Constants.CacheSkew,
		"cache_fallback": in.Constants.CacheFallback, "grace_ms": in.Constants.GraceMS,
	} {
		add(value != nil && (*value < 0 || math.IsInf(*value, 0)), "has the constant %s below zero", name)
	}
	return in, errors.Join(wrong...)
}

func quoted(text *string) string {
	if text == nil {
		return "of nothing"
	}
	return fmt.Sprintf("%q", *text)
}

func deref(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// notJSON names the cause of a line that cannot be read, with its beginning.
func notJSON(line []byte, err error) error {
	return fmt.Errorf("%w (%s)", err, beginning(line))
}

// beginning is what a line starts with, fit for one line of text.
func beginning(line []byte) string {
	const most = 160
	text := strings.ToValidUTF8(strings.Join(strings.Fields(string(line[:min(len(line), 4*most)])), " "), "?")
	if len(text) <= most {
		return text
	}
	cut := most
	for cut > 0 && text[cut]&0xC0 == 0x80 {
		cut--
	}
	return text[:cut] + "…"
}

// about is what a hello says of the subject.
func (in introduction) about(kind evidence.SubjectKind) evidence.Subject {
	parallel := 1
	if in.Parallel != nil {
		parallel = *in.Parallel
	}
	s := evidence.Subject{Kind: kind, Capabilities: []string{}, Constants: in.Constants, Parallel: max(1, parallel)}
	if in.Capabilities != nil {
		s.Capabilities = append(s.Capabilities, *in.Capabilities...)
		slices.Sort(s.Capabilities)
		s.Capabilities = slices.Compact(s.Capabilities)
	}
	if in.Client != nil {
		s.Version = in.Client.Version
		if in.Client.Name != nil {
			s.Name = *in.Client.Name
		}
	}
	return s
}

// callMessage asks for a call.
type callMessage struct {
	Type     string           `json:"type"`
	ID       string           `json:"id"`
	Client   string           `json:"client"`
	Op       string           `json:"op"`
	Session  string           `json:"session"`
	Platform *platformMessage `json:"platform,omitempty"`
	Input    inputMessage     `json:"input"`
}

type inputMessage struct {
	evidence.Input

	Files []fileMessage `json:"files,omitempty"`
}

type fileMessage struct {
	Path      string `json:"path"`
	MediaType string `json:"media_type,omitempty"`
}

// messageOf writes a call.
func messageOf(id, client string, c Call) ([]byte, error) {
	m := callMessage{Type: typeCall, ID: id, Client: client, Op: string(c.Op), Session: c.Session, Input: inputMessage{Input: c.Input}}
	if c.Platform != nil {
		m.Platform = platformOf(*c.Platform)
	}
	for _, f := range c.Files {
		m.Input.Files = append(m.Input.Files, fileMessage(f))
	}
	return encoded(m)
}

// encoded writes a message as one line, its text as it is.
func encoded(m any) ([]byte, error) {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(m); err != nil {
		return nil, fmt.Errorf("write a message to the driver: %w", err)
	}
	return line.Bytes(), nil
}

// reply is a line that a driver sends after its hello.
type reply struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Elapsed *float64        `json:"elapsed"`
	Outcome json.RawMessage `json:"outcome"`
	Reason  string          `json:"reason"`
}

// readReply reads a line. The error says in what it is against the protocol; the id is returned where there is one.
func readReply(line []byte) (reply, error) {
	var r reply
	if err := json.Unmarshal(line, &r); err != nil {
		return r, fmt.Errorf("the line is no message: %w", err)
	}
	switch {
	case r.Type != typeResult && r.Type != typeUnsupported:
		return r, fmt.Errorf("a message of the type %q, want %s or %s", r.Type, typeResult, typeUnsupported)
	case r.ID == "":
		return r, errors.New("a message without the id of a call")
	default:
		return r, nil
	}
}

// answer is what a reply says of its call. The error says what is wrong with its outcome, and the answer is what can be
// used of it all the same.
func (r reply) answer() (Answer, error) {
	if r.Type == typeUnsupported {
		return Answer{Outcome: evidence.Outcome{Kind: evidence.OutcomeUnsupported, Reason: r.Reason}}, nil
	}
	a := Answer{Elapsed: r.elapsed()}
	if err := json.Unmarshal(r.Outcome, &a.Outcome); err != nil {
		err = fmt.Errorf("the outcome of a result cannot be read: %w", err)
		a.Outcome = evidence.Outcome{Kind: evidence.OutcomeUnsupported, Reason: err.Error()}
		return a, err
	}
	switch a.Kind {
	case evidence.OutcomeMessage, evidence.OutcomeTask:
		return a, nil
	case evidence.OutcomeError:
		return a, categories(a.Error)
	default:
		err := fmt.Errorf("an outcome of the kind %q, want message, task or error", a.Kind)
		a.Outcome = evidence.Outcome{Kind: evidence.OutcomeUnsupported, Reason: err.Error()}
		return a, err
	}
}

func (r reply) elapsed() *time.Duration {
	const longest = 365 * 24 * time.Hour
	if r.Elapsed == nil || !(*r.Elapsed >= 0) || *r.Elapsed > longest.Seconds() {
		return nil
	}
	return new(time.Duration(*r.Elapsed * float64(time.Second)))
}

// categories lists those of an error that the protocol does not know, and takes them away: a rule could make nothing of
// them.
func categories(e *evidence.Error) error {
	if e == nil {
		return nil // SUBJ-03 says so
	}
	var wrong []error
	known := func(c evidence.Category) bool {
		return c == "" || slices.Contains(evidence.Categories(), c)
	}
	if !known(e.Category) {
		wrong = append(wrong, fmt.Errorf("an error of the category %q, which the protocol does not have", e.Category))
		e.Category = ""
	}
	for _, c := range e.Is {
		if !known(c) {
			wrong = append(wrong, fmt.Errorf("an error that is %q, a category that the protocol does not have", c))
		}
	}
	e.Is = slices.DeleteFunc(e.Is, func(c evidence.Category) bool { return !known(c) })
	return errors.Join(wrong...)
}

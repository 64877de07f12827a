package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// driverVariable makes the test binary a driver around the reference client, with the flaw that it names.
const driverVariable = "CLI_TEST_DRIVER"

// pidsVariable names a directory in which a driver leaves a file that bears the number of its process.
const pidsVariable = "CLI_TEST_PIDS"

// fake is that driver. What it does is what a good one does, but for its flaw.
type fake struct {
	flaw     string
	platform subject.Platform
	client   subject.Subject

	mu   sync.Mutex
	open map[string]context.CancelFunc
}

// said is a message of the harness.
type said struct {
	Type     string            `json:"type"`
	ID       string            `json:"id"`
	Client   string            `json:"client"`
	Op       evidence.CallOp   `json:"op"`
	Session  string            `json:"session"`
	Platform *subject.Platform `json:"-"`
	Address  *struct {
		URL     string `json:"url"`
		Token   string `json:"token"`
		Refresh string `json:"refresh_token"`
	} `json:"platform"`
	Input struct {
		evidence.Input

		Files []struct {
			Path      string `json:"path"`
			MediaType string `json:"media_type"`
		} `json:"files"`
	} `json:"input"`
}

func (m *said) fill() {
	if m.Address != nil {
		m.Platform = &subject.Platform{URL: m.Address.URL, Token: m.Address.Token, RefreshToken: m.Address.Refresh}
	}
}

func newFake(flaw string) *fake {
	return &fake{flaw: flaw, client: subject.Reference("1.0"), open: map[string]context.CancelFunc{}}
}

// ServeHTTP makes the fake a driver that is running already.
func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m said
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m.fill()
	var line map[string]any
	switch m.Type {
	case "hello":
		f.platform = *m.Platform
		line = f.hello()
	case "call":
		line = f.call(m)
	case "cancel":
		f.giveUp(m.ID)
		return
	default:
		return
	}
	text, err := json.Marshal(line)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(text) // a harness that has gone needs no answer
}

func (f *fake) giveUp(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open[id]()
}

func fakeDriver(flaw string) int {
	f := newFake(flaw)
	if dir := os.Getenv(pidsVariable); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(os.Getpid())), nil, 0o600); err != nil {
			return 9
		}
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m said
		if err := json.Unmarshal(in.Bytes(), &m); err != nil {
			return 9
		}
		m.fill()
		switch m.Type {
		case "hello":
			f.platform = *m.Platform
			if line := f.hello(); line != nil {
				f.say(line)
			}
			if f.flaw == "noisy" {
				fmt.Fprintln(os.Stderr, "authorised by", f.platform.Token)
			}
		case "cancel":
			f.giveUp(m.ID)
		case "bye":
			if end, code := f.bye(); end {
				return code
			}
		case "call":
			if f.flaw == "one at a time" {
				f.say(f.call(m))
			} else {
				go func() { f.say(f.call(m)) }()
			}
		}
	}
	return 0
}

func (f *fake) say(line any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

func (f *fake) hello() map[string]any {
	type object = map[string]any
	line := object{
		"type": "hello", "protocol": 1, "client": object{"name": "toy", "version": "2"}, "parallel": 8,
		"capabilities": f.client.About().Capabilities,
	}
	switch f.flaw {
	case "silent":
		return nil
	case "ends":
		fmt.Fprintln(os.Stderr, "there is no client installed")
		os.Exit(7)
	case "old":
		line = object{"type": "hello", "protocol": 9, "client": object{}, "parallel": 0}
	case "half a hello":
		line = object{"type": "hello", "protocol": 1, "client": object{"name": "toy"}, "capabilities": []string{"send", "timeout-pair", "own"}, "constants": object{"grace_ms": -1}}
	case "noisy":
		fmt.Println("Loading the client")
	case "other ids":
		line["capabilities"], line["parallel"] = []string{"send"}, 2
	case "one at a time", "elapsed in milliseconds", "elsewhere":
		line["capabilities"], line["parallel"] = []string{"send", "message_id", "strict_dictionary", "timeout_number"}, 2
	case "no elapsed":
		line["capabilities"] = []string{"send", "message_id", "strict_dictionary", "timeout_number"}
	}
	return line
}

// bye tells whether the driver ends, and with which status.
func (f *fake) bye() (end bool, code int) {
	switch f.flaw {
	case "noisy":
		return false, 0
	case "leaves a process":
		cmd := exec.Command("/bin/sleep", "30")
		if cmd.Start() != nil {
			return true, 9
		}
		return true, 3
	default:
		return true, 0
	}
}

func (f *fake) call(m said) map[string]any {
	answer := f.answer(m)
	id := m.ID
	switch {
	case f.flaw == "noisy":
		fmt.Println("DEBUG: a call was made")
	case f.flaw == "crashes" && len(m.Input.Files) > 0:
		fmt.Fprintln(os.Stderr, "segmentation fault")
		os.Exit(7)
	case f.flaw == "other ids":
		id = "0"
	}
	if answer.Kind == evidence.OutcomeUnsupported {
		return map[string]any{"type": "unsupported", "id": id, "reason": answer.Reason}
	}
	line := map[string]any{"type": "result", "id": id, "elapsed": answer.Elapsed.Seconds(), "outcome": answer.Outcome}
	switch f.flaw {
	case "elapsed in milliseconds":
		line["elapsed"] = answer.Elapsed.Seconds() * 1000
	case "no elapsed":
		delete(line, "elapsed")
	case "half a result":
		line["outcome"] = map[string]any{"kind": answer.Kind}
	case "own words":
		line["outcome"] = map[string]any{"kind": "success"}
		if answer.Error != nil {
			line["outcome"] = map[string]any{"kind": "error", "error": map[string]any{"category": "bad_request", "name": "BadRequest"}}
		}
	}
	return line
}

// answer makes a call with the reference client.
func (f *fake) answer(m said) subject.Answer {
	known := slices.Contains([]evidence.CallOp{evidence.CallSend, evidence.CallGetTask, evidence.CallCancelTask, evidence.CallWaitTask}, m.Op)
	refuses := f.flaw == "promises" && (len(m.Input.Files) > 0 || m.Op != evidence.CallSend || m.Platform != nil)
	if !known && f.flaw != "does anything" || refuses {
		return subject.Answer{Outcome: evidence.Outcome{Kind: evidence.OutcomeUnsupported, Reason: "not in this client"}}
	}
	if !known {
		m.Op = evidence.CallSend
	}
	asked := subject.Call{Client: m.Client, Session: m.Session, Op: m.Op, Input: m.Input.Input, Platform: m.Platform}
	for _, file := range m.Input.Files {
		asked.Files = append(asked.Files, subject.File{Path: file.Path, MediaType: file.MediaType})
	}
	where := f.platform
	if f.flaw == "drops members" {
		asked.Input.MessageID, asked.Input.StrictDictionary, asked.Files, asked.Platform = evidence.Absent[string](), evidence.Absent[bool](), nil, nil
	}
	if f.flaw == "elsewhere" {
		where.URL = "http://127.0.0.1:1"
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	f.mu.Lock()
	f.open[m.ID] = cancel
	f.mu.Unlock()
	made, err := f.client.Open(subject.Env{Platform: where})
	if err != nil {
		panic(err)
	}
	began := time.Now()
	answer := made.Do(ctx, asked)
	took := time.Since(began)
	answer.Elapsed = &took
	return answer
}

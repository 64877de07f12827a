package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// Limits of what Read takes: far above any recording, and low enough that a prepared file cannot fill the memory.
const (
	limitDocument = 256 << 20
	limitBody     = 256 << 20
	limitTotal    = 4 << 30
	limitFiles    = 200_000
)

// ProblemsError is everything that is wrong with a recording, each with its file and its place.
type ProblemsError []string

// Error lists the problems, one on a line.
func (p ProblemsError) Error() string { return strings.Join(p, "\n") }

// Read reads what Save has written, from a directory or a zip. A recording of another version is refused; of one
// that is damaged every problem is reported at once, by a ProblemsError error. Nothing outside path is read.
func Read(path string) (Session, []Run, error) {
	source, err := openSource(path)
	if err != nil {
		return Session{}, nil, fmt.Errorf("read the recording: %w", err)
	}
	defer source.close()
	r := reader{source: source}
	session, runs := r.read()
	switch {
	case r.refused != nil:
		return Session{}, nil, fmt.Errorf("read the recording: %w", r.refused)
	case len(r.problems) > 0:
		return Session{}, nil, fmt.Errorf("read the recording %s:\n%w", path, r.problems)
	default:
		return session, runs, nil
	}
}

// reader reads one recording. refused is the one error that makes all others pointless.
type reader struct {
	source   *source
	problems ProblemsError
	refused  error
	held     map[string][]byte // bodies by their hash
	wanted   map[string]string // hash of a body to the file that names it
}

func (r *reader) notef(file, format string, args ...any) {
	r.problems = append(r.problems, file+": "+fmt.Sprintf(format, args...))
}

func (r *reader) read() (Session, []Run) {
	data, err := r.source.read(sessionFile, limitDocument)
	if errors.Is(err, fs.ErrNotExist) {
		r.refused = fmt.Errorf("%s holds no %s: give what run --record has written", r.source.path, sessionFile)
		return Session{}, nil
	}
	if err != nil {
		r.refused = err
		return Session{}, nil
	}
	if r.refused = refuseVersion(r.source.path, data); r.refused != nil {
		return Session{}, nil
	}
	names, err := r.source.list()
	if err != nil {
		r.refused = err
		return Session{}, nil
	}
	r.held, r.wanted = map[string][]byte{}, map[string]string{}
	for _, name := range names {
		r.readBody(name)
	}
	var session Session
	r.readInto(sessionFile, data, &session)
	for i := range session.Strays {
		r.fill(sessionFile, &session.Strays[i])
	}
	runs := r.readRuns(names)
	for hash, file := range r.wanted {
		r.notef(file, "body %s is missing from %s", hash, bodiesDir)
	}
	slices.Sort(r.problems)
	return session, runs
}

// refuseVersion looks at the version before anything else: what another version holds cannot be judged as this one.
func refuseVersion(path string, data []byte) error {
	v, problems := ReadJSON(data)
	if p, broken := NotJSON(problems); broken {
		return fmt.Errorf("%s/%s is no JSON: %s", path, sessionFile, p)
	}
	version, ok := v.Member("schema").Int()
	switch {
	case !ok:
		return fmt.Errorf("%s/%s says no schema version: it is no recording of this tool", path, sessionFile)
	case version != SchemaVersion:
		return fmt.Errorf("%s is of schema version %d, and this program reads version %d only: "+
			"judge it with the program that made it, or record it again", path, version, SchemaVersion)
	default:
		return nil
	}
}

func (r *reader) readInto(file string, data []byte, target any) {
	for _, problem := range readDocument(data, target) {
		r.notef(file, "%s", problem)
	}
}

func (r *reader) readRuns(names []string) []Run {
	pattern := regexp.MustCompile(`^` + runsDir + `/\d{4,9}-[A-Za-z0-9_=-]*\.json$`)
	var runs []Run
	seen := map[string]string{}
	for _, name := range names {
		if !strings.HasPrefix(name, runsDir+"/") {
			continue
		}
		if !pattern.MatchString(name) {
			r.notef(name, "is no name of a run, want %s/NNNN-id.json", runsDir)
			continue
		}
		data, err := r.source.read(name, limitDocument)
		if err != nil {
			r.notef(name, "%v", err)
			continue
		}
		run, problems := readRun(data)
		for _, problem := range problems {
			r.notef(name, "%s", problem)
		}
		if other, twice := seen[run.ID]; twice && len(problems) == 0 {
			r.notef(name, "run %q is in %s too", run.ID, other)
		}
		seen[run.ID] = name
		for i := range run.Exchanges {
			r.fill(name, &run.Exchanges[i])
		}
		runs = append(runs, run)
	}
	return runs
}

// readRun reads the document of one run.
func readRun(data []byte) (Run, []string) {
	var run Run
	problems := readDocument(data, &run)
	if len(problems) > 0 {
		return Run{}, problems
	}
	for i := range run.Calls {
		if o := run.Calls[i].Outcome; o != nil {
			o.Message, o.Task = compact(o.Message), compact(o.Task)
		}
	}
	problems = checkRun(&run)
	return run, problems
}

// compact takes the indenting of the file form out of a result again.
func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if len(raw) == 0 || json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

func (r *reader) readBody(name string) {
	hash, ok := strings.CutPrefix(name, bodiesDir+"/")
	if !ok {
		return
	}
	if !isHash(hash) {
		r.notef(name, "is no name of a body, want a SHA-256 in hex")
		return
	}
	data, err := r.source.read(name, limitBody)
	if err != nil {
		r.notef(name, "%v", err)
		return
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != hash {
		r.notef(name, "does not hold what its name says: the file was changed")
		return
	}
	r.held[hash] = data
}

func isHash(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == sha256.Size && strings.ToLower(text) == text
}

// fill gives the large bodies of an exchange their content.
func (r *reader) fill(file string, x *Exchange) {
	for _, b := range bodiesOf(x) {
		if b.SHA256 == "" {
			continue
		}
		if data, ok := r.held[b.SHA256]; ok {
			b.Bytes = data
		} else if _, known := r.wanted[b.SHA256]; !known {
			r.wanted[b.SHA256] = file
		}
	}
}

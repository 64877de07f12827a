package script

import (
	"net/http"
	"strings"
	"sync"

	"github.com/google/uuid"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// Place is where an endpoint of the scenario is to be found in a run.
type Place struct {
	scenarios.Endpoint
	// Origin is scheme://host:port.
	Origin string
}

// URL is what clients are told to use: the rpc_url of a runtime, the address of a platform.
func (p Place) URL() string {
	url := p.Origin + p.Prefix
	if p.Slash {
		url += "/"
	}
	return url
}

// WorldConfig is what the names of a run are made from.
type WorldConfig struct {
	// Names is the text that all uids of the run are made from: its id on virtual time, so that two runs are equal;
	// with something fresh added on real time, so that no two runs share a session.
	Names string
	// Nonce is fresh for each judging. Tokens are made from it, so that no subject can know one before it was given
	// it.
	Nonce string
	// Recorder learns each token before it is handed out.
	Recorder *evidence.Recorder
	// Places are the servers of the run, platform and runtime included.
	Places []Place
	// Keys are those of the main user against the platform, where all runs of the session have them in common; nil
	// where each run makes its own.
	Keys *Keys
}

// World is the names of one run: sessions, agent, service, servers and tokens. It may be used by any number of
// goroutines.
type World struct {
	cfg    WorldConfig
	space  uuid.UUID
	places map[string]Place

	mu       sync.Mutex
	sessions map[string]string // names by uid
	agent    string            // its uid, once it was asked for
	made     int               // tokens so far
	tokens   map[string]*token // by value
	named    map[string]string // runtime tokens by name
	platform map[owner]string
	refresh  map[owner]string
}

// NewWorld makes the names of a run.
func NewWorld(cfg WorldConfig) *World {
	w := &World{
		cfg: cfg, space: uuid.NewSHA1(uuid.NameSpaceURL, []byte(cfg.Names)), places: map[string]Place{},
		sessions: map[string]string{}, tokens: map[string]*token{}, named: map[string]string{},
		platform: map[owner]string{}, refresh: map[owner]string{},
	}
	for _, p := range cfg.Places {
		w.places[p.Name] = p
	}
	w.takeKeys()
	return w
}

// UID is the uid of anything that has a name in the run: the same name, the same uid.
func (w *World) UID(name string) string { return uuid.NewSHA1(w.space, []byte(name)).String() }

// SessionUID is the uid of a session of the scenario. What follows the name, from the first character on that no name
// has, stands at the end of the uid as it is ("odd/../x"): so a session can have a uid that does not fit into a path.
func (w *World) SessionUID(name string) string {
	tail := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz0123456789_-")
	uid := w.UID("session/"+strings.TrimSuffix(name, tail)) + tail
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sessions[uid] = name
	return uid
}

// Owns tells whether a request's target speaks of something that has its name in this run alone: one of its sessions, or
// their agent.
func (w *World) Owns(target string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.agent == "" {
		w.agent = w.UID("agent")
	}
	if strings.Contains(target, w.agent) {
		return true
	}
	for uid := range w.sessions {
		if strings.Contains(target, uid[:min(len(uid), uidLength)]) {
			return true
		}
	}
	return false
}

// OwnUIDs lists what Owns looks for: the uids that have been named of the run's sessions, and their agent's.
func (w *World) OwnUIDs() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	uids := []string{w.UID("agent")}
	for uid := range w.sessions {
		uids = append(uids, uid[:min(len(uid), uidLength)])
	}
	return uids
}

// uidLength is how long a uid is in its text form, without what a session's name may add to it.
const uidLength = 36

// knowsSession tells whether a uid is that of a session of the run.
func (w *World) knowsSession(uid string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, known := w.sessions[uid]
	return known
}

// AgentUID is the uid of the agent that all sessions of the run are of.
func (w *World) AgentUID() string { return w.UID("agent") }

// ServiceUID is the coding_agent_service_uid of the run.
func (w *World) ServiceUID() string { return w.UID("service") }

// EnvironmentUID is the uid of the organisation's environment.
func (w *World) EnvironmentUID() string { return w.UID("environment") }

// Place returns a server of the run by its name in the scenario.
func (w *World) Place(name string) (Place, bool) {
	p, ok := w.places[name]
	return p, ok
}

// URL is the address of a server by its name, empty for a name that the run does not have.
func (w *World) URL(name string) string {
	p, ok := w.places[name]
	if !ok {
		return ""
	}
	return p.URL()
}

// tokenSession is the uid of the session that a request's token was handed out for, empty for an unknown token and
// for one of several sessions.
func (w *World) tokenSession(header http.Header) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if t := w.tokens[bearer(header)]; t != nil && len(t.sessions) == 1 {
		return t.sessions[0]
	}
	return ""
}

package script

import (
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/gorilla/mux"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Route is how an operation is recognised: by its method and the tail of its path.
type Route struct {
	Op evidence.Op
	// Methods that the operation has; none means any.
	Methods []string
	// Path is a template of gorilla/mux without its first slash. A slash at its end is optional in requests.
	Path string
}

// Routes recognises operations. It is compiled once and may be used by any number of runs at once.
type Routes struct {
	// plain has the paths as they are meant, led has them behind anything: it takes a regular expression several times as
	// long to look for the beginning of a path.
	plain, led *mux.Router
	// held names the answers that were found to be well-formed, so that those of a case that is run hundreds of times are
	// checked once.
	held sync.Map
	// told keeps what requests were recognised as when they came for the first time.
	told recognised
}

// recognised keeps what was recognised of paths, since the runs of a case ask for the same again and again. A subject
// can ask for any path: it is emptied when it is full.
type recognised struct {
	mu    sync.Mutex
	known map[string]recognition
}

// recognition is an operation and the variables of a path. It must not be changed.
type recognition struct {
	op   evidence.Op
	vars map[string]string
}

// mostRecognised is how many paths are kept at most, and longestRecognised how many bytes one may have.
const (
	mostRecognised    = 4096
	longestRecognised = 512
)

// of gives what is kept of a request, or finds it out and keeps it.
func (k *recognised) of(method, path string, find func() recognition) recognition {
	if len(method)+len(path) > longestRecognised {
		return find()
	}
	key := method + " " + path
	k.mu.Lock()
	defer k.mu.Unlock()
	found, ok := k.known[key]
	if !ok {
		if found = find(); k.known == nil || len(k.known) >= mostRecognised {
			k.known = map[string]recognition{}
		}
		k.known[key] = found
	}
	return found
}

// NewRoutes compiles the routes of a server, and the retired ones, which every server recognises.
//
// Recognition is lenient on purpose: a wrong prefix, a doubled or a missing slash still shows what was meant, so that
// a rule can say what was wrong with it. The method has to be right.
func NewRoutes(own []Route) *Routes {
	routes := &Routes{plain: mux.NewRouter(), led: mux.NewRouter()}
	for router, lead := range map[*mux.Router]string{routes.plain: "", routes.led: "{lead:.*/}"} {
		router.SkipClean(true).UseEncodedPath()
		for _, r := range append(own, legacy()...) {
			route := router.NewRoute().Name(string(r.Op)).Path("/" + lead + strings.TrimSuffix(r.Path, "/") + "{slash:/*}")
			if len(r.Methods) > 0 {
				route.Methods(r.Methods...)
			}
		}
	}
	return routes
}

// legacy are the retired routes (ADR 0029, Decision: the legacy attach and status endpoints).
func legacy() []Route {
	return []Route{
		{Op: evidence.OpLegacy, Path: "orm/api/agents/v1/sessions/{uid:.+}/resolve_runtime_access/"},
		{Op: evidence.OpLegacy, Path: "api/a2a/sessions/{uid:.+}/runtime", Methods: []string{http.MethodGet, http.MethodPost}},
	}
}

// Match tells which operation a request asks for, and the variables of its path with their escapes taken off. "tail"
// is the part of the path that names the operation, as it stands in the target. The variables must not be changed.
func (r *Routes) Match(request *http.Request) (evidence.Op, map[string]string) {
	path := request.URL.EscapedPath()
	found := r.told.of(request.Method, path, func() recognition {
		op, vars := r.match(request, path)
		return recognition{op, vars}
	})
	return found.op, found.vars
}

func (r *Routes) match(request *http.Request, path string) (evidence.Op, map[string]string) {
	var match mux.RouteMatch
	known := r.plain.Match(request, &match)
	if !known {
		match = mux.RouteMatch{} // it keeps why the other did not match
		known = r.led.Match(request, &match)
	}
	if !known || match.Route == nil {
		return evidence.OpUnknown, map[string]string{"tail": strings.TrimPrefix(path, "/")}
	}
	vars := map[string]string{"tail": strings.TrimPrefix(path, "/"+match.Vars["lead"])}
	for name, value := range match.Vars {
		if text, err := url.PathUnescape(value); err == nil {
			value = text
		}
		vars[name] = value
	}
	return evidence.Op(match.Route.GetName()), vars
}

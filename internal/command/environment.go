package command

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/a2a-conform/a2a-conform/client"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// The variables. The refresh token may be absent, and so may the mode, of which there is one.
const (
	endpointVariable  = "MAINSEQUENCE_ENDPOINT"
	tokenVariable     = "MAINSEQUENCE_ACCESS_TOKEN"
	tokenFileVariable = "MAINSEQUENCE_ACCESS_TOKEN_FILE"
	refreshVariable   = "MAINSEQUENCE_REFRESH_TOKEN"
	modeVariable      = "MAINSEQUENCE_AUTH_MODE"
)

// maxTokenFile bounds what is read of a file that should hold a token, in bytes.
const maxTokenFile = 64 << 10

// environment reads how the platform is reached, and says all that is wrong with it. No value of a variable that holds a
// secret is ever repeated.
//
// The user is not asked for: a fingerprint of the access token stands for him in the cache. So a send asks the platform
// for nothing but runtime access, and no two users can be taken for one.
func environment(ctx context.Context, p subject.Process) (client.Config, []string) {
	var problems []string
	config := client.Config{
		PlatformURL:   p.Env(endpointVariable),
		PlatformToken: p.Env(tokenVariable),
		RefreshToken:  p.Env(refreshVariable),
		DialContext:   p.Dial,
	}
	if path, ok := cachePath(p); ok {
		config.Cache = client.NewFileCache(path)
	}
	if mode := p.Env(modeVariable); mode != "" && mode != "jwt" {
		problems = append(problems, fmt.Sprintf("%s: %q is not known; jwt is", modeVariable, mode))
	}
	switch file := p.Env(tokenFileVariable); {
	case file != "" && config.PlatformToken != "":
		problems = append(problems, fmt.Sprintf("%s and %s: give one of them", tokenVariable, tokenFileVariable))
	case file != "":
		token, err := read(ctx, p, file, maxTokenFile)
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s: %v", tokenFileVariable, err))
			config.PlatformToken = standInToken // the problem is told already
			break
		}
		config.PlatformToken = strings.TrimSpace(token)
	case config.PlatformToken == "":
		problems = append(problems, fmt.Sprintf("%s: is missing; %s may name a file that holds it", tokenVariable, tokenFileVariable))
		config.PlatformToken = standInToken // as above
	}
	return config, problems
}

// cachePath is where runtime access is kept between two commands: below the directory for a user's configuration. Where
// that is not known, nothing is kept.
func cachePath(p subject.Process) (string, bool) {
	base := p.Env("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) { // relative ones do not count, by that variable's own convention
		home := p.Env("HOME")
		if !filepath.IsAbs(home) {
			return "", false
		}
		base = filepath.Join(home, ".config")
	}
	return filepath.Join(base, "a2a-conform", "runtime_access_cache.json"), true
}

package subject

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// keptVariables are those of the user's own surroundings that a command keeps: it must be found, and must find what its
// tool chain has laid up.
func keptVariables() []string {
	return []string{
		"PATH", "LANG", "GOCACHE", "GOMODCACHE", "PYENV_ROOT", "VIRTUAL_ENV", "NPM_CONFIG_CACHE", "UV_CACHE_DIR", "SSL_CERT_FILE",
	}
}

// environment is what a command's process gets: what is kept of the user's own, its home, where the platform is, and
// what the user and the scenario add.
func environment(surroundings, added []string, h home, p Platform, call Call) []string {
	own := []string{
		"HOME=" + h.dir(), "TMPDIR=" + h.temporary(), "MAINSEQUENCE_ENDPOINT=" + p.URL, "MAINSEQUENCE_ACCESS_TOKEN=" + p.Token,
		"MAINSEQUENCE_REFRESH_TOKEN=" + p.RefreshToken, "MAINSEQUENCE_AUTH_MODE=jwt",
	}
	return lastOfEach(append(variablesOf(surroundings, own, added, p), call.Env...))
}

// variablesOf is what is kept of the user's own environment, then what the program is told, then what the user adds.
func variablesOf(surroundings, own, added []string, p Platform) []string {
	var env []string
	for _, name := range keptVariables() {
		if value, ok := lookUp(surroundings, name); ok {
			env = append(env, name+"="+value)
		}
	}
	env = append(env, own...)
	fill := strings.NewReplacer("{platform.url}", p.URL, "{platform.token}", p.Token, "{platform.refresh_token}", p.RefreshToken)
	for _, variable := range added {
		env = append(env, fill.Replace(variable))
	}
	return env
}

// lastOfEach keeps the last of several variables of one name, in its place.
func lastOfEach(env []string) []string {
	var kept []string
	for i, variable := range env {
		name := nameOf(variable)
		if !slices.ContainsFunc(env[i+1:], func(later string) bool { return nameOf(later) == name }) {
			kept = append(kept, variable)
		}
	}
	return kept
}

func nameOf(variable string) string {
	name, _, _ := strings.Cut(variable, "=")
	return name
}

// namesOf are the names of variables, in alphabetical order.
func namesOf(env []string) []string {
	names := make([]string, len(env))
	for i, variable := range env {
		names[i] = nameOf(variable)
	}
	slices.Sort(names)
	return names
}

// lookUp finds a variable among those written as NAME=VALUE; the last one counts.
func lookUp(env []string, name string) (string, bool) {
	for _, variable := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(variable, name+"="); ok {
			return value, true
		}
	}
	return "", false
}

var (
	variableForm    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	placeholderForm = regexp.MustCompile(`\{platform\.[a-z_]*\}`)
)

// Variables reads what a user wants added to a command's environment: NAME=VALUE, where VALUE may hold {platform.url},
// {platform.token} and {platform.refresh_token}, or NAME alone for a variable of surroundings. The second result lists
// everything that is wrong, by the place of the entry in the list.
func Variables(wanted, surroundings []string) (variables []string, problems map[int]string) {
	problems = map[int]string{}
	for i, text := range wanted {
		name, value, given := strings.Cut(text, "=")
		if !variableForm.MatchString(name) {
			problems[i] = fmt.Sprintf("want NAME=VALUE or NAME, got %q", text)
			continue
		}
		if !given {
			if value, given = lookUp(surroundings, name); !given {
				problems[i] = fmt.Sprintf("there is no variable %s in your environment; NAME=VALUE gives it a value", name)
				continue
			}
			variables = append(variables, name+"="+value)
			continue
		}
		for _, found := range placeholderForm.FindAllString(value, -1) {
			if !slices.Contains(placeholders(), found) {
				problems[i] = fmt.Sprintf("%s: there is no %s; there are %s", name, found, strings.Join(placeholders(), ", "))
			}
		}
		variables = append(variables, name+"="+value)
	}
	return variables, problems
}

func placeholders() []string {
	return []string{"{platform.url}", "{platform.token}", "{platform.refresh_token}"}
}

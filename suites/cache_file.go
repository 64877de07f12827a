package suites

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func cache11() Rule {
	return Rule{
		ID: "CACHE-11", Level: Should, Sides: []Side{Command}, Section: "Caching",
		Obligation: "keep the cache file unreadable to others from the moment it exists",
		Cause:      "The file is created with the usual mode, and narrowed afterwards or never.",
		Right:      "The file that holds the token has mode 0600, and had it when it was created.",
		Wrong:      "The file has mode 0644, or had it before it was changed to 0600.",
		Judge: func(c *Call, j *Judgement) {
			if c.Command == nil {
				return
			}
			for _, f := range c.Command.Files {
				if !c.holdsToken(f) {
					continue
				}
				final, known := openToOthers(f.Mode)
				atFirst, seen := openToOthers(f.ModeAtCreation)
				switch {
				case known && final:
					j.Fail("the file "+f.Path+" holds a runtime token and has mode "+f.Mode, "mode 0600")
				case seen && atFirst:
					j.Fail("the file "+f.Path+" holds a runtime token and was created with mode "+f.ModeAtCreation, "mode 0600 from the beginning")
				case !seen && c.lay(f.Path):
					j.Pass() // it was judged when it was new
				case !seen:
					j.Unclear("the mode with which " + f.Path + " was created was not seen; its final mode is " + f.Mode)
				default:
					j.Pass()
				}
			}
		},
	}
}

// lay tells whether an earlier command had left a file of that path.
func (c *Call) lay(path string) bool {
	return slices.ContainsFunc(c.Run.Calls, func(o *Call) bool {
		return o.Client == c.Client && o.Number < c.Number && o.Command != nil &&
			slices.ContainsFunc(o.Command.Files, func(f evidence.LeftFile) bool { return f.Path == path })
	})
}

// openToOthers tells whether a mode lets anyone but the owner at a file; ok is false for a mode that is not known.
func openToOthers(mode string) (open, ok bool) {
	if bits, err := strconv.ParseUint(mode, 8, 32); err == nil {
		return bits&0o077 != 0, true
	}
	if len(mode) < 6 {
		return false, false
	}
	return strings.Trim(mode[len(mode)-6:], "-") != "", true // -rw-r--r--
}

// holdsToken tells whether a left file holds a runtime token in some form.
func (c *Call) holdsToken(f evidence.LeftFile) bool {
	return slices.ContainsFunc(c.Run.mentioned(f.Content), func(s evidence.Secret) bool { return s.Kind == evidence.SecretRuntime })
}

func cache13() Rule {
	return Rule{
		ID: "CACHE-13", Level: Should, Sides: []Side{Command}, Section: "Caching",
		Obligation: "survive a corrupt, empty or foreign cache file",
		Cause:      "The file is decoded without regard to errors, or an error there ends the command.",
		Right:      "With the file cut in half the next command resolves and sends as if there were none.",
		Wrong:      "With the file cut in half the next command ends with a decoding error.",
		Judge: func(c *Call, j *Judgement) {
			judgeSurvival(c, j, func(h evidence.HomeChange) string {
				switch h.Spoiled {
				case "cut", "garbage":
					return "the cache file was corrupt (" + h.Spoiled + ")"
				case "empty":
					return "the cache file was empty"
				default:
					return ""
				}
			})
		},
	}
}

func cache15() Rule {
	return Rule{
		ID: "CACHE-15", Level: Should, Sides: []Side{Command}, Section: "Caching",
		Obligation: "stay an optimisation: trouble with the cache (unreadable, unwritable, of another version) neither fails a send nor loses its answer",
		Cause:      "An error in reading or writing the cache is passed on like one of the send.",
		Right:      "With a directory in place of the cache file the command sends and prints the answer.",
		Wrong:      "The message is sent, the cache cannot be written, and the command ends with that error in place of the answer.",
		Judge: func(c *Call, j *Judgement) {
			judgeSurvival(c, j, func(h evidence.HomeChange) string {
				switch {
				case h.Spoiled == "directory":
					return "a directory stood in place of the cache file"
				case h.Put != "" && !isNetrc(h.Put): // that is no trouble with the cache
					return "the file " + h.Put + " was put into the home (mode " + h.Mode + ")"
				default:
					return ""
				}
			})
		},
	}
}

// judgeSurvival judges that a command which nothing else stood against returned an answer after its home was changed in
// one of the ways that name picks.
func judgeSurvival(c *Call, j *Judgement, name func(evidence.HomeChange) string) {
	if !c.sendsByCommand() || !c.Message() {
		return
	}
	for _, h := range c.Home {
		what := name(h)
		if what == "" {
			continue
		}
		switch {
		case c.Returned() && c.ordinary() != nil:
			j.Pass()
		case c.Failed() && c.nothingAgainst():
			j.Fail(what+", and "+c.Ending()+" though the servers stood in nobody's way", "the send and its answer, as without a cache", c.Sends...)
		}
	}
}

// nothingAgainst tells whether nothing that is recorded gave the call a reason to fail: what it asked was answered well,
// its input is fit to be sent, and there was budget left.
func (c *Call) nothingAgainst() bool {
	if !c.fitInput() || !c.ended() || len(c.Maybe) > 0 || !c.inBudget(*c.Ended) || c.Run.deafPlatform() {
		return false
	}
	return !slices.ContainsFunc(c.Exchanges, func(x *Exchange) bool {
		switch {
		case !x.Whole() || x.Status() != 200:
			return true
		case x.Op == evidence.OpResolveAccess:
			return !sound(x.Access()) || len(oddities(x.Access())) > 0 || !c.Run.reaches(x)
		case x.Op == evidence.OpSendMessage:
			return len(x.Answer().Faults(c.Session)) > 0 || !isSound(x)
		default:
			return false
		}
	})
}

// fitInput tells whether nothing in what the call was given is a reason to refuse it.
func (c *Call) fitInput() bool {
	oddUID := strings.ContainsFunc(c.Session, func(r rune) bool { return !plainUID(r) })
	return c.badInput() == "" && !c.blankID() && !oddUID
}

// deafPlatform tells whether a platform of the run takes no connections.
func (r *Run) deafPlatform() bool {
	return slices.ContainsFunc(r.Endpoints, func(e evidence.Endpoint) bool {
		return e.Side == evidence.SidePlatform && e.Accepts != evidence.AcceptsYes
	})
}

func cache14() Rule {
	return Rule{
		ID: "CACHE-14", Level: Should, Sides: []Side{Command}, Section: "Caching",
		Obligation: "lose nothing when two commands write the cache at once",
		Cause:      "Each command reads the whole file, changes its entry and writes all of it, without a lock: the later one writes away what the earlier had added.",
		Right:      "After two commands for two sessions at once the cache holds the access of both.",
		Wrong:      "It holds the access of one, or is no longer readable.",
		Judge: func(c *Call, j *Judgement) {
			for _, other := range c.Run.Calls {
				if other.Number < c.Number && other.Client == c.Client && c.overlaps(other) {
					judgeBothKept(c, other, j)
				}
			}
		},
	}
}

// overlaps tells whether two commands ran at once, to the good end of both.
func (c *Call) overlaps(other *Call) bool {
	both := c.sendsByCommand() && other.sendsByCommand() && c.Returned() && other.Returned()
	return both && c.Started < *other.Ended && other.Started < *c.Ended
}

func judgeBothKept(c, other *Call, j *Judgement) {
	last := c
	if *other.Ended > *c.Ended {
		last = other
	}
	mine, its := c.lastAccess(), other.lastAccess()
	if mine == nil || its == nil || mine.Access().Token.Name == its.Access().Token.Name {
		return
	}
	inFile := func(x *Exchange) bool {
		if *c.Ended == *other.Ended && c.fileWith(x.Access().Token.Name)+other.fileWith(x.Access().Token.Name) != "" {
			return true // which of the two looked last is not known
		}
		return last.fileWith(x.Access().Token.Name) != ""
	}
	switch first, second := inFile(mine), inFile(its); {
	case first && second:
		j.Pass()
	case first || second:
		lost, of := its, other
		if second {
			lost, of = mine, c
		}
		j.Fail(fmt.Sprintf("after two commands at once the cache has no longer the access of call %d", of.Number), "the access of both", lost)
	}
}

// lastAccess is the newest answer of the call that admits and gives a token that has a name; nil where there is none.
func (c *Call) lastAccess() *Exchange {
	for _, r := range slices.Backward(c.Resolves) {
		if r.Access().Usable() && r.Access().Token.Name != "" {
			return r
		}
	}
	return nil
}

//go:build unix

package subject

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// actVariable makes the test binary a command that acts in one way.
const actVariable = "SUBJECT_TEST_ACT"

func TestMain(m *testing.M) {
	if act := os.Getenv(actVariable); act != "" {
		os.Exit(acts()[act]())
	}
	os.Exit(m.Run())
}

// acts are what the command of the tests can do.
func acts() map[string]func() int {
	return map[string]func() int{
		"tell": tell, "wait": wait, "trap": trap, "stubborn": stubborn, "grandchild": grandchild, "flood": flood, "leave": leave, "crash": crash,
		"version": func() int {
			fmt.Println("tool version 1.20.3-rc.1 (of a day)")
			return 0
		},
		"version word": func() int {
			if os.Args[len(os.Args)-1] == "--version" {
				return 2
			}
			fmt.Println("tool dev")
			return 0
		},
		"no version": func() int { return 1 },
		"driver":     drive, "deaf driver": drive, "clan": drive,
		"old driver": func() int {
			fmt.Println(`{"type":"hello","protocol":9,"client":{},"parallel":0}`)
			return wait()
		},
		"silent end": func() int { return 7 },
		"transcript": replay,
	}
}

// told is what a command says of its surroundings.
type told struct {
	Args []string `json:"args"`
	Env  []string `json:"env"`
	Dir  string   `json:"dir"`
}

func tell() int {
	dir, err := os.Getwd()
	if err != nil {
		return 9
	}
	if err := json.NewEncoder(os.Stdout).Encode(told{os.Args[1:], os.Environ(), dir}); err != nil {
		return 9
	}
	fmt.Fprintln(os.Stderr, "said", os.Getenv("HOME"))
	return 3
}

func wait() int {
	fmt.Println("waiting")
	<-time.After(time.Minute)
	return 0
}

func trap() int {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	fmt.Println("waiting")
	fmt.Fprintln(os.Stderr, "message id: m-1,", <-signals)
	return 130
}

func stubborn() int {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM)
	grandchild()
	return wait()
}

// grandchild leaves a process behind that holds the outputs open.
func grandchild() int {
	cmd := exec.Command("sleep", "60")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	_ = cmd.Start()
	fmt.Println(cmd.Process.Pid)
	return 0
}

func flood() int {
	line := strings.Repeat("x", 99) + "\n"
	fmt.Println("begin")
	for range 8 << 20 / len(line) {
		_, _ = os.Stdout.WriteString(line)
		_, _ = os.Stderr.WriteString(line)
	}
	fmt.Println("end")
	return 1
}

func leave() int {
	write := func(path string, mode os.FileMode) {
		_ = os.MkdirAll(filepath.Dir(path), 0o777)
		_ = os.WriteFile(path, []byte("in "+os.Getenv("HOME")), mode)
	}
	cache := filepath.Join(os.Getenv("HOME"), ".config", "cache.json")
	write(cache, 0o666)
	<-time.After(100 * time.Millisecond)
	_ = os.Chmod(cache, 0o600)
	write("here.txt", 0o600)
	write(filepath.Join(os.TempDir(), "there.txt"), 0o600)
	return 0
}

func crash() int {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	return wait()
}

// Command bubblebin shows that virtual time works in a program that go build
// made: it lets 90 virtual seconds pass and prints how that ended. With an
// argument it does what the argument names instead.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/a2a-conform/a2a-conform/internal/runner"
)

func main() {
	verbose := flag.Bool("v", false, "a flag of the program's own")
	flag.Parse()
	before := flag.CommandLine
	body := func() { time.Sleep(90 * time.Second) }
	switch flag.Arg(0) {
	case "panic":
		body = func() { panic("broken") }
	case "deadlock":
		body = func() { select {} }
	}
	for range 2 { // what the first bubble leaves must not trouble the second
		var passed time.Duration
		end, err := runner.Bubble("trial", runner.Patience, func() {
			start := time.Now()
			defer func() { passed = time.Since(start) }()
			body()
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		fmt.Println(end.How, passed)
	}
	flags := 0
	flag.VisitAll(func(*flag.Flag) { flags++ })
	fmt.Println(*verbose, flags, before == flag.CommandLine, flag.Args())
}

package cli

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"

	"github.com/spf13/pflag"

	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// driverOptions say how a driver and the servers reach each other.
type driverOptions struct {
	attach, listen, advertise string
}

func (o *driverOptions) define(flags *pflag.FlagSet) {
	flags.StringVar(&o.attach, "attach", "", "judge through a driver that is running already and serves the protocol at `URL`")
	flags.StringVar(&o.listen, "listen", "", "let the platform of a driver listen at `HOST:PORT`, where the driver expects it")
	flags.StringVar(&o.advertise, "advertise", "", "name all servers to the client as `HOST`, and listen on all addresses: for a client in a container or on another machine")
}

// hostForm is a name or an address of a machine.
var hostForm = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$`)

// unreachable lists what is wrong with the options. sockets tells that the runs take place on real time.
func (o *driverOptions) unreachable(sockets bool) []string {
	var problems []string
	add := func(bad bool, format string, args ...any) {
		if bad {
			problems = append(problems, fmt.Sprintf(format, args...))
		}
	}
	if o.attach != "" {
		u, err := url.Parse(o.attach)
		add(err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "", "--attach: want a URL such as http://127.0.0.1:9000, got %q", o.attach)
	}
	if o.listen != "" {
		host, port, err := net.SplitHostPort(o.listen)
		_, wrong := net.LookupPort("tcp", port) //nolint:noctx // a number is looked up nowhere
		add(err != nil || wrong != nil || host != "" && !hostForm.MatchString(host) && net.ParseIP(host) == nil, "--listen: want HOST:PORT such as 127.0.0.1:8080, got %q", o.listen)
		add(!sockets, "--listen: the servers listen nowhere on virtual time; name a driver behind --")
	}
	if o.advertise != "" {
		add(!hostForm.MatchString(o.advertise) && net.ParseIP(o.advertise) == nil, "--advertise: want the name or address of this machine, without a port, got %q", o.advertise)
		add(!sockets, "--advertise: nothing is reached over the network on virtual time; name a driver or a command behind --")
	}
	return problems
}

// repeat is the part of a command line that says the same again.
func (o *driverOptions) repeat() []string {
	var words []string
	for _, flag := range []struct{ name, value string }{{"--attach", o.attach}, {"--listen", o.listen}, {"--advertise", o.advertise}} {
		if flag.value != "" {
			words = append(words, flag.name, flag.value)
		}
	}
	return words
}

// driver is the driver that was named, and what is wrong with it.
func (o *commandOptions) driver(p *program) (subject.Subject, []string) {
	variables, problems := o.variables(p)
	unknown := subject.Reference(p.version) // stands in where there is none, for checks that need a subject
	if o.attach != "" {
		return subject.Attach(o.attach), problems
	}
	dir, err := os.Getwd()
	if err != nil {
		return unknown, append(problems, "--: your directory cannot be told: "+cause(err).Error())
	}
	made, err := subject.NewDriver(o.prefix, subject.DriverOptions{Dir: dir, Surroundings: p.env, Env: variables})
	if err != nil {
		return unknown, append(problems, "--: "+err.Error())
	}
	return made, problems
}

package defects

import (
	"slices"

	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// Commands lists the defects of command lines. They are part of All too, and About().Command tells them from the others.
func Commands() []Defect {
	all := slices.Concat(commandDefects(), outcomeDefects(), wordsDefects(), storeDefects())
	for i := range all {
		all[i].Subject = commandWith(plainClient(all[i].Name))
	}
	return all
}

// CommandTwin is the small command with no switch on, as Twin is the client.
func CommandTwin(asked func(name string)) subject.Subject {
	switches := plainClient("")
	switches.asked = asked
	return commandWith(switches)
}

// CommandVariants lists the command lines that are right but different. They are part of Variants too.
func CommandVariants() []Variant {
	list := []Variant{
		{Name: "command-keeps-nothing", About: "it keeps no access"},
		{Name: "command-keeps-access-elsewhere", About: "it keeps its access in another place"},
		{Name: "command-tells-its-id-always", About: "it prints the message id after an answer too"},
		{Name: "command-says-its-id-beforehand", About: "it prints the message id before it sends, and lets signals end it"},
		{Name: "command-names-the-id-by-its-option", About: "it names the message id as the option to use"},
		{Name: "command-answer-on-one-line", About: "it prints the answer as JSON on one line"},
		{Name: "command-answer-without-its-envelope", About: "it prints the Message alone"},
		{Name: "command-frames-its-answer", About: "it draws a line beside its answer"},
		{Name: "command-ends-with-three", About: "it ends with exit status 3 when a send fails"},
		{Name: "command-asks-who-it-is", About: "it asks the platform who the user is before it sends, and keeps access under that name"},
	}
	for i := range list {
		list[i].Subject = commandWith(plainClient(list[i].Name))
	}
	return list
}

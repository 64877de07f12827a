// Package defects holds clients that are wrong in one way each, to show that the rules notice.
//
// Each is written from scratch and shares nothing with the reference client: a defect that inherited good behaviour
// would prove less than it seems to. What is right about them is no model for anybody.
package defects

import "github.com/a2a-conform/a2a-conform/internal/subject"

// Defect is a client with one thing wrong.
type Defect struct {
	// Name is what run --defect takes; About says what is wrong, as "it …".
	Name, About string
	// Trips are the rules that must notice.
	Trips   []string
	Subject subject.Subject
}

// All lists the defects by name.
func All() []Defect {
	return []Defect{
		{
			Name: "hasty", About: "it resolves again every half second while the runtime wakes, whatever the platform directs",
			Trips: []string{"FLOW-06"}, Subject: hasty{},
		},
	}
}

// Names lists the names of the defects.
func Names() []string {
	var names []string
	for _, d := range All() {
		names = append(names, d.Name)
	}
	return names
}

// Find returns the defect of that name.
func Find(name string) (Defect, bool) {
	for _, d := range All() {
		if d.Name == name {
			return d, true
		}
	}
	return Defect{}, false
}

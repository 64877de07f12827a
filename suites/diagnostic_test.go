package suites

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Members of the answers of a tape that tests put others in the place of.
const (
	presence = `"runtime_presence":{"phase":"serving","replicas":{},"detail":"","observed_at":null,"wake":null}`
	notice   = `"notice":{"code":"c","severity":"info","title":"t","message":"m"}`
)

func TestOddities(t *testing.T) {
	t.Parallel()
	noticed := swap(ready(token1), `"notice":null`, notice)
	for name, tt := range map[string]struct {
		body string
		want []string
	}{
		"none":                           {ready(token1), nil},
		"none in a notice":               {noticed, nil},
		"none in an operation":           {swap(ready(token1), `"operation":null`, `"operation":{"uid":"u","status":"queued","created_at":"c","support_reference":"r"}`), nil},
		"paths of a wrong type":          {swap(ready(token1), `"is_ready":true`, `"is_ready":true,"runtime_paths":null`), []string{"runtime_paths is null"}},
		"a detail that is null":          {swap(ready(token1), `"is_ready":true`, `"is_ready":true,"detail":null`), nil},
		"a detail of a wrong type":       {swap(ready(token1), `"is_ready":true`, `"is_ready":true,"detail":7`), []string{"detail is a number"}},
		"is_ready of a wrong type":       {swap(ready(token1), `"is_ready":true`, `"is_ready":"yes"`), []string{"is_ready is text"}},
		"a notice of a wrong type":       {swap(ready(token1), `"notice":null`, `"notice":"n"`), []string{"notice is text"}},
		"an operation of a wrong type":   {swap(ready(token1), `"operation":null`, `"operation":[]`), []string{"operation is an array"}},
		"an operation without status":    {swap(ready(token1), `"operation":null`, `"operation":{"uid":"u","status":null,"created_at":"c","support_reference":"r"}`), []string{"the status of operation is null"}},
		"an operation of no moment":      {swap(ready(token1), `"operation":null`, `"operation":{"uid":"u","status":"queued","created_at":null}`), []string{"the created_at of operation is null", "the support_reference of operation is absent"}},
		"a direction below zero":         {swap(ready(token1), `"retry_after_ms":null`, `"retry_after_ms":-1`), []string{"retry_after_ms is -1"}},
		"a direction of a wrong type":    {swap(ready(token1), `"retry_after_ms":null`, `"retry_after_ms":"9"`), []string{"retry_after_ms is text"}},
		"presence null":                  {swap(ready(token1), presence, `"runtime_presence":null`), []string{"runtime_presence is null"}},
		"a phase of a wrong type":        {swap(ready(token1), `"phase":"serving"`, `"phase":1`), []string{"phase is a number"}},
		"replicas of a wrong type":       {swap(ready(token1), `"replicas":{}`, `"replicas":2`), []string{"replicas is a number"}},
		"a presence detail null":         {swap(ready(token1), `"detail":""`, `"detail":null`), []string{"the detail of runtime_presence is null"}},
		"a moment of a wrong type":       {swap(ready(token1), `"observed_at":null`, `"observed_at":5`), []string{"observed_at is a number"}},
		"a wake of a wrong type":         {swap(ready(token1), `"wake":null`, `"wake":7`), []string{"wake is a number"}},
		"a notice without a code":        {swap(noticed, `"code":"c",`, ``), []string{"the code of notice is absent"}},
		"a severity of a wrong type":     {swap(noticed, `"severity":"info"`, `"severity":3`), []string{"the severity of notice is a number"}},
		"a title that is null":           {swap(noticed, `"title":"t"`, `"title":null`), []string{"the title of notice is null"}},
		"a message of a wrong type":      {swap(noticed, `"message":"m"`, `"message":{}`), []string{"the message of notice is an object"}},
		"a stranger in the answer":       {swap(ready(token1), `"is_ready":true`, `"is_ready":true,"colour":1`), []string{`there is an unknown member "colour"`}},
		"a stranger in the interaction":  {swap(ready(token1), `"notice":null`, `"notice":null,"colour":1`), []string{`there is an unknown member "colour"`}},
		"a stranger in the presence":     {swap(ready(token1), `"wake":null`, `"wake":null,"colour":1`), []string{`there is an unknown member "colour"`}},
		"several, in their order":        {swap(ready(token1), `"is_ready":true`, `"is_ready":1`, `"wake":null`, `"wake":7`), []string{"is_ready is a number", "wake is a number"}},
		"a member of another's presence": {swap(ready(token1), `"is_ready":true`, `"is_ready":true,"phase":"x"`), []string{`there is an unknown member "phase"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			access := newTape().call(0).resolve(0, tt.body).view(false).All[0].Access()
			if diff := cmp.Diff(tt.want, oddities(access)); diff != "" {
				t.Errorf("oddities differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestContrary(t *testing.T) {
	t.Parallel()
	noticed := func(body, severity string) string {
		return swap(body, `"notice":null`, `"notice":{"code":"c","severity":"`+severity+`","title":"t","message":"m"}`)
	}
	operation := func(body, status string) string {
		return swap(body, `"operation":null`, `"operation":{"status":`+status+`}`)
	}
	refused := stopped("unavailable")
	for name, tt := range map[string]struct {
		body string
		want []string
	}{
		"nothing beside an admission":          {ready(token1), nil},
		"nothing beside a refusal":             {refused, nil},
		"not ready":                            {swap(ready(token1), `"is_ready":true`, `"is_ready":false`), []string{"is_ready false"}},
		"ready though refused":                 {swap(refused, `"is_ready":false`, `"is_ready":true`), []string{"is_ready true"}},
		"is_ready that is no truth":            {swap(refused, `"is_ready":false`, `"is_ready":"true"`), nil},
		"no is_ready beside an admission":      {swap(ready(token1), `"is_ready":true`, `"is_ready":null`), nil},
		"another phase":                        {swap(ready(token1), `"serving"`, `"idle"`), []string{`phase "idle"`}},
		"serving though refused":               {swap(refused, `"starting"`, `"serving"`), []string{`phase "serving"`}},
		"a phase that is no text":              {swap(ready(token1), `"serving"`, `null`), nil},
		"a warning":                            {noticed(ready(token1), "warning"), []string{`a notice of severity "warning"`}},
		"an error":                             {noticed(ready(token1), "error"), []string{`a notice of severity "error"`}},
		"a success beside an admission":        {noticed(ready(token1), "success"), nil},
		"a success though refused":             {noticed(refused, "success"), []string{`a notice of severity "success"`}},
		"a warning beside a refusal":           {noticed(refused, "warning"), nil},
		"an error beside a refusal":            {noticed(refused, "error"), nil},
		"an operation that goes on":            {operation(ready(token1), `"running"`), []string{`an operation "running"`}},
		"an operation that succeeded":          {operation(ready(token1), `"succeeded"`), nil},
		"an operation that succeeded, refused": {operation(refused, `"succeeded"`), []string{`an operation "succeeded"`}},
		"a failed operation beside a refusal":  {operation(refused, `"failed"`), nil},
		"an operation without a status":        {operation(ready(token1), `null`), nil},
		"a detail":                             {swap(ready(token1), `"is_ready":true`, `"is_ready":true,"detail":"starting"`), []string{"a detail"}},
		"an empty detail":                      {swap(ready(token1), `"is_ready":true`, `"is_ready":true,"detail":""`), nil},
		"a detail that is no text":             {swap(ready(token1), `"is_ready":true`, `"is_ready":true,"detail":7`), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			access := newTape().call(0).resolve(0, tt.body).view(false).All[0].Access()
			if diff := cmp.Diff(tt.want, contrary(access)); diff != "" {
				t.Errorf("what speaks against the answer differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSoundAdmission(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body string
		want bool
	}{
		"as it should be":                {ready(token1), true},
		"a plain token":                  {ready("abc~!"), true},
		"a token with a blank":           {ready("a b"), false},
		"a token with a control":         {swap(ready("abc"), `"abc"`, `"ab\u0001c"`), false},
		"a token beyond ASCII":           {swap(ready("abc"), `"abc"`, `"ab\u00e9"`), false},
		"a token with DEL":               {swap(ready("abc"), `"abc"`, `"ab\u007f"`), false},
		"no token":                       {swap(ready(token1), `"`+token1+`"`, "null"), false},
		"a member twice":                 {swap(ready(token1), `"is_ready":true`, `"is_ready":true,"is_ready":true`), false},
		"no mode":                        {swap(ready(token1), `"mode":"token",`, ""), true},
		"a mode of another name":         {swap(ready(token1), `"mode":"token"`, `"mode":"canary"`), true},
		"a mode that is null":            {swap(ready(token1), `"mode":"token"`, `"mode":null`), false},
		"mode unavailable":               {swap(ready(token1), `"mode":"token"`, `"mode":"unavailable"`), false},
		"a state that is null":           {swap(ready(token1), `"state":"ready"`, `"state":null`), false},
		"no service uid":                 {swap(ready(token1), `"7bd86be3-0000-4000-8000-000000000001"`, `" "`), false},
		"an expiry that nobody can read": {swap(ready(token1), `"2999-01-01T00:00:00Z"`, `"soon"`), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := sound(newTape().call(0).resolve(0, tt.body).view(false).All[0].Access()); got != tt.want {
				t.Errorf("sound is %t", got)
			}
		})
	}
}

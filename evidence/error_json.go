package evidence

import "encoding/json"

// errorFile is the file form of an Error: its limit may be a number that JSON cannot write.
type errorFile struct {
	plainError
	LimitSeconds *seconds `json:"limit_seconds"`
}

type plainError Error

// MarshalJSON writes NaN and the infinities of limit_seconds as text: that a client gave its caller such a limit is a
// fact that a recording must be able to hold.
func (e Error) MarshalJSON() ([]byte, error) {
	return json.Marshal(errorFile{plainError: plainError(e), LimitSeconds: (*seconds)(e.LimitSeconds)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (e *Error) UnmarshalJSON(data []byte) error {
	var f errorFile
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	*e = Error(f.plainError)
	e.LimitSeconds = (*float64)(f.LimitSeconds)
	return nil
}

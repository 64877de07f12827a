package evidence

import "net/http"

// Exchange is one request that reached a server and the answer it got. It is recorded when it arrives and completed
// later, so that one that hangs is visible too.
type Exchange struct {
	// Seq counts from 1 in the order of arrival.
	Seq int `json:"seq"`
	// Calls are the numbers of the calls it may belong to: one when that is certain.
	Calls    []int  `json:"calls"`
	Endpoint string `json:"endpoint"`
	Op       Op     `json:"op"`
	// Connection is the number of the connection it came over.
	Connection int `json:"connection"`
	// Scripted is false for a request that the script did not foresee: it was answered 418 with the reason.
	Scripted bool `json:"scripted"`
	// Arrived is when the request's head had been read.
	Arrived Offset `json:"arrived"`
	// BodyRead is when the last byte of the request's body had been read, nil where it never was.
	BodyRead *Offset `json:"body_read"`
	// HeadFrom and HeadBy enclose the writing of the answer's status line and head; nil where none went out.
	HeadFrom *Offset `json:"head_from"`
	HeadBy   *Offset `json:"head_by"`
	// LastFrom and LastBy enclose the writing of the last byte that was sent.
	LastFrom *Offset `json:"last_from"`
	LastBy   *Offset `json:"last_by"`
	Ended    *Offset `json:"ended"`
	EndedBy  EndedBy `json:"ended_by,omitempty"`

	Request  Request   `json:"request"`
	Response *Response `json:"response"`
}

// Op is the operation that a request asks of a server, known by its method and path.
type Op string

// The operations of the contract, the retired routes, and everything else.
const (
	OpResolveAccess Op = "platform.resolve_access"
	OpGetSession    Op = "platform.get_session"
	OpGetAgent      Op = "platform.get_agent"
	OpRenewToken    Op = "platform.renew_token"
	OpWhoAmI        Op = "platform.whoami"
	OpSendMessage   Op = "runtime.send_message"
	OpGetTask       Op = "runtime.get_task"
	OpCancelTask    Op = "runtime.cancel_task"
	OpLegacy        Op = "legacy"
	OpUnknown       Op = "unknown"
)

// EndedBy tells who brought an exchange to its end.
type EndedBy string

// Server: the answer went out whole. Client: it hung up first. Cut: the script cut the connection. Run: still open
// when the run was closed.
const (
	EndedByServer EndedBy = "server"
	EndedByClient EndedBy = "client"
	EndedByCut    EndedBy = "cut"
	EndedByRun    EndedBy = "run"
)

// Request is a request as it stood on the wire.
type Request struct {
	Method string `json:"method"`
	// Target is the request target, not decoded.
	Target string `json:"target"`
	Host   string `json:"host"`
	Proto  string `json:"proto"`
	// Header holds every header line; the lines of one name keep their order.
	Header http.Header `json:"header"`
	// ContentLength is -1 for a chunked body.
	ContentLength int64 `json:"content_length"`
	Body          Body  `json:"body"`
	// BodyError says why the body could not be read to its end.
	BodyError string `json:"body_error,omitempty"`
}

// Response is an answer as far as it was sent.
type Response struct {
	Status int         `json:"status"`
	Header http.Header `json:"header"`
	// Body is what was sent of the body, after any content coding was taken off.
	Body   Body    `json:"body"`
	Writes []Write `json:"writes"`
	// Sent counts all bytes that left the server for this answer, head included.
	Sent int64 `json:"sent"`
	// Complete tells that the whole answer went out, as its head announced it.
	Complete bool `json:"complete"`
	// Fault names what the script did to the answer on the wire ("cut", "pace", …), empty for none.
	Fault string `json:"fault,omitempty"`
}

// Write is a piece of an answer and when it had been written.
type Write struct {
	At    Offset `json:"at"`
	Bytes int64  `json:"bytes"`
}

// Connection is a connection that a subject made or tried to make.
type Connection struct {
	Number   int    `json:"number"`
	Endpoint string `json:"endpoint"`
	// Attempted is when the client asked for it: known in memory only.
	Attempted *Offset `json:"attempted"`
	Opened    *Offset `json:"opened"`
	Closed    *Offset `json:"closed"`
	ClosedBy  string  `json:"closed_by,omitempty"`
	BytesIn   int64   `json:"bytes_in"`
	BytesOut  int64   `json:"bytes_out"`
	// NotHTTP tells that what came over it was no HTTP request.
	NotHTTP bool `json:"not_http,omitempty"`
}

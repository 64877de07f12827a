// Package wire is how an answer of a mock server goes out: at once or late, whole or in pieces, cut, reset, held open,
// before the request was read, after any row of 1xx answers. Each fault has its file, and all of them work together.
// The same code runs over connections in memory on virtual time and over TCP.
//
// The room holds bytes and times only. What an answer says is made by the mock packages, which answer is given by
// package script; nothing here knows an operation of the contract, and nothing judges.
//
// # Wiring
//
// Whoever runs the servers owes this package four things:
//
//   - Options.Closed is a channel that is closed when the run is over. It ends every wait and every hung exchange,
//     which is then recorded as ended by the run. It has to be made where the servers run: inside the bubble, on
//     virtual time. Close it first, then call Close on the servers: that breaks off plain exchanges whose request is
//     still being read, which no channel can.
//   - ConnContext of the http.Server puts the number of the connection into the context with WithConnection.
//   - A connection in memory has `Reset() error`, after which the peer sees ECONNRESET. It may also have
//     `PeerClosed() <-chan struct{}`, closed when the client has closed its end: it is the only way to see a client go
//     while its upload is not being read. A wrapped TCP connection offers `NetConn() net.Conn`.
//   - Handlers run until their exchange has ended; wait for them (http.Server.Close does not) before the recording is
//     taken. Handlers leave no goroutine behind.
//
// A plain answer goes out through http.ResponseWriter and leaves the connection open for the next request. Any fault
// of the answer takes the connection over and ends it afterwards: announced by "Connection: close" where the scenario
// says nothing, unannounced with finish or cut.
package wire

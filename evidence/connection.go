package evidence

// Conn is a connection of a run that is being recorded. Its methods may be called from any goroutine.
type Conn struct {
	r *Recorder
	c Connection
}

// Attempt records that a client asks for a connection now, and returns it for what becomes of it.
func (r *Recorder) Attempt(endpoint string) *Conn {
	now := r.Now()
	return r.addConnection(Connection{Endpoint: endpoint, Attempted: &now})
}

// Accept records a connection that is open now and whose attempt nobody saw.
func (r *Recorder) Accept(endpoint string) *Conn {
	now := r.Now()
	return r.addConnection(Connection{Endpoint: endpoint, Opened: &now})
}

func (r *Recorder) addConnection(c Connection) *Conn {
	r.mu.Lock()
	defer r.mu.Unlock()
	conn := &Conn{r: r, c: c}
	conn.c.Number = len(r.connections) + 1
	if !r.closed {
		r.connections = append(r.connections, conn)
	}
	return conn
}

func (c *Conn) edit(edit func(*Connection)) {
	c.r.mu.Lock()
	defer c.r.mu.Unlock()
	if !c.r.closed {
		edit(&c.c)
	}
}

// Number is what Exchange.Connection refers to. It counts from 1.
func (c *Conn) Number() int { return c.c.Number }

// Opened records that the connection was established now.
func (c *Conn) Opened() {
	now := c.r.Now()
	c.edit(func(conn *Connection) { conn.Opened = &now })
}

// Closed records that the connection ended now, and by whom ("client", "server", "run", …). The first end counts.
func (c *Conn) Closed(by string) {
	now := c.r.Now()
	c.edit(func(conn *Connection) {
		if conn.Closed == nil {
			conn.Closed, conn.ClosedBy = &now, by
		}
	})
}

// Transferred adds bytes that came in from the client and went out to it.
func (c *Conn) Transferred(in, out int64) {
	c.edit(func(conn *Connection) {
		conn.BytesIn += in
		conn.BytesOut += out
	})
}

// NotHTTP records that what came over the connection was no HTTP request.
func (c *Conn) NotHTTP() {
	c.edit(func(conn *Connection) { conn.NotHTTP = true })
}

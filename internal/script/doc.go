// Package script decides what the mock servers answer: the operation queues of a scenario, the names of a run (uids,
// addresses, tokens), and the way from a request to the step that answers it.
//
// The room holds what both mocks share. What an answer of the platform or the runtime looks like is written in
// mockplatform and mockruntime, how it goes out in package wire; nothing here judges a client.
//
// Matching a step and counting it are one thing under one lock; reading a request and waiting come without it.
// Nothing is random, and nothing depends on which of two servers is asked.
//
// # Wiring
//
// For each run, inside the bubble where there is one:
//
//	rec := evidence.NewRecorder(id, clock, time.Now(), tolerance, bodies)
//	world := script.NewWorld(script.WorldConfig{Names: id, Nonce: nonce, Recorder: rec, Places: places})
//	scr := script.New(case.When, world, rec)
//	run := script.Run{Script: scr, World: world, Wire: wire.Options{Recorder: rec, Latency: wire.Latency, Closed: closed}}
//	platform := mockplatform.New(mockplatform.Config{Run: run, Endpoint: "platform", Routes: routes})
//
// and a handler of its kind for every further endpoint, by its side: mockplatform.New, mockruntime.New,
// mockruntime.Elsewhere. The recorder is told of the endpoints by the runner, which knows them. The routes are compiled
// once, by NewRoutes of each mock, and shared by all runs. Before the subject is asked to make a call of the scenario,
// Script.Name tells which number the recorder has given to it, and the call is recorded with World.SessionUID as its
// session.
//
// At the end of a run: let the subject's calls return, let everything come to rest (synctest.Wait), close the channel
// Closed, close the servers, wait for the handlers, close the recorder. Then Script.Leftover lists the steps that were
// not used up, and Script.Malformed the answers that were wrong without being asked to be.
package script

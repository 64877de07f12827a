// Tests of the driver as a program: lines in, lines out. What the client does with a server is a2a-conform's to judge.

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";

// Longer than anything here takes, so that a driver that is silent fails a test and does not hang it.
const PATIENCE = { timeout: 20_000 };

// Stands for a library that prints: whoever makes an id prints it. Standard output must stay free of it in every test.
const NOISE = "data:text/javascript," + encodeURIComponent(
  "const make = crypto.randomUUID.bind(crypto); crypto.randomUUID = () => { console.log('noise'); return make(); };",
);

let driver: ChildProcess;
let lines: AsyncIterator<string>;
let ended: Promise<number | null>;
let servers: Server[];

/** Writes lines to the driver, as one piece: it has to find their ends itself. */
function tell(...messages: object[]): void {
  driver.stdin!.write(messages.map((message) => JSON.stringify(message) + "\n").join(""));
}

async function next(): Promise<any> {
  const { value, done } = await lines.next();
  assert.ok(!done, "the driver ended in place of an answer");
  return JSON.parse(value);
}

function hello(url: string): object {
  return { type: "hello", protocol: 1, platform: { url, token: "platform-token", refresh_token: "" } };
}

function call(id: string, input: object, op = "send"): object {
  return { type: "call", id, client: "k1", op, session: "s1", input };
}

beforeEach(() => {
  servers = [];
  const program = fileURLToPath(new URL("driver.js", import.meta.url));
  driver = spawn(process.execPath, ["--import", NOISE, program], { stdio: ["pipe", "pipe", "ignore"] });
  lines = createInterface({ input: driver.stdout! })[Symbol.asyncIterator]();
  ended = once(driver, "exit").then(([code]) => code);
});

afterEach(() => {
  driver.kill("SIGKILL");
  for (const server of servers) close(server);
});

test("hello is answered with what the driver can do", PATIENCE, async () => {
  tell(hello("http://127.0.0.1:9"));
  const answer = await next();
  assert.equal(answer.type, "hello");
  assert.equal(answer.protocol, 1);
  assert.ok(answer.parallel > 1);
  assert.ok(answer.capabilities.includes("send"));
  assert.ok(!answer.capabilities.includes("task_mode"));
});

test("what the client cannot express is unsupported, and never dropped", PATIENCE, async () => {
  tell(hello("http://127.0.0.1:9"));
  await next();
  const cases: [string, object, string?][] = [
    ["an operation that does not exist", {}, "dance"],
    ["a Task operation", { task_id: "t1" }, "get_task"],
    ["Task mode", { message: "hi", response_kind: "task" }],
    ["a pair", { message: "hi", timeout: [5, 900] }],
    ["files", { message: "hi", files: [{ path: "/a.pdf", media_type: null }] }],
    ["a member of a later protocol", { message: "hi", priority: 1 }],
  ];
  for (const [name, input, op] of cases) {
    tell(call(name, input, op));
    const answer = await next();
    assert.equal(answer.type, "unsupported", name);
    assert.equal(answer.id, name);
    assert.ok(answer.reason, name);
  }
});

test("errors are told by class and status", PATIENCE, async () => {
  // The session's name is the status with which its access is refused, and a 200 has a body of no use.
  const url = await serve((request, response) => {
    response.writeHead(Number(request.url!.split("/").at(-3))).end("[]");
  });
  tell(hello(url));
  await next();
  const cases: [string, string][] = [
    ["401", "unauthorized"],
    ["403", "unauthorized"],
    ["404", "rejected"],
    ["503", "server_error"],
    ["200", "invalid_response"],
  ];
  for (const [session, category] of cases) {
    tell({ ...call(session, { message: "hi" }), session });
    const { outcome } = await next();
    assert.equal(outcome.kind, "error", session);
    assert.equal(outcome.error.category, category, session);
    assert.deepEqual(outcome.error.is, [category], session);
    assert.equal(outcome.error.status, session === "200" ? null : Number(session));
    assert.ok(outcome.error.bases.includes("Error"), session);
  }
});

test("a timeout and one that is no number are told apart", PATIENCE, async () => {
  tell(hello(await serve(() => {})));
  await next();
  tell(call("slow", { message: "hi", timeout: 0.2 }));
  const slow = await next();
  assert.equal(slow.outcome.error.category, "timeout");
  assert.ok(slow.elapsed >= 0.19 && slow.elapsed < 5, `elapsed is ${slow.elapsed}`);
  tell(call("odd", { message: "hi", timeout: "NaN" }));
  assert.equal((await next()).outcome.error.category, "invalid_argument");
});

test("a refused connection is an error of the transport, and its text has the cause", PATIENCE, async () => {
  const url = await serve(() => {});
  close(servers[0]!);
  tell(hello(url));
  await next();
  tell(call("refused", { message: "hi" }));
  const { outcome } = await next();
  assert.equal(outcome.error.category, "transport");
  assert.match(outcome.error.text, /ECONNREFUSED/);
});

test("two calls are open at once, and each answer has its own id and message", PATIENCE, async () => {
  // The first message is answered only when the second one has come, so a driver that makes one call after the
  // other gets no answer at all.
  const held: (() => void)[] = [];
  const url = await serve((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
      if (!request.url!.endsWith(":send")) {
        response.end(JSON.stringify({
          rpc_url: url,
          token: "runtime-token",
          runtime_interaction: { state: "ready", can_submit: true },
        }));
        return;
      }
      held.push(() => response.end(JSON.stringify({ message: { echo: JSON.parse(body).message.parts[0].text } })));
      if (held.length === 2) held.reverse().forEach((release) => release());
    });
  });
  tell(hello(url));
  await next();
  tell(call("a", { message: "first", message_id: null }), call("b", { message: "second" }));
  const echoes = new Map<string, string>();
  for (const answer of [await next(), await next()]) {
    assert.equal(answer.type, "result");
    echoes.set(answer.id, answer.outcome.message.echo);
  }
  assert.equal(echoes.get("a"), "first");
  assert.equal(echoes.get("b"), "second");
});

test("bye ends the process, also while a call is open", PATIENCE, async () => {
  tell(hello(await serve(() => {})), call("open", { message: "hi" }));
  await next();
  const before = performance.now();
  tell({ type: "bye" });
  assert.equal(await ended, 0);
  assert.ok(performance.now() - before < 5000);
});

test("the end of the input is as good as bye", PATIENCE, async () => {
  tell(hello("http://127.0.0.1:9"));
  await next();
  driver.stdin!.end();
  assert.equal(await ended, 0);
});

/** Starts a server, which the end of the test closes, and returns its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function close(server: Server): void {
  server.close();
  server.closeAllConnections();
}

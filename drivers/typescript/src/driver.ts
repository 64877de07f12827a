// A driver: the program by which a2a-conform makes calls to a client (docs/drivers.md). It judges nothing and hides
// nothing. To judge a client of yours, copy this file and change what is below "The client".

import { createInterface } from "node:readline";
import type { Client, SendOptions } from "./client.js";

// Libraries print. Standard output belongs to the protocol, so everybody else's is turned to standard error before
// the client is loaded. (Code outside of JavaScript would still reach descriptor 1: Node cannot point it elsewhere.)
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

// ---- The client: what this driver knows of it, and nothing else does. ----

// Loaded here and not by a plain import, which would come before the lines above.
const client = await import("./client.js");

const HELLO = {
  type: "hello",
  protocol: 1,
  client: { name: "plain-fetch", version: "1.0.0", language: "typescript" },
  // What is not named here is never asked of the client, or is answered with unsupported.
  capabilities: ["send", "timeout_number", "timeout_default", "message_id", "strict_dictionary", "typed_errors"],
  // Calls are promises in one process: as many as there are may wait at once.
  parallel: 16,
};

/** Answers why the client cannot make this call as it is asked for, or undefined where it can. */
function cannot(op: string, input: Input): string | undefined {
  if (op !== "send") return `there is no operation ${op}`;
  if ((input.response_kind ?? "message") !== "message") return "there is no Task mode";
  if ((input.files ?? []).length > 0) return "files cannot be sent";
  if (Array.isArray(input.timeout)) return "a timeout is one number";
  const others = Object.keys(input).filter((name) => !KNOWN.has(name) && input[name] != null);
  return others.length > 0 ? `there is no argument for ${others.join(", ")}` : undefined;
}

const KNOWN = new Set(["message", "message_id", "response_kind", "strict_dictionary", "json_repair_attempts", "files", "timeout"]);

/** Makes the call. A member that is null or absent is not passed on: the client's own default holds. */
async function make(instance: Client, call: Call): Promise<unknown> {
  const { message, message_id, strict_dictionary, json_repair_attempts, timeout } = call.input;
  const options: SendOptions = {};
  if (message_id != null) options.messageId = message_id;
  if (strict_dictionary != null) options.strictDictionary = strict_dictionary;
  if (json_repair_attempts != null) options.jsonRepairAttempts = json_repair_attempts;
  if (timeout != null) options.timeout = Number(timeout); // "NaN" and "Infinity" come as texts
  return instance.send(call.session, message ?? "", options);
}

/** Reads an error by its class and its status, never by its text. "" where the client does not let one tell. */
function category(error: unknown): string {
  if (error instanceof client.NotReadyError) return "not_ready";
  if (error instanceof client.InvalidResponseError) return "invalid_response";
  if (error instanceof client.StatusError) {
    if (error.status >= 500) return "server_error";
    return error.status === 401 || error.status === 403 ? "unauthorized" : "rejected";
  }
  if (error instanceof DOMException && error.name === "TimeoutError") return "timeout"; // of AbortSignal.timeout
  if (error instanceof RangeError) return "invalid_argument"; // a timeout that AbortSignal does not take
  if (error instanceof TypeError && error.cause !== undefined) return "transport"; // fetch's for everything below HTTP
  return "";
}

// ---- The protocol: the same for every client. ----

interface Input {
  message?: string | null;
  message_id?: string | null;
  response_kind?: string | null;
  strict_dictionary?: boolean | null;
  json_repair_attempts?: number | null;
  files?: unknown[] | null;
  timeout?: number | string | [number, number] | null;
  [member: string]: unknown;
}

interface Call {
  id: string;
  client: string;
  op: string;
  session: string;
  input: Input;
}

let platform = { url: "", token: "" };
const instances = new Map<string, Client>();

/** The client that goes by this name. Calls with one name share one instance, and what it keeps. */
function instanceOf(name: string): Client {
  let instance = instances.get(name);
  if (instance === undefined) {
    instance = new client.Client(platform.url, platform.token);
    instances.set(name, instance);
  }
  return instance;
}

function answer(line: object): void {
  write(JSON.stringify(line) + "\n");
}

/** Runs one call to its end. It never throws: whatever the client throws is its outcome. */
async function run(call: Call): Promise<void> {
  const reason = cannot(call.op, call.input ?? {});
  if (reason !== undefined) {
    answer({ type: "unsupported", id: call.id, reason });
    return;
  }
  const instance = instanceOf(call.client);
  const start = performance.now();
  let outcome: object;
  try {
    outcome = { kind: "message", message: await make(instance, call) };
  } catch (error) {
    outcome = { kind: "error", error: describe(error) };
  }
  answer({ type: "result", id: call.id, elapsed: (performance.now() - start) / 1000, outcome });
}

function describe(thrown: unknown): object {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { status = null, state = null } = error as { status?: number; state?: string };
  const is = category(error);
  const classes: string[] = [];
  for (let one = Object.getPrototypeOf(error); one !== Object.prototype; one = Object.getPrototypeOf(one)) {
    classes.push(one.constructor.name);
  }
  return {
    category: is,
    is: is === "" ? [] : [is], // this client has no class of errors that contains another category's
    name: error.name,
    bases: classes.slice(1),
    // What Node shows to a user has the cause with it, and fetch says nothing without.
    text: error.cause === undefined ? String(error) : `${error} (${error.cause})`,
    status,
    limit_seconds: null,
    state,
  };
}

// A call is started and not awaited, so lines are read while others wait.
for await (const line of createInterface({ input: process.stdin })) {
  const received = JSON.parse(line);
  if (received.type === "hello") {
    platform = received.platform;
    answer(HELLO);
  } else if (received.type === "call") {
    void run(received);
  } else if (received.type === "bye") {
    break;
  }
}

// Calls that are still open would keep the process alive. Lines written so far are kept: the pipe is drained first.
write("", () => process.exit(0));

// A plain client: what one writes on the first day from the route and the body in the documentation. It is honest, and it
// is naive: it asks for access once, sends once, and gives each of its two requests the caller's timeout. Its README says
// which rules that breaks.

/** What the caller of send may choose. */
export interface SendOptions {
  /** The id of the message; a new one where none is given. */
  messageId?: string;
  /** Asks for a JSON dictionary in place of text. */
  strictDictionary?: boolean;
  /** How often the platform may repair such an answer; 3 where nothing is said. */
  jsonRepairAttempts?: number;
  /** Seconds; Node's own limits where none is given. */
  timeout?: number;
}

/** A server answered with a status that is no success. */
export class StatusError extends Error {
  override name = "StatusError";
  constructor(readonly status: number, text: string) {
    super(text);
  }
}

/** The agent cannot take a message now. */
export class NotReadyError extends Error {
  override name = "NotReadyError";
  constructor(readonly state: string) {
    super(`the agent is not ready: ${state}`);
  }
}

/** A success whose body is not what it has to be. */
export class InvalidResponseError extends Error {
  override name = "InvalidResponseError";
}

interface Access {
  rpc_url: string;
  token: string;
  runtime_interaction: { can_submit: boolean; state: string };
}

const EXTENSIONS = "https://mainsequence.ai/a2a/extensions/response-kind/v1";
const OUTPUT_CONTRACT = "https://mainsequence.ai/a2a/extensions/output-contract/v1";

export class Client {
  constructor(private readonly platform: string, private readonly token: string) {}

  /** Sends a text to an agent session and returns the agent's Message. */
  async send(session: string, text: string, options: SendOptions = {}): Promise<unknown> {
    const body = sendBody(session, text, options);
    const access = await this.resolve(session, options.timeout);
    const answer = await post(
      access.rpc_url.replace(/\/$/, "") + "/api/a2a/v1/message:send",
      {
        "Authorization": `Bearer ${access.token}`,
        "Content-Type": "application/a2a+json",
        "Accept": "application/a2a+json",
        "A2A-Extensions": EXTENSIONS,
      },
      body,
      options.timeout,
    );
    const { message } = answer as { message?: unknown };
    if (!isObject(message)) {
      throw new InvalidResponseError("the answer has no message");
    }
    return message;
  }

  private async resolve(session: string, timeout?: number): Promise<Access> {
    const answer = await post(
      `${this.platform}/api/v1/agent-sessions/${encodeURIComponent(session)}/resolve-runtime-access/`,
      { "Authorization": `Bearer ${this.token}`, "Content-Type": "application/json", "Accept": "application/json" },
      "{}",
      timeout,
    );
    const access = answer as Access;
    if (!access.runtime_interaction.can_submit) {
      throw new NotReadyError(access.runtime_interaction.state);
    }
    return access;
  }
}

function sendBody(session: string, text: string, options: SendOptions): string {
  const strict = options.strictDictionary ?? false;
  return JSON.stringify({
    message: {
      messageId: options.messageId ?? `msg-${crypto.randomUUID()}`,
      role: "ROLE_USER",
      contextId: session,
      parts: [{ text }],
    },
    configuration: {
      acceptedOutputModes: [strict ? "application/json" : "text/plain"],
      responseKind: "message",
    },
    ...(strict && {
      metadata: {
        [OUTPUT_CONTRACT]: {
          response_format: { type: "dictionary", strict: true },
          jsonRepairAttempts: options.jsonRepairAttempts ?? 3,
        },
      },
    }),
  });
}

async function post(url: string, headers: Record<string, string>, body: string, timeout?: number): Promise<object> {
  const signal = timeout === undefined ? null : AbortSignal.timeout(Math.round(timeout * 1000));
  const response = await fetch(url, { method: "POST", headers, body, signal });
  const text = await response.text();
  if (!response.ok) {
    throw new StatusError(response.status, `${response.status} ${response.statusText}: ${text}`);
  }
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new InvalidResponseError("the answer is not JSON");
  }
  if (!isObject(answer)) {
    throw new InvalidResponseError("the answer is not a JSON object");
  }
  return answer;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

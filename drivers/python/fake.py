"""A tiny platform with a runtime behind it, for the tests of the driver. It records what it was sent."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

READY = {"state": "ready", "can_submit": True, "notice": None, "operation": None, "retry_after_ms": None}
TASK = {"id": "t1", "contextId": "c", "status": {"state": "TASK_STATE_COMPLETED"}, "artifacts": [], "history": []}
LIMIT = {
    "error": {
        "code": 504,
        "status": "DEADLINE_EXCEEDED",
        "message": "Too slow.",
        "details": [
            {
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                "reason": "MESSAGE_RESPONSE_LIMIT_EXCEEDED",
                "domain": "mainsequence.ai",
                "metadata": {"limitSeconds": "90"},
            }
        ],
    }
}


class Fake:
    """Answers by the session: plans holds, for a session, the answers to its sends in their order."""

    def __init__(self):
        self.requests = []
        self.interactions = {}
        self.plans = {}
        self.release = threading.Event()  # an answer of None waits for it
        self._lock = threading.Lock()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                fake.answer(self, {})

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                fake.answer(self, json.loads(body or b"{}"))

            def log_message(self, *_args):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def close(self):
        self.release.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def sent(self, session):
        """The bodies of the sends to that session, with their headers."""
        return [
            (body, headers)
            for path, body, headers in self.requests
            if path.endswith("/message:send") and body["message"]["contextId"] == session
        ]

    def answer(self, handler, body):
        path = handler.path.partition("?")[0]
        with self._lock:
            self.requests.append((path, body, dict(handler.headers)))
            status, payload = self._answer(path, body)
        if payload is None:
            self.release.wait(20)
            payload = {}
        raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(raw)))
        handler.end_headers()
        try:
            handler.wfile.write(raw)
        except OSError:
            pass  # the client did not wait

    def _answer(self, path, body):
        words = path.strip("/").split("/")
        if words[-1] == "resolve-runtime-access":
            return 200, self._access(words[-2])
        if words[-1] == "message:send":
            session = body["message"]["contextId"]
            plan = self.plans.get(session)
            return plan.pop(0) if plan else (200, {"message": message(session)})
        if "tasks" in words:
            return 200, {"task": TASK}
        if words[-2] == "agent-sessions":
            return 200, agent_session(words[-1])
        if words[-2] == "agents":
            return 200, agent(words[-1])
        return 404, {"detail": "Not found."}

    def _access(self, session):
        interaction = self.interactions.get(session, READY)
        admitted = interaction["can_submit"]
        return {
            "mode": "token" if admitted else "unavailable",
            "rpc_url": self.url + "/runtime/" if admitted else None,
            "token": "runtime-token" if admitted else None,
            "detail": None,
            "runtime_interaction": interaction,
            "runtime_presence": {"phase": "serving", "replicas": {}, "detail": "", "observed_at": None, "wake": None},
        }


def message(session, **members):
    return {"messageId": "m1", "role": "ROLE_AGENT", "contextId": session, "parts": [{"text": "hello"}], **members}


def agent_session(uid):
    return {
        "uid": uid,
        "agent_uid": "a1" if uid.endswith("task") else "a2",
        "organization_environment_uid": "e1",
        "organization_environment_name": "e",
        "catalog_digest": None,
        "llm_provider": "p",
        "llm_model": "m",
    }


def agent(uid):
    """The agent a1 advertises Task, every other one Messages only."""
    return {
        "uid": uid,
        "name": "n",
        "description": "d",
        "agent_card": {"name": "n", "description": "d"},
        "llm_thinking": "",
        "repository_branch": None,
        "organization_environment_uid": "e1",
        "organization_environment_name": "e",
        "a2a_profile": {
            "response_kind_extension_uri": "https://mainsequence.ai/a2a/extensions/response-kind/v1",
            "supported_response_kinds": ["message", "task"] if uid == "a1" else ["message"],
            "default_response_kind": "message",
        },
    }

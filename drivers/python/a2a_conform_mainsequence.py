"""Lets a2a-conform call the Main Sequence Python SDK: driver protocol, version 1.

Run it with the interpreter of an environment that has the SDK:

    a2a-conform run -- .venv/bin/python drivers/python/a2a_conform_mainsequence.py

This file speaks the protocol and nothing else. What the SDK is asked for stands in mainsequence_calls, how its errors
are read in mainsequence_errors. Both import the SDK, which reads its endpoint and credentials when it is imported, so
they are imported only when hello has come.
"""

import json
import math
import os
import sys
import threading
import time

PROTOCOL = 1

# Calls mostly wait for the network, so threads serve. Each send takes the interpreter for some 6 ms: of 32 calls that
# begin together the last one is late by 0.1 s, of 64 by as much as half a second.
PARALLEL = 32

# What the scheduling of that many threads may add to a budget: the SDK waits for its answer on a thread of its own.
GRACE_MS = 300

# How long open calls may still answer after bye or the end of the input; the protocol allows 5 seconds in all.
LAST_WORDS = 2.0


class Lines:
    """The real standard output. Everybody else's descriptor 1 is standard error from here on."""

    def __init__(self):
        self._out = os.fdopen(os.dup(1), "wb")
        self._lock = threading.Lock()
        os.dup2(2, 1)

    def write(self, line):
        data = encode(line) + b"\n"
        with self._lock:
            self._out.write(data)
            self._out.flush()


def encode(line):
    """Write one object as JSON. Python reads NaN out of an answer and hands it on; JSON has only words for it."""
    try:
        text = json.dumps(line, allow_nan=False)
    except ValueError:
        text = json.dumps(_in_words(line), allow_nan=False)
    return text.encode("ascii")


def _in_words(value):
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {key: _in_words(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_in_words(element) for element in value]
    return value


def prepare(platform):
    """Give the SDK its surroundings: the platform of this session, and nothing of whoever runs the harness."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name == "JOB_RUN_UID":
            del os.environ[name]
    os.environ["MAINSEQUENCE_AUTH_MODE"] = "jwt"
    for name, member, given in (
        ("MAINSEQUENCE_ENDPOINT", "url", "A2A_CONFORM_PLATFORM_URL"),
        ("MAINSEQUENCE_ACCESS_TOKEN", "token", "A2A_CONFORM_PLATFORM_TOKEN"),
        ("MAINSEQUENCE_REFRESH_TOKEN", "refresh_token", "A2A_CONFORM_REFRESH_TOKEN"),
    ):
        value = platform.get(member) or os.environ.get(given)
        if not value:
            raise SystemExit(f"no platform {member}: neither hello nor {given} gives it; start this driver by a2a-conform")
        os.environ[name] = value
    # The SDK reads a file .env of its working directory.
    directory = os.environ.get("A2A_CONFORM_DIR")
    if directory:
        os.chdir(directory)


class Driver:
    """One session with the harness."""

    def __init__(self, lines):
        self._lines = lines
        self._calls = None  # mainsequence_calls, once hello has come
        self._open = set()

    def serve(self, source):
        """Read the harness's lines until bye or their end."""
        for raw in source:
            line = read(raw)
            kind = line.get("type")
            if kind == "bye":
                break
            if kind == "hello":
                self._hello(line)
            elif kind == "call" and isinstance(line.get("id"), str):
                self._call(line)
            elif line:
                complain(f"a line of type {kind!r} is not for this driver")
        until = time.monotonic() + LAST_WORDS
        for thread in list(self._open):
            thread.join(max(0.0, until - time.monotonic()))

    def _hello(self, line):
        if self._calls is None:
            prepare(line.get("platform") or {})
            try:
                import mainsequence_calls
            except ModuleNotFoundError as missing:
                raise SystemExit(
                    f"{missing}: use the interpreter of an environment with drivers/python/requirements.txt installed"
                ) from missing
            self._calls = mainsequence_calls
        self._lines.write(
            {
                "type": "hello",
                "protocol": PROTOCOL,
                "client": {"name": "mainsequence", "version": self._calls.version(), "language": "python"},
                "capabilities": self._calls.CAPABILITIES,
                "parallel": PARALLEL,
                "constants": {**self._calls.constants(), "grace_ms": GRACE_MS},
            }
        )

    def _call(self, line):
        if self._calls is None:
            self._unsupported(line["id"], "a call before hello")
            return
        # A daemon: a call that never returns must not keep the process alive after bye.
        thread = threading.Thread(target=self._perform, args=(line,), daemon=True)
        self._open.add(thread)
        thread.start()

    def _perform(self, line):
        """Make one call, on a thread of its own, and answer it."""
        try:
            self._answer(line)
        except BrokenPipeError:
            os._exit(1)  # the harness has gone
        finally:
            self._open.discard(threading.current_thread())

    def _answer(self, line):
        try:
            outcome, elapsed = self._calls.perform(line)
        except self._calls.Unsupported as why:
            self._unsupported(line["id"], str(why))
            return
        try:
            self._lines.write({"type": "result", "id": line["id"], "elapsed": elapsed, "outcome": outcome})
        except (RecursionError, TypeError, ValueError) as why:
            self._unsupported(line["id"], f"what the client returned cannot be written as JSON: {why}")

    def _unsupported(self, call, reason):
        self._lines.write({"type": "unsupported", "id": call, "reason": reason})


def read(raw):
    """Read one line of the harness; an empty object for what is none."""
    try:
        line = json.loads(raw)
    except ValueError as broken:
        complain(f"a line of the harness is not JSON: {broken}")
        return {}
    return line if isinstance(line, dict) else {}


def complain(text):
    print("a2a_conform_mainsequence:", text, file=sys.stderr, flush=True)


def main():
    lines = Lines()
    Driver(lines).serve(sys.stdin.buffer)
    sys.stderr.flush()
    # Threads of the SDK, and calls that hang, would be waited for otherwise.
    os._exit(0)


if __name__ == "__main__":
    main()

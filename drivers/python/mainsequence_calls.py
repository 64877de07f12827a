"""What the SDK is asked for, and what it gives its caller, in the words of the driver protocol.

Nothing is judged here, put right or left out: a member that is null or absent is not passed on, so that the SDK's own
default holds; one that the SDK has no argument for makes the call unsupported.
"""

import time
from importlib import metadata

import mainsequence.client.agent_runtime_models as sdk

import mainsequence_errors

CAPABILITIES = [
    "send", "get_task", "cancel_task", "wait_task", "task_mode",
    "timeout_number", "timeout_pair", "timeout_default",
    "message_id", "strict_dictionary", "files", "typed_errors",
]  # fmt: skip


class Unsupported(Exception):
    """The SDK cannot be asked for that."""


def version():
    """The version of the SDK that is installed here."""
    return metadata.version("mainsequence")


def constants():
    """What the SDK fixes, read out of it: a constant that another version does not have is not claimed."""
    found = {}
    for name, attribute, scale in (
        ("min_wait_ms", "MIN_RUNTIME_INTERACTION_RETRY_SECONDS", 1000),
        ("max_wait_ms", "MAX_RUNTIME_INTERACTION_RETRY_SECONDS", 1000),
        ("cache_skew", "DEFAULT_AGENT_RUNTIME_ACCESS_CACHE_EXPIRY_SKEW_SECONDS", 1),
        ("cache_fallback", "DEFAULT_AGENT_RUNTIME_ACCESS_CACHE_TTL_SECONDS", 1),
    ):
        value = getattr(sdk, attribute, None)
        if value is not None:
            found[name] = round(value * scale)
    return found


def perform(line):
    """Make one call. Returns its outcome and the seconds that the SDK took for it; raises Unsupported."""
    if line.get("platform") is not None:
        raise Unsupported("the SDK reads its platform and credentials once in a process; another one cannot be given per call")
    operation = OPERATIONS.get(line.get("op"))
    if operation is None:
        raise Unsupported(f"the SDK has no operation {line.get('op')!r}")
    method, readers = operation
    arguments = _arguments(line.get("input") or {}, readers)
    ask = getattr(sdk.AgentSession, method)
    session = line.get("session")
    began = time.perf_counter()
    try:
        result = ask(session, **arguments)
    except BaseException as error:  # whatever a caller could meet is an outcome
        elapsed = time.perf_counter() - began
        asked_for_task = arguments.get("response_kind") == sdk.A2AResponseKind.TASK.value
        return {"kind": "error", "error": mainsequence_errors.described(error, asked_for_task)}, elapsed
    elapsed = time.perf_counter() - began
    return _outcome(result), elapsed


def _arguments(given, readers):
    """Turn the members of a call's input into the arguments of the SDK's method."""
    arguments = {}
    for member, value in given.items():
        if value is None:
            continue
        if member not in readers:
            raise Unsupported(f"the SDK takes no {member} in this operation")
        name, reader = readers[member]
        arguments[name] = reader(member, value)
    return arguments


def _as_given(_member, value):
    return value


def _seconds(member, value):
    if isinstance(value, str) and value in ("NaN", "Infinity", "-Infinity"):
        return float(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    raise Unsupported(f"{member} is not a number of seconds: {value!r}")


def _timeout(member, value):
    """A total, or a pair: the SDK tells a pair by its being a tuple."""
    if isinstance(value, list):
        if len(value) != 2:
            raise Unsupported(f"{member} has {len(value)} numbers, and the SDK takes connect and read")
        return tuple(_seconds(member, part) for part in value)
    return _seconds(member, value)


def _files(member, value):
    """A path as a caller would write it; the SDK takes a media type only together with the path, in a dict."""
    if not isinstance(value, list) or not all(isinstance(file, dict) and file.get("path") for file in value):
        raise Unsupported(f"{member} is not a list of objects with a path")
    return [_file(member, file) for file in value]


def _file(member, file):
    stray = sorted(name for name, value in file.items() if value is not None and name not in ("path", "media_type"))
    if stray:
        raise Unsupported(f"{member} with {', '.join(stray)} cannot be expressed")
    if file.get("media_type") is None:
        return file["path"]
    return {"path": file["path"], "media_type": file["media_type"]}


_TIMEOUT = {"timeout": ("timeout", _timeout)}
_TASK = {"task_id": ("task_id", _as_given), **_TIMEOUT}

# For each operation the SDK's method, and for each member of the input its argument and how the value is read.
OPERATIONS = {
    "send": (
        "send_a2a_message",
        {
            "message": ("message", _as_given),
            "message_id": ("message_id", _as_given),
            "response_kind": ("response_kind", _as_given),
            "strict_dictionary": ("strict_dictionary", _as_given),
            "json_repair_attempts": ("json_repair_attempts", _as_given),
            "files": ("files", _files),
            **_TIMEOUT,
        },
    ),
    "get_task": ("get_a2a_task", _TASK),
    "cancel_task": ("cancel_a2a_task", _TASK),
    "wait_task": (
        "wait_for_a2a_task",
        {
            **_TASK,
            "poll_interval": ("poll_interval_seconds", _seconds),
            "wait_timeout": ("wait_timeout_seconds", _seconds),
        },
    ),
}


def _outcome(result):
    """What the SDK returned: the Message as it is, a Task with all that its object shows, nulls and the rest too."""
    if isinstance(result, sdk.A2AMessageSendResult):
        if result.task is None:
            return {"kind": "message", "message": result.message}
        result = result.task
    return {"kind": "task", "task": result.model_dump(by_alias=True)}

"""How the SDK's errors are read: by class and status, never by their text.

Where one class stands for several things that the protocol tells apart, a caller cannot tell them apart either, and the
category is "":

- ApiError itself without a response: a runtime that is blocked for good, and an access answer without a usable token,
  address or direction.
- TypeError: an argument of a wrong type, and an answer that is no JSON object.
- ValueError itself in Task mode: a bad argument, and an Agent that does not advertise Task.
"""

import json

import pydantic
import requests
from mainsequence.client import exceptions as api
from mainsequence.client.agent_runtime_models import A2AMessageLimitExceededError, AgentRuntimeNotReadyError

# A plain ConnectionError or TimeoutError is Python's own; those of requests have other bases.
_TIMED_OUT = (requests.Timeout, TimeoutError)
_TRANSPORT = (requests.ConnectionError, requests.exceptions.ChunkedEncodingError, api.TransportError, ConnectionError)
# The caller gives no address and no header: those that requests refuses came with the platform's answer.
_BAD_ANSWER = (
    pydantic.ValidationError,
    json.JSONDecodeError,
    requests.exceptions.ContentDecodingError,
    requests.exceptions.InvalidURL,
    requests.exceptions.MissingSchema,
    requests.exceptions.InvalidSchema,
    requests.exceptions.InvalidHeader,
)
# Files are all that a call reads from the disk.
_UNREADABLE = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError)

# The class by which a caller would catch each category. ApiError is left out: who catches it catches everything.
_ORDINARY = {
    "message_limit": (A2AMessageLimitExceededError,),
    "not_ready": (AgentRuntimeNotReadyError,),
    "timeout": _TIMED_OUT,
    "transport": _TRANSPORT,
    "server_error": (api.ServerError,),
    "unauthorized": (api.AuthenticationError, api.PermissionDeniedError),
    "rejected": (api.BadRequestError, api.NotFoundError, api.ConflictError, api.RateLimitError),
    "invalid_response": _BAD_ANSWER,
    "invalid_argument": (ValueError, TypeError, *_UNREADABLE),
    "not_advertised": (ValueError,),
}


def described(error, asked_for_task=False):
    """Put an error into the words of the protocol. asked_for_task tells a send in Task mode."""
    kind = category(error, asked_for_task)
    caught = [name for name, classes in _ORDINARY.items() if isinstance(error, classes)]
    if kind and kind not in caught:
        caught.insert(0, kind)
    first, *bases = (c.__name__ for c in type(error).__mro__ if c not in (object, BaseException, Exception))
    return {
        "category": kind,
        "is": caught,
        "name": first,
        "bases": bases,
        "text": str(error),
        "status": getattr(error, "status_code", None),
        "limit_seconds": getattr(error, "limit_seconds", None),
        "state": getattr(error, "state", None),
    }


def category(error, asked_for_task=False):
    """Read an error as the caller of the SDK can read it; "" where the SDK does not let one tell."""
    # The order matters: ConnectTimeout is a ConnectionError too, and TransportError an ApiError with a status of its own.
    for kind in ("message_limit", "not_ready", "timeout", "transport"):
        if isinstance(error, _ORDINARY[kind]):
            return kind
    if isinstance(error, api.ApiError):
        return _by_status(error.status_code)
    if isinstance(error, _BAD_ANSWER):
        return "invalid_response"
    if isinstance(error, _UNREADABLE):
        return "invalid_argument"
    if type(error) is ValueError:
        return "" if asked_for_task else "invalid_argument"
    if isinstance(error, TypeError):
        return ""
    return "other"


def _by_status(status):
    if status is None:
        return ""
    if status in (401, 403):
        return "unauthorized"
    if 400 <= status <= 499:
        return "rejected"
    if 500 <= status <= 599:
        return "server_error"
    # The SDK found fault with an answer whose status had none.
    return "invalid_response" if 200 <= status <= 299 else "other"

"""How errors are read, by class and status."""

import json
import os
import unittest

# The SDK reads these when it is imported; nothing is asked of them here.
os.environ["MAINSEQUENCE_ENDPOINT"] = "http://127.0.0.1:9"
os.environ.setdefault("MAINSEQUENCE_ACCESS_TOKEN", "none")

import pydantic
import requests
from mainsequence.client import exceptions as api
from mainsequence.client.agent_runtime_models import A2AMessageLimitExceededError, AgentRuntimeNotReadyError, AgentSessionRuntimeAccess

import mainsequence_errors


def answered(status):
    response = requests.Response()
    response.status_code = status
    return response


def raised(function, *arguments, **members):
    try:
        function(*arguments, **members)
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


class Category(unittest.TestCase):
    def check(self, error, category, caught, asked_for_task=False):
        said = mainsequence_errors.described(error, asked_for_task)
        self.assertEqual((category, caught), (said["category"], said["is"]))
        return said

    def test_by_status(self):
        for status, want in {302: "other", 200: "invalid_response", 401: "unauthorized", 403: "unauthorized",
                             404: "rejected", 413: "rejected", 422: "rejected", 429: "rejected",
                             500: "server_error", 502: "server_error", 599: "server_error"}.items():  # fmt: skip
            with self.subTest(status):
                if status == 200:
                    error = api.ApiError("wrong", response=answered(200))
                else:
                    error = raised(api.raise_for_response, answered(status))
                said = self.check(error, want, [want])
                self.assertEqual(status, said["status"])

    def test_limit(self):
        said = self.check(
            A2AMessageLimitExceededError(limit_seconds=2.5, response=answered(504)), "message_limit", ["message_limit", "server_error"]
        )
        self.assertEqual((2.5, 504), (said["limit_seconds"], said["status"]))
        self.assertEqual(["ServerError", "ApiError"], said["bases"])

    def test_readiness(self):
        said = self.check(AgentRuntimeNotReadyError("asleep", state="waking"), "not_ready", ["not_ready"])
        self.assertEqual("waking", said["state"])
        self.check(api.ApiError("blocked"), "", [])

    def test_network(self):
        self.check(requests.ReadTimeout("slow"), "timeout", ["timeout"])
        self.check(requests.ConnectTimeout("slow"), "timeout", ["timeout", "transport"])
        self.check(TimeoutError("waited"), "timeout", ["timeout"])
        self.check(requests.ConnectionError("reset"), "transport", ["transport"])
        self.check(requests.exceptions.ChunkedEncodingError("cut"), "transport", ["transport"])
        self.check(ConnectionResetError("reset"), "transport", ["transport"])

    def test_the_status_that_the_sdk_makes_up_for_a_failed_request(self):
        response = answered(500)
        response.code = "expired"
        said = self.check(raised(api.raise_for_response, response), "transport", ["transport"])
        self.assertEqual(("TransportError", 500), (said["name"], said["status"]))

    def test_values(self):
        both = ["invalid_argument", "not_advertised"]
        self.check(ValueError("blank"), "invalid_argument", both)
        self.check(ValueError("blank or not advertised"), "", both, asked_for_task=True)
        self.check(TypeError("no object"), "", ["invalid_argument"])
        self.check(FileNotFoundError("gone"), "invalid_argument", ["invalid_argument"])
        unfit = raised(AgentSessionRuntimeAccess)
        self.assertIsInstance(unfit, pydantic.ValidationError)
        self.check(unfit, "invalid_response", ["invalid_response", *both])
        self.check(raised(json.loads, "{"), "invalid_response", ["invalid_response", *both])
        self.check(requests.exceptions.InvalidURL("odd"), "invalid_response", ["invalid_response", *both])

    def test_what_nobody_expects(self):
        said = self.check(AttributeError("odd"), "other", ["other"])
        self.assertEqual(("AttributeError", []), (said["name"], said["bases"]))


if __name__ == "__main__":
    unittest.main()

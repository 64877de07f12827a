"""Drives the driver as the harness does: as a process, by lines."""

import base64
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import fake

DRIVER = pathlib.Path(__file__).with_name("a2a_conform_mainsequence.py")
PATIENCE = 30.0


class Process:
    """The driver, and the lines that it wrote."""

    def __init__(self, platform, home):
        self.platform = platform
        work = pathlib.Path(home, "work")
        work.mkdir(exist_ok=True)
        self.child = subprocess.Popen(
            [sys.executable, str(DRIVER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={
                "PATH": os.environ.get("PATH", ""),
                "HOME": home,
                "TMPDIR": home,
                "http_proxy": "http://127.0.0.1:9",
                "A2A_CONFORM_PROTOCOL": "1",
                "A2A_CONFORM_DIR": str(work),
                "A2A_CONFORM_PLATFORM_URL": platform.url,
                "A2A_CONFORM_PLATFORM_TOKEN": "platform-token",
                "A2A_CONFORM_REFRESH_TOKEN": "refresh-token",
            },
        )
        self._lines = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.count = 0

    def _read(self):
        for line in self.child.stdout:
            self._lines.put(line)

    def write(self, line):
        self.child.stdin.write(json.dumps(line).encode() + b"\n")
        self.child.stdin.flush()

    def next(self):
        return json.loads(self._lines.get(timeout=PATIENCE))

    def hello(self):
        platform = {"url": self.platform.url, "token": "platform-token", "refresh_token": "refresh-token"}
        self.write({"type": "hello", "protocol": 1, "platform": platform})
        return self.next()

    def ask(self, op, session, given, **members):
        self.count += 1
        line = {"type": "call", "id": f"c{self.count}", "client": "k1", "op": op, "session": session, "input": given}
        self.write({**line, **members})
        return line["id"]

    def call(self, op, session, given, **members):
        call = self.ask(op, session, given, **members)
        answer = self.next()
        if answer["id"] != call:
            raise AssertionError(f"asked {call}, answered {answer}")
        return answer

    def close(self):
        self.child.stdin.close()
        status = self.child.wait(PATIENCE)
        self._reader.join()
        self.child.stdout.close()
        return status


class Session(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.platform = fake.Fake()
        cls.home = tempfile.TemporaryDirectory()
        cls.driver = Process(cls.platform, cls.home.name)
        cls.greeting = cls.driver.hello()

    @classmethod
    def tearDownClass(cls):
        cls.driver.close()
        cls.platform.close()
        cls.home.cleanup()

    def error(self, answer):
        self.assertEqual("error", answer["outcome"]["kind"], answer)
        return answer["outcome"]["error"]

    def test_hello(self):
        self.assertEqual("hello", self.greeting["type"])
        self.assertEqual(1, self.greeting["protocol"])
        self.assertEqual({"name": "mainsequence", "version": "9.0.33", "language": "python"}, self.greeting["client"])
        self.assertEqual(
            {"min_wait_ms": 500, "max_wait_ms": 30000, "cache_skew": 30, "cache_fallback": 60, "grace_ms": 300},
            self.greeting["constants"],
        )

    def test_a_message_comes_back_as_the_sdk_gave_it(self):
        said = fake.message("s-whole", extra={"n": None}, parts=[{"data": {"ok": False, "empty": ""}}])
        self.platform.plans["s-whole"] = [(200, {"message": said})]
        answer = self.driver.call("send", "s-whole", {"message": "hi", "timeout": 5})
        self.assertEqual({"kind": "message", "message": said}, answer["outcome"])
        self.assertGreater(answer["elapsed"], 0)

    def test_a_number_that_json_cannot_write(self):
        self.platform.plans["s-nan"] = [(200, {"message": fake.message("s-nan", parts=[{"data": float("nan")}])})]
        answer = self.driver.call("send", "s-nan", {"message": "hi", "timeout": 5})
        self.assertEqual([{"data": "NaN"}], answer["outcome"]["message"]["parts"])

    def test_members_are_passed_on(self):
        path = pathlib.Path(self.home.name, "notes.txt")
        path.write_bytes(b"\x00notes")
        given = {
            "message": "hi",
            "message_id": "msg-own",
            "response_kind": "message",
            "strict_dictionary": True,
            "json_repair_attempts": 7,
            "files": [{"path": str(path), "media_type": "text/plain"}],
            "timeout": [2, 5],
        }
        self.driver.call("send", "s-members", given)
        [(body, headers)] = self.platform.sent("s-members")
        self.assertEqual("msg-own", body["message"]["messageId"])
        file = {"raw": base64.b64encode(b"\x00notes").decode(), "filename": "notes.txt", "mediaType": "text/plain"}
        self.assertEqual([{"text": "hi"}, file], body["message"]["parts"])
        [contract] = body["metadata"].values()
        self.assertEqual(7, contract["jsonRepairAttempts"])
        self.assertEqual("Bearer runtime-token", headers["Authorization"])

    def test_null_is_the_default_of_the_sdk(self):
        given = dict.fromkeys(
            ["message_id", "response_kind", "strict_dictionary", "json_repair_attempts", "files", "timeout"]
        )
        answer = self.driver.call("send", "s-null", {"message": "hi", **given})
        self.assertEqual("message", answer["outcome"]["kind"])
        [(body, _)] = self.platform.sent("s-null")
        self.assertTrue(body["message"]["messageId"].startswith("msg-"))
        self.assertNotIn("metadata", body)

    def test_what_cannot_be_expressed_is_unsupported(self):
        cases = {
            "operation": ("juggle", {"message": "hi"}, {}),
            "member": ("send", {"message": "hi", "poll_interval": 1}, {}),
            "file": ("send", {"message": "hi", "files": [{"path": "/x.pdf", "title": "x"}]}, {}),
            "timeout": ("send", {"message": "hi", "timeout": [1, 2, 3]}, {}),
            "platform": ("send", {"message": "hi"}, {"platform": {"url": "http://127.0.0.1:9", "token": "x"}}),
        }
        for name, (op, given, members) in cases.items():
            with self.subTest(name):
                answer = self.driver.call(op, "s-unsupported", given, **members)
                self.assertEqual("unsupported", answer["type"])
                self.assertTrue(answer["reason"])
        self.assertEqual([], self.platform.sent("s-unsupported"))

    def test_timeouts_that_json_cannot_write_reach_the_sdk(self):
        for timeout in ("NaN", "Infinity", "-Infinity", ["NaN", 1], 0, -1):
            with self.subTest(timeout):
                error = self.error(self.driver.call("send", "s-odd", {"message": "hi", "timeout": timeout}))
                self.assertEqual(("invalid_argument", "ValueError"), (error["category"], error["name"]))

    def test_errors(self):
        self.platform.plans["s-limit"] = [(504, fake.LIMIT)]
        self.platform.plans["s-gateway"] = [(504, {"detail": "gateway"})]
        self.platform.plans["s-refused"] = [(401, {}), (403, {"detail": "no"})]
        self.platform.plans["s-large"] = [(413, {"detail": "large"})]
        self.platform.plans["s-none"] = [(200, {})]
        waking = {**fake.READY, "state": "waking", "can_submit": False, "retry_after_ms": 60000}
        self.platform.interactions["s-waking"] = waking
        self.platform.interactions["s-blocked"] = {**waking, "state": "unavailable", "retry_after_ms": None}
        want = {
            "s-limit": ("message_limit", "A2AMessageLimitExceededError", 504, 90, None),
            "s-gateway": ("server_error", "ServerError", 504, None, None),
            "s-refused": ("unauthorized", "PermissionDeniedError", 403, None, None),
            "s-large": ("rejected", "ApiError", 413, None, None),
            "s-none": ("invalid_response", "ApiError", 200, None, None),
            "s-waking": ("not_ready", "AgentRuntimeNotReadyError", None, None, "waking"),
            "s-blocked": ("", "ApiError", None, None, None),
        }
        for session, expected in want.items():
            with self.subTest(session):
                error = self.error(self.driver.call("send", session, {"message": "hi", "timeout": 5}))
                members = ("category", "name", "status", "limit_seconds", "state")
                self.assertEqual(expected, tuple(error[member] for member in members))

    def test_calls_run_together(self):
        self.platform.plans["s-slow"] = [(200, None)]
        slow = self.driver.ask("send", "s-slow", {"message": "hi", "timeout": 1})
        quick = self.driver.call("send", "s-quick", {"message": "hi", "timeout": 5})
        self.assertEqual("message", quick["outcome"]["kind"])
        late = self.driver.next()
        self.assertEqual((slow, "timeout"), (late["id"], self.error(late)["category"]))
        self.assertAlmostEqual(1, late["elapsed"], delta=0.5)

    def test_tasks(self):
        self.platform.plans["s-task"] = [(200, {"task": fake.TASK})]
        given = {
            "send": {"message": "hi", "response_kind": "task", "timeout": 5},
            "get_task": {"task_id": "t1", "timeout": 5},
            "cancel_task": {"task_id": "t1", "timeout": [1, 2]},
            "wait_task": {"task_id": "t1", "timeout": 5, "poll_interval": 0.1, "wait_timeout": 2},
        }
        for op, members in given.items():
            with self.subTest(op):
                outcome = self.driver.call(op, "s-task", members)["outcome"]
                self.assertEqual("task", outcome["kind"], outcome)
                for member in ("id", "contextId", "artifacts", "history"):
                    self.assertEqual(fake.TASK[member], outcome["task"][member])
                self.assertEqual("TASK_STATE_COMPLETED", outcome["task"]["status"]["state"])

    def test_task_mode_does_not_tell_its_value_errors_apart(self):
        error = self.error(self.driver.call("send", "s-plain", {"message": "hi", "response_kind": "task", "timeout": 5}))
        self.assertEqual(("", ["invalid_argument", "not_advertised"]), (error["category"], error["is"]))
        self.assertEqual([], self.platform.sent("s-plain"))


class Ending(unittest.TestCase):
    def setUp(self):
        self.platform = fake.Fake()
        self.home = tempfile.TemporaryDirectory()
        self.driver = Process(self.platform, self.home.name)

    def tearDown(self):
        self.driver.close()
        self.platform.close()
        self.home.cleanup()

    def test_bye_ends_it_though_a_call_is_open(self):
        self.driver.hello()
        self.platform.plans["s-slow"] = [(200, None)]
        self.driver.ask("send", "s-slow", {"message": "hi", "timeout": 20})
        began = time.monotonic()
        self.driver.write({"type": "bye"})
        self.assertEqual(0, self.driver.child.wait(PATIENCE))
        self.assertLess(time.monotonic() - began, 5)

    def test_the_end_of_the_input_ends_it_after_open_calls(self):
        self.driver.hello()
        call = self.driver.ask("send", "s-last", {"message": "hi", "timeout": 5})
        self.assertEqual(0, self.driver.close())
        self.assertEqual(call, self.driver.next()["id"])

    def test_noise_and_early_calls(self):
        self.driver.child.stdin.write(b"not json\n[]\n")
        self.assertEqual("unsupported", self.driver.call("send", "s", {"message": "hi"})["type"])
        self.driver.write({"type": "cancel", "id": "c1"})
        self.assertEqual("hello", self.driver.hello()["type"])


if __name__ == "__main__":
    unittest.main()

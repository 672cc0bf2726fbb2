"""`hlokit serve`: documented examples, limits, requests that crash the worker, and hostile input."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hlokit.tools.service import protocol, serving
from hlokit.tools.service.operations import operations
from tests.unit.tools.service.inference_cases import CASES

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs" / "service.md").read_text()
COMMAND = [sys.executable, "-c", "from hlokit.cli.main import main; main()", "serve"]
PING = b'{"id":"end","method":"ping"}\n'


def talk(data: bytes, *flags: str) -> list[dict[str, Any]]:
    """The answers of a separate process, which must succeed and print nothing else."""
    done = subprocess.run([*COMMAND, *flags], input=data, capture_output=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return [json.loads(line) for line in done.stdout.splitlines()]


def infer_request(id_: Any, op: str, *operands: str, **more: Any) -> bytes:
    params = {"op": op, "operands": operands, **more}
    return json.dumps({"id": id_, "method": "infer", "params": params}).encode() + b"\n"


@pytest.fixture(scope="module")
def server() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(120) == 0


def ask(server: subprocess.Popen[bytes], data: bytes) -> list[dict[str, Any]]:
    """The answers to lines, of a server that must answer more afterwards."""
    assert server.stdin is not None
    assert server.stdout is not None
    writer = threading.Thread(target=lambda: (server.stdin.write(data + b"\n" + PING), server.stdin.flush()))  # type: ignore[union-attr] # pipes, as asked for
    writer.start()
    answers = [json.loads(server.stdout.readline())]
    while answers[-1]["id"] != "end":
        answers.append(json.loads(server.stdout.readline()))
    writer.join()
    return answers[:-1]


def test_documented_conversation() -> None:
    (block,) = re.findall(r"```json-lines\n(.*?)```", PAGE, re.DOTALL)
    lines = block.splitlines()
    requests = "".join(f"{line[2:]}\n" for line in lines if line.startswith("> "))
    expected = [json.loads(line) for line in lines if not line.startswith("> ")]
    found = talk(requests.encode())
    for record in found:
        # The names of variadic operands in older bindings.
        if record["id"] == 7:
            record["result"]["operands"] = ["inputs...", "init_values..."]
    assert found == expected


@pytest.mark.parametrize("example", re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
def test_documented_python(example: str) -> None:
    assert "assert" in example
    exec(example, {})


def test_documented_methods_and_limits() -> None:
    for name, method in protocol.METHODS.items():
        (row,) = re.findall(rf"^\| `{name}` \|(.*)\|.*\|$", PAGE, re.MULTILINE)
        assert set(re.findall(r"`(\w+)`", row)) == set(method.parameters)
    assert f"than {serving.LONGEST_LINE >> 20} MiB" in PAGE
    assert f"more than {serving.LONGEST_SECONDS:g} s" in PAGE


def test_answers_are_those_of_the_library(server: subprocess.Popen[bytes]) -> None:
    cases = [case for case in CASES if case.op in operations()]
    data = b"".join(
        infer_request(
            i, case.op, *case.types, attributes=case.attributes, regions=case.regions, results=case.given
        )
        for i, case in enumerate(cases)
    )
    answers = ask(server, data)
    assert [answer["result"]["types"] for answer in answers] == [list(case.expected) for case in cases]
    assert [answer["id"] for answer in answers] == list(range(len(cases)))


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"method": "infer"}, "infer: params must have op, a string"),
        ({"method": "infer", "params": {"op": 3}}, "infer: op must be a string"),
        ({"method": "infer", "params": {"op": "add", "operands": [1]}}, "infer: operands must be a list of types"),
        ({"method": "infer", "params": {"op": "add", "operand": []}}, "params may have op, operands, attributes"),
        ({"method": "infer", "params": []}, "params must be an object"),
        ({"method": "infer", "params": {"op": "add", "attributes": []}}, "infer: attributes must be an object"),
        ({"method": "verify", "params": {"text": "", "strict": 1}}, "verify: strict must be true or false"),
        ({"method": "eval"}, 'method must be one of infer, verify, info, evaluate, serialize, build, version, ping, got "eval"'),
        ({"method": None}, "method must be one of infer, verify, info, evaluate, serialize, build, version, ping, got null"),
        ({"method": "ping", "extra": 1}, "a request has id, method and params, got extra too"),
        ({"method": "info", "params": {"op": "nothing.else"}}, "must be one of StableHLO or CHLO, got 'nothing.else'"),
        ({}, "method must be one of"),
    ],
)  # fmt: skip
def test_wrong_requests(request_: dict[str, Any], message: str) -> None:
    found = protocol.answer({"id": 5, **request_})
    assert found["id"] == 5
    assert message in found["error"]["message"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "one line of JSON"),
        (b"\xff", "one line of JSON"),
        (b'{"id": NaN}', "NaN is not JSON"),
        (b"[" * 100_000, "one line of JSON"),
        (b"3", "a JSON object"),
        (b'{"id": {}}', "id must be"),
    ],
)
def test_lines_that_are_no_request(line: bytes, message: str) -> None:
    found = json.loads(protocol.answer_line(line))
    assert found["id"] is None
    assert message in found["error"]["message"]


def test_surrogates_and_controls_stay_in_their_line(server: subprocess.Popen[bytes]) -> None:
    text = "\ud800\u2028\r\n\0"
    (found,) = ask(server, json.dumps({"id": text, "method": "verify", "params": {"text": text}}).encode())
    assert found["id"] == text
    assert found["result"]["valid"] is False


def test_long_lines_are_refused_and_not_kept() -> None:
    long = infer_request(2, "add", "x" * 5000)
    answers = talk(
        infer_request(1, "create_token") + long + b"y" * 300_000 + b"\n" + infer_request(3, "create_token"),
        "--longest-line=1000",
    )
    assert [answer["id"] for answer in answers] == [1, None, None, 3]
    assert answers[1]["error"]["message"] == "the request must not be longer than 1000 bytes"


def test_the_last_line_needs_no_end() -> None:
    assert talk(b"\n \n" + PING.strip()) == [{"id": "end", "result": {}}]


def test_nothing_after_shutdown_is_answered() -> None:
    assert talk(b'{"id":1,"method":"shutdown"}\n' + PING) == [{"id": 1, "result": {}}]


class Killing:
    """Methods for a worker that is forked with this class."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        methods = {
            **protocol.METHODS,
            "die": protocol.Method(lambda _: os.kill(os.getpid(), signal.SIGSEGV) or {}, {}),
            "hang": protocol.Method(lambda _: time.sleep(60) or {}, {}),
        }
        monkeypatch.setattr(protocol, "METHODS", methods)

    @staticmethod
    def talk(data: bytes, **limits: Any) -> list[dict[str, Any]]:
        source, requests = os.pipe()
        responses, target = os.pipe()

        def write() -> None:
            with os.fdopen(requests, "wb") as file:
                file.write(data)

        threading.Thread(target=write).start()
        serving.serve(source, target, **limits)
        os.close(target)
        os.close(source)
        with os.fdopen(responses, "rb") as file:
            return [json.loads(line) for line in file]


@pytest.mark.skipif(sys.platform != "linux", reason="workers are not forked")
def test_requests_that_kill_a_worker_affect_no_other_request(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [{"id": i, "method": "die" if i in (0, 3, 4) else "ping"} for i in range(8)]
    answers = Killing(monkeypatch).talk("\n".join(map(json.dumps, lines)).encode())
    assert [answer["id"] for answer in answers] == list(range(8))
    assert [i for i in range(8) if "error" in answers[i]] == [0, 3, 4]
    message = "the request killed the worker (SIGSEGV); a new worker continues"
    assert answers[3]["error"]["message"] == message


@pytest.mark.skipif(sys.platform != "linux", reason="workers are not forked")
@pytest.mark.deep
def test_requests_that_do_not_end_are_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b'{"id":1,"method":"ping"}\n{"id":2,"method":"hang"}\n{"id":3,"method":"ping"}\n'
    answers = Killing(monkeypatch).talk(data, longest_seconds=3)
    assert [answer["id"] for answer in answers] == [1, 2, 3]
    assert answers[1]["error"]["message"] == "the request took more than 3 s; a new worker continues"


def test_broken_pipe_ends_it_quietly() -> None:
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(PING)
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(PING)
        process.stdin.close()
        assert process.wait(120) == 1
        assert process.stderr.read() == b""


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
NAMES = sorted(operations())
TYPES = st.sampled_from(
    [
        "tensor<f32>",
        "tensor<4x5xf32>",
        "tensor<?xi32>",
        "tensor<*xf32>",
        "!stablehlo.token",
        "i32",
        "",
        "tuple<>",
    ]
) | st.text(max_size=12)
REGIONS = st.sampled_from(["add", "LT", "", "^bb0:", "stablehlo.return"]) | st.text(max_size=12)
PARAMS = st.fixed_dictionaries(
    {"op": st.sampled_from(NAMES)},
    optional={
        "operands": st.lists(TYPES, max_size=4),
        "regions": st.lists(REGIONS, max_size=3),
        "results": st.lists(TYPES, max_size=2),
    },
)


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    if draw(st.integers(0, 9)) == 0:
        return draw(st.binary(max_size=60)).replace(b"\n", b"")
    if draw(st.integers(0, 4)) == 0:
        return json.dumps(
            {"id": 0, "method": draw(st.sampled_from(list(protocol.METHODS))), "params": draw(JSON)}
        ).encode()
    params = draw(PARAMS)
    names = list(operations()[params["op"]].attributes)
    params["attributes"] = draw(st.dictionaries(st.sampled_from(names), JSON, max_size=4)) if names else {}
    return json.dumps({"id": 0, "method": "infer", "params": params}).encode()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(requests(), min_size=1, max_size=30))
@pytest.mark.deep
def test_it_survives_any_requests(server: subprocess.Popen[bytes], lines: list[bytes]) -> None:
    answers = ask(server, b"\n".join(lines))
    assert len(answers) == sum(bool(line.strip()) for line in lines)
    for answer in answers:
        assert set(answer) in ({"id", "result"}, {"id", "error"})
        # Nothing of this may kill a worker, or surprise it.
        message = answer.get("error", {"message": ""})["message"]
        assert "killed the worker" not in message
        assert "internal error" not in message

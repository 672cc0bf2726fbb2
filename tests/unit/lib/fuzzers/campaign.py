"""A fuzzing campaign: readers of bytecode under libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer.

    python -m tests.unit.lib.fuzzers.campaign --seconds 1800 [--target structure] [--directory DIRECTORY]

Requires clang++ (Debian: `apt-get install clang`). The target `bytecode` covers all code that reads files that may be
malformed, including the validator of artifacts; `structure` covers the reader of the planner. Both targets start
from corpus.zip and from samples that the bindings write. The target `bytecode` replaces corpus.zip by the smallest
set of inputs with the same coverage. The exit status is libFuzzer's: not 0 if it found an error, whose input is then
in DIRECTORY.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import zipfile
from pathlib import Path

from tests.unit.lib.building import FUZZERS, LIBRARY, room
from tests.unit.lib.readers.samples import SAMPLE, VERSIONS, artifacts, to_bytecode

CORPUS = FUZZERS / "corpus.zip"
READER = tuple(room("bytecode", "artifacts"))
STRUCTURE = tuple(
    LIBRARY / "bytecode" / f"{name}.cpp" for name in ("container", "cursor", "encoding", "structure")
)
TARGETS = {"bytecode": READER, "structure": STRUCTURE}
FLAGS = ("-std=c++17", "-g", "-O1", "-fno-sanitize-recover=all", f"-I{LIBRARY}")
# Inputs have some 500 bytes, and the reader takes the same time for all contents.
LIMITS = ("-max_len=4096", "-timeout=10", "-rss_limit_mb=1024")


def unpack(directory: Path) -> list[Path]:
    """The inputs of the corpus as files."""
    directory.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(CORPUS) as archive:
        archive.extractall(directory)
    return sorted(directory.iterdir())


def pack(directory: Path) -> None:
    """Write the files of a directory as the corpus; the same files always give the same archive."""
    with zipfile.ZipFile(CORPUS, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(directory.iterdir()):
            archive.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.unit.lib.fuzzers.campaign", description=__doc__)
    parser.add_argument("--seconds", type=int, default=1800, help="duration of the campaign")
    parser.add_argument("--target", choices=TARGETS, default="bytecode", help="the code to fuzz")
    parser.add_argument(
        "--directory", type=Path, help="for the program and its findings (default: a new one)"
    )
    options = parser.parse_args()
    directory = options.directory or Path(tempfile.mkdtemp(prefix="hlokit-fuzz-"))
    corpus, merged, fuzz = directory / "corpus", directory / "merged", directory / "fuzz"
    unpack(corpus)
    for version in VERSIONS:
        (corpus / f"sample{version}").write_bytes(to_bytecode(SAMPLE, version))
    for name, data in artifacts().items():
        (corpus / f"artifact{name}").write_bytes(data)
    compiler = os.environ.get("CXX", "clang++")
    sources = (*TARGETS[options.target], FUZZERS / f"fuzz_{options.target}.cpp")
    subprocess.run(
        [compiler, *FLAGS, "-fsanitize=fuzzer,address,undefined", *sources, "-o", fuzz], check=True
    )
    run = subprocess.run(
        [
            *(fuzz, *LIMITS, f"-max_total_time={options.seconds}", "-print_final_stats=1"),
            *(f"-artifact_prefix={directory}/finding-", corpus),
        ],
        check=False,
    )
    print(f"the corpus and any findings are in {directory}")
    if options.target == "bytecode":
        merged.mkdir(exist_ok=True)
        subprocess.run([fuzz, *LIMITS, "-merge=1", merged, corpus], check=True)
        pack(merged)
        print(f"wrote {CORPUS.name}")
    return run.returncode


if __name__ == "__main__":
    raise SystemExit(main())

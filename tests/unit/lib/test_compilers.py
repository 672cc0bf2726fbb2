"""Clang, which does not build the extensions by default, compiles lib/ without warnings."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.unit.lib.building import FLAGS, INSTRUCTIONS, LIBRARY, VARIANTS


def clang() -> str:
    """The newest Clang, or the compiler that CLANGXX names."""
    found = os.environ.get("CLANGXX") or shutil.which("clang++")
    if found is None:
        folders = map(Path, os.get_exec_path())
        versions = {
            int(name[1]): str(path)
            for folder in folders
            for path in folder.glob("clang++-*")
            if (name := re.fullmatch(r"clang\+\+-(\d+)", path.name)) is not None
        }
        found = versions[max(versions)] if versions else None
    return found or pytest.skip("needs clang++")


# clang-cl's dialect, whose version of Microsoft's compiler leaves out the names of GNU's.
MICROSOFT_DIALECT = ("-fms-extensions", "-fms-compatibility", "-fms-compatibility-version=19.40")
# In this dialect the C library's headers for Linux warn.
WITH_HEADERS_OF_LINUX = ("-Wno-#warnings", "-Wno-literal-range")
SOURCES = [path for path in sorted(LIBRARY.rglob("*.cpp")) if "python" not in path.parts]
# These files include no header of the standard C++ library, which the library for Linux has for GNU's names only.
KERNELS = [path for path in SOURCES if path in VARIANTS and path.parent.name in ("matmul", "fft", "linalg")]


@pytest.mark.parametrize(
    ("sources", "dialect"),
    [
        # The bindings need the headers of nanobind and Python: the workflow `checks` builds them with Clang.
        (SOURCES, ()),
        (SOURCES, (*MICROSOFT_DIALECT, "-fgnuc-version=4.2.1", *WITH_HEADERS_OF_LINUX)),
        (KERNELS, (*MICROSOFT_DIALECT, *WITH_HEADERS_OF_LINUX)),
    ],
    ids=["gnu", "microsoft", "microsoft_without_names_of_gnu"],
)
def test_clang_warns_of_nothing(sources: list[Path], dialect: tuple[str, ...]) -> None:
    compiler = clang()

    def complaints(source: Path) -> str:
        level, flags = VARIANTS.get(source, ("baseline", ()))
        if level not in INSTRUCTIONS:
            level, flags = "baseline", tuple(flag for flag in flags if flag != "-mfma")
        own = [f"-DHLOKIT_VARIANT={level}", *INSTRUCTIONS[level], *flags] if source in VARIANTS else []
        command = [compiler, *FLAGS, *dialect, "-fsyntax-only", *own, source]
        return subprocess.run(command, capture_output=True, text=True, check=False).stderr

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(complaints, sources))
    assert len(found) > (60 if sources is SOURCES else 3)
    assert "".join(found) == ""


# What Microsoft's compiler defines. It defines no other name of a conditional in lib/.
MICROSOFT = {"_MSC_VER": 1940, "_WIN32": 1, "_WIN64": 1, "_M_X64": 1, "__cplusplus": 201703}
EXTENSION = re.compile(
    r"__(?:attribute__|builtin_\w+|extension__|int128|asm__|typeof__)|\basm\b|\btypeof\b|_Pragma\(\"(?:GCC|clang)"
)


def holds(condition: str) -> bool:
    """Whether a condition of the preprocessor holds for Microsoft's compiler."""
    text = re.sub(r"//.*", "", condition)
    text = re.sub(r"defined\s*\(?\s*(\w+)\s*\)?", lambda found: str(found[1] in MICROSOFT), text)
    text = text.replace("&&", " and ").replace("||", " or ")
    text = re.sub(r"!(?!=)", " not ", text)
    names = re.findall(r"\b(?!True|False|and|or|not\b)[A-Za-z_]\w*", text)
    return bool(eval(text, {"__builtins__": {}}, {name: MICROSOFT.get(name, 0) for name in names}))


def kept(source: Path) -> list[str]:
    """The lines of a file that the preprocessor keeps, with their numbers. Definitions of macros count."""
    lines: list[str] = []
    # For each open conditional: whether the surrounding code is kept, whether a branch was, whether this one is.
    open_ones: list[tuple[bool, bool, bool]] = []
    joined = re.sub(r"\\\n", " ", source.read_text())
    for number, line in enumerate(joined.splitlines(), 1):
        around = open_ones[-1][2] if open_ones else True
        found = re.match(r"\s*#\s*(ifdef|ifndef|if|elif|else|endif)\b(.*)", line)
        if found is None:
            if around:
                lines.append(f"{number}: {re.sub('//.*', '', line)}")
            continue
        word, condition = found.groups()
        if word == "endif":
            open_ones.pop()
        elif word in ("elif", "else"):
            outer, was, _ = open_ones.pop()
            now = outer and not was and (word == "else" or holds(condition))
            open_ones.append((outer, was or now, now))
        else:
            condition = {"ifdef": "defined ", "ifndef": "!defined ", "if": ""}[word] + condition.strip()
            now = around and holds(condition)
            open_ones.append((around, now, now))
    assert open_ones == []
    return lines


def test_conditionals_surround_extensions_of_gnu() -> None:
    """Microsoft's compiler meets none of them."""
    sources = sorted({*LIBRARY.rglob("*.cpp"), *LIBRARY.rglob("*.h"), *LIBRARY.rglob("*.inc")})
    found = {
        f"{source.relative_to(LIBRARY)}:{line}"
        for source in sources
        for line in kept(source)
        if EXTENSION.search(line)
    }
    assert len(sources) > 150
    assert found == set()


def test_the_reader_of_conditionals(tmp_path: Path) -> None:
    path = tmp_path / "f.h"
    path.write_text(
        "#if defined(_MSC_VER) && !defined(__clang__)\na\n#if X\nb\n#else\nc // asm\n#endif\n#elif 1\nd\n#else\ne\n#endif\n"
        "#ifndef __GNUC__\nf\n#endif\n#ifdef __GNUC__\ng\n#elif _MSC_VER >= 1900\nh\n#endif\n"
    )
    assert [line.split(": ")[1].strip() for line in kept(path)] == ["a", "c", "f", "h"]

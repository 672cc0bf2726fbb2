"""The Dockerfile, the GitHub action, the pre-commit hook and the configuration of cibuildwheel name what exists."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT: dict[str, Any] = PYPROJECT["project"]
OLDEST = tuple(int(part) for part in PROJECT["requires-python"].removeprefix(">=").split("."))
VERSIONS = [
    (3, int(found[1]))
    for text in PROJECT["classifiers"]
    if (found := re.fullmatch(r"Programming Language :: Python :: 3\.(\d+)", text))
]
IGNORED_BY_DOCKER = [
    line for line in (ROOT / ".dockerignore").read_text().splitlines() if not line.startswith("#")
]


@dataclass
class Stage:
    """A stage of the Dockerfile: its base image, its name or "", and its instructions as words."""

    base: str
    name: str
    instructions: list[tuple[str, list[str]]]

    def words(self, instruction: str) -> list[list[str]]:
        return [words for name, words in self.instructions if name == instruction]

    def commands(self) -> list[list[str]]:
        """The shell commands of all RUN instructions."""
        found: list[list[str]] = []
        for words in self.words("RUN"):
            found.append([])
            for word in words:
                found.append([]) if word == "&&" else found[-1].append(word)
        return found


def stages() -> list[Stage]:
    found: list[Stage] = []
    for line in (ROOT / "Dockerfile").read_text().replace("\\\n", " ").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        instruction, _, rest = line.partition(" ")
        if instruction == "FROM":
            base, *alias = rest.split()
            found.append(Stage(base, alias[1] if alias else "", []))
        else:
            words = json.loads(rest) if rest.startswith("[") else shlex.split(rest)
            found[-1].instructions.append((instruction, words))
    return found


def copies(stage: Stage) -> list[tuple[str, list[str], str]]:
    """For each COPY: the stage that it copies from or "", the sources and the target."""
    found: list[tuple[str, list[str], str]] = []
    for words in stage.words("COPY"):
        options = [word for word in words if word.startswith("--")]
        *sources, target = words[len(options) :]
        origin = next((word.removeprefix("--from=") for word in options if word.startswith("--from=")), "")
        found.append((origin, sources, target))
    return found


def test_images_have_one_python_that_the_project_supports() -> None:
    (base,) = {stage.base for stage in stages()}
    found = re.fullmatch(r"python:3\.(\d+)-slim", base)
    assert found is not None
    version = (3, int(found[1]))
    assert version >= OLDEST
    assert version in VERSIONS


def test_the_image_is_built_from_what_is_copied() -> None:
    build, final = stages()
    ((origin, sources, target),) = copies(build)
    assert origin == ""
    for source in sources:
        assert (ROOT / source).exists(), source
    (wheel,) = [words for words in build.commands() if words[:2] == ["pip", "wheel"]]
    assert wheel[-1] == target
    folder = wheel[wheel.index("--wheel-dir") + 1]
    ((origin, sources, target),) = copies(final)
    assert (origin, sources) == (build.name, [folder])
    (install,) = [words for words in final.commands() if words[:2] == ["pip", "install"]]
    assert install[-1] == f"{target}/*.whl"


def test_the_image_has_the_compiler_that_builds_need() -> None:
    (install,) = [words for words in stages()[0].commands() if words[:2] == ["apt-get", "install"]]
    packages = {word for word in install[2:] if not word.startswith("-")}
    found = re.search(r"a C\+\+17 compiler .*\(on Debian: (.*)\)", (ROOT / "BUILD.md").read_text())
    assert found is not None
    assert packages and packages <= set(re.findall(r"`([^`]+)`", found[1]))
    # The package index has these.
    requirements = {requirement.partition(">")[0] for requirement in PYPROJECT["build-system"]["requires"]}
    assert requirements >= {"cmake", "ninja"}


def test_the_image_runs_a_command_of_the_project() -> None:
    ((command,),) = stages()[-1].words("ENTRYPOINT")
    assert command in PROJECT["scripts"]
    assert stages()[-1].words("CMD") == [["--help"]]


def test_docker_ignores_products_but_no_source_of_the_build() -> None:
    ignored_by_git = [line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines()]
    of_builds = {".venv", "build", "dist", "__pycache__", "*.egg-info", "*.so"}
    assert of_builds <= set(ignored_by_git)
    assert of_builds <= {pattern.removeprefix("**/") for pattern in IGNORED_BY_DOCKER}
    needed = {"CMakeLists.txt", "cmake", "lib", "python", "pyproject.toml", PROJECT["readme"]}
    needed |= {name.partition("/")[0] for name in PROJECT["license-files"]}
    installed = re.findall(r"install\(DIRECTORY (\w+)/", (ROOT / "CMakeLists.txt").read_text())
    assert installed
    needed |= set(installed)
    assert needed & set(IGNORED_BY_DOCKER) == set()
    assert [name for name in needed if not (ROOT / name).exists()] == []


def test_the_action_declares_its_inputs_and_installs_the_project() -> None:
    text = (ROOT / ".github/actions/verify/action.yml").read_text()
    declared = text.partition("\ninputs:\n")[2].partition("\nruns:\n")[0]
    inputs = set(re.findall(r"^  (\w+):$", declared, re.MULTILINE))
    assert inputs
    assert set(re.findall(r"inputs\.(\w+)", text)) == inputs
    variables = set(re.findall(r"^        ([A-Z]+):", text, re.MULTILINE))
    assert {name.lower() for name in variables} == inputs
    for variable in variables:
        assert f"${variable}" in text
    assert f"run: pip install {PROJECT['name']}\n" in text


def test_the_hooks_run_commands_of_the_project_on_mlir_files() -> None:
    entries = (ROOT / ".pre-commit-hooks.yaml").read_text().split("- id: ")[1:]
    assert len(entries) == 2
    for entry in entries:
        hook = dict(re.findall(r"^(?:- |  )(\w+): (.*)$", "- id: " + entry, re.MULTILINE))
        assert f"`{hook['id']}`" in (ROOT / "docs/howto/front_end.md").read_text()
        assert hook["entry"].split()[0] in PROJECT["scripts"]
        assert hook["language"] == "python"
        assert re.search(hook["files"], "lib/f.mlir") and not re.search(hook["files"], "f.mlir.txt")


def test_wheels_are_built_for_every_python_that_the_metadata_names() -> None:
    options = PYPROJECT["tool"]["cibuildwheel"]
    assert options["build"] == [f"cp{major}{minor}-*" for major, minor in VERSIONS]
    assert min(VERSIONS) == OLDEST
    # The wheel of the stable ABI: built by the first version that has no wheel of its own.
    assert PYPROJECT["tool"]["scikit-build"]["wheel"]["py-api"] == "cp{}{}".format(*VERSIONS[1])


def test_wheels_are_tested_with_programs_that_exist() -> None:
    commands = PYPROJECT["tool"]["cibuildwheel"]["test-command"]
    assert len(commands) == 2
    for command in commands:
        python, *words = command.split()
        assert python == "python"
        if words[0] == "-m":
            assert importlib.util.find_spec(words[1]) is not None
        else:
            assert (ROOT / words[0].removeprefix("{project}/")).is_file()


def test_the_site_is_built_with_what_its_extra_names() -> None:
    workflow = (ROOT / ".github/workflows/docs.yml").read_text()
    assert "run: make site" in workflow
    # hlokit itself as well: the site has pages made of its tables.
    assert "--editable '.[docs]'" in (ROOT / "Makefile").read_text()
    assert "docs" in PROJECT["optional-dependencies"]

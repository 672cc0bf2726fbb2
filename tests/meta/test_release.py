"""The metadata of a release: the URLs are those of the repository in which the workflow runs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from email.parser import HeaderParser
from pathlib import Path

import pytest

import hlokit

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / ".ci" / "set_urls.py"
WORKFLOW = (ROOT / ".github" / "workflows" / "release.yml").read_text()
URL, REVISION = "https://forge.example/group/hlokit", "v0.1.0"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that state the metadata, as a release has them."""
    root = tmp_path_factory.mktemp("release")
    for name in ("pyproject.toml", "README.md", "LICENSE", "licenses", "python/hlokit/__init__.py", ".ci"):
        source, target = ROOT / name, root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    for vendored in ("lib/vendored/xla/LICENSE", "python/hlokit/tools/view/vendored/dagre/LICENSE"):
        (root / vendored).parent.mkdir(parents=True)
        shutil.copy(ROOT / vendored, root / vendored)
    subprocess.run([sys.executable, root / ".ci" / "set_urls.py", URL + "/", REVISION], check=True)
    return root


def test_the_project_has_no_urls() -> None:
    assert "urls" not in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_urls_of_a_release(release: Path) -> None:
    urls = tomllib.loads((release / "pyproject.toml").read_text())["project"]["urls"]
    assert set(urls) == {"Homepage", "Documentation", "Changelog", "Issues", "Source"}
    assert urls["Homepage"] == URL
    for target in urls.values():
        path = target.removeprefix(URL).removeprefix(f"/blob/{REVISION}")
        assert path in ("", "/issues") or (ROOT / path[1:]).is_file(), target


def test_the_readme_of_a_release_has_absolute_links(release: Path) -> None:
    readme = (release / "README.md").read_text()
    targets = re.findall(r"\]\(([^)\s]+)\)", readme)
    assert len(targets) > 20
    assert [target for target in targets if not target.startswith("https://")] == []
    for kind in ("blob", "raw"):
        prefix = f"{URL}/{kind}/{REVISION}/"
        own = [target.removeprefix(prefix) for target in targets if target.startswith(prefix)]
        assert own and [path for path in own if not (ROOT / path.partition("#")[0]).is_file()] == []
    assert f"git clone {URL} && cd hlokit" in readme
    assert "<this repository>" not in readme


@pytest.mark.deep
def test_the_metadata_of_a_release(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build = pytest.importorskip("scikit_build_core.build", reason="scikit-build-core reads the metadata")
    monkeypatch.chdir(release)
    written = build.prepare_metadata_for_build_wheel(str(release / "metadata"))
    found = HeaderParser().parsestr((release / "metadata" / written / "METADATA").read_text())
    assert f"Homepage, {URL}" in found.get_all("Project-URL", [])
    assert found["Version"] == hlokit.__version__
    assert found["License-Expression"] == "Apache-2.0"


@pytest.mark.parametrize("words", [["not an address", "v1"], [URL, "v 1"], [URL]])
def test_wrong_urls_and_revisions_are_refused(words: list[str], tmp_path: Path) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(SCRIPT, tmp_path / ".ci")
    done = subprocess.run(
        [sys.executable, tmp_path / ".ci" / SCRIPT.name, *words], capture_output=True, check=False
    )
    assert (done.returncode, b"URL REVISION" in done.stderr) == (1, True)


def test_the_workflow_sets_the_urls_before_it_builds() -> None:
    assert WORKFLOW.count('python .ci/set_urls.py "$REPOSITORY" "$REVISION"') == 2
    for job, builds in (("wheels", "cibuildwheel@"), ("sdist", "build --sdist")):
        text = WORKFLOW.partition(f"\n  {job}:\n")[2]
        assert 0 < text.index("set_urls.py") < text.index(builds)


@pytest.mark.deep
def test_the_check_before_publishing(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The script in the workflow, on files of a release and on files of another one."""
    build = pytest.importorskip("scikit_build_core.build", reason="scikit-build-core makes the sdist")
    found = re.search(r"<<'END'\n(.*?)\n +END\n", WORKFLOW, re.DOTALL)
    assert found is not None
    script = re.sub("^ {10}", "", found[1], flags=re.MULTILINE)
    monkeypatch.chdir(release)
    build.build_sdist(str(release / "dist"))
    for revision, url, status in ((REVISION, URL, 0), ("v9.9.9", URL, 1), (REVISION, URL + "2", 1)):
        variables = {**os.environ, "REVISION": revision, "REPOSITORY": url}
        done = subprocess.run([sys.executable, "-c", script], env=variables, capture_output=True, check=False)
        assert done.returncode == status, done.stderr

"""What people install: sdist and wheel are whole, and say the same as the recipe for conda."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src/sudare"


def built(target: str, source: Path, folder: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    return next(folder.iterdir())


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(built("sdist", ROOT, folder)) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    return next((folder / "unpacked").iterdir())


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that an installer builds from the sdist."""
    return built("wheel", sdist, tmp_path_factory.mktemp("wheel"))


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    files = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert packed == files | {"sudare_start.py"}


def test_the_metadata_are_what_an_index_accepts_and_shows(sdist: Path, wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        packed = archive.read(name).decode()
    for metadata in ((sdist / "PKG-INFO").read_text(encoding="utf-8"), packed):
        assert metadata.startswith("Metadata-Version: 2.4\n")
        pictures = re.findall(r"!\[[^]]*\]\(([^)]*)\)", metadata)
        assert len(pictures) == 2
        for picture in pictures:  # an index has no folder beside the README
            assert picture.startswith("https://sudare.readthedocs.io/images/")
            assert (ROOT / "docs" / picture.removeprefix("https://sudare.readthedocs.io/")).exists()


@pytest.mark.parametrize("distribution", ["sdist", "wheel"])
def test_what_was_built_installs_and_works_by_itself(
    distribution: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Its dependencies are those of this environment; nothing is fetched."""
    package = request.getfixturevalue(distribution)
    offline = ["--no-deps", "--no-index", "--no-build-isolation", "--target", "installed"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *offline, str(package)],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    done = subprocess.run(
        [sys.executable, tmp_path / "installed/bin/sudare", "list", "--family", "mask", "--json"],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "installed")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "microaggregation" in done.stdout


def test_no_address_of_a_registry_is_packed(sdist: Path) -> None:
    pins = (sdist / "constraints.txt").read_text()
    assert "://" not in pins


def requirements(lines: list[str]) -> dict[str, str]:
    named = (re.fullmatch(r"([\w-]+) ?(>=[\d.]+)", line) for line in lines)
    return {
        match[1].removeprefix("python-").lower(): match[2]
        for match in named
        if match and match[1] != "python"
    }


def test_the_recipe_for_conda_has_the_bounds_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    recipe = (ROOT / "packaging/conda/recipe.yaml").read_text()
    run = recipe.partition("  run:\n")[2].partition("\n\n")[0]
    stated = requirements([line.strip().removeprefix("- ") for line in run.splitlines()])
    assert stated == requirements(project["dependencies"])
    assert f'version: "{project["version"]}"' in recipe


def test_the_citation_has_the_version_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert f"version: {project['version']}\n" in (ROOT / "CITATION.cff").read_text()


def test_the_lines_of_the_readme_run_as_they_stand(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    script = re.findall(r"^```python\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)[0]
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Reidentification" in done.stdout
    assert (tmp_path / "map.svg").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for another shell")
def test_the_commands_of_the_readme_run_as_they_stand(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    script = re.findall(r"^```sh\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)[0]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "release/masked.csv").exists()


def test_the_paper_has_the_sections_that_its_journal_requires() -> None:
    paper = (ROOT / "paper/paper.md").read_text(encoding="utf-8")
    assert re.findall(r"^# (.*)$", paper, re.MULTILINE) == [
        "Summary",
        "Statement of need",
        "State of the field",
        "Software design",
        "Research impact statement",
        "AI usage disclosure",
        "Acknowledgements",
        "References",
    ]
    cited = set(re.findall(r"@(\w+)", paper))
    known = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "paper/paper.bib").read_text(), re.MULTILINE))
    assert cited <= known
    assert 750 <= len(paper.partition("# Summary")[2].split()) <= 1750


@pytest.mark.parametrize("image", ["core", "workbench"])
def test_an_image_is_built_from_files_that_its_context_has(image: str) -> None:
    recipe = (ROOT / "packaging" / image / "Dockerfile").read_text(encoding="utf-8")
    context = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    copied = re.findall(r"^COPY (?!--from)(.*) \S+$", recipe, re.MULTILINE)
    for name in " ".join(copied).split():
        assert f"!{name}" in context
        assert (ROOT / name).exists()

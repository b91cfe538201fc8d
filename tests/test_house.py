"""The package is installed whole, knows its version and stays light."""

import re
import subprocess
import sys
from importlib import metadata, resources
from pathlib import Path

import pytest

import unspoken.envs

ROOT = Path(__file__).parent.parent
FOLDERS = ("envs", "agents", "train", "configs")


def test_importing_the_environments_loads_nothing_heavy() -> None:
    heavy = (
        "torch",
        "matplotlib",
        "PIL",
        "pygame",
        "stable_baselines3",
        "numba.cuda",
        "unspoken.agents",
        "unspoken.train",
    )
    script = f"import sys, unspoken.envs; print([name for name in {heavy!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_the_version_is_the_same_everywhere() -> None:
    version = unspoken.envs.__version__
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited is not None
    assert cited[1] == version
    assert metadata.version("unspoken") == version
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_package_declares_that_it_is_typed(folder: str) -> None:
    assert (resources.files(f"unspoken.{folder}") / "py.typed").is_file()


def test_every_sub_package_is_listed_for_the_wheel() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    listed = re.search(r"^packages = \[\n(.*?)^\]$", project, re.MULTILINE | re.DOTALL)
    assert listed is not None
    on_disk = {
        ".".join(("unspoken", *module.parent.relative_to(ROOT).parts))
        for folder in FOLDERS
        for module in (ROOT / folder).rglob("*.py")
    }
    assert set(re.findall(r'"(.+)"', listed[1])) == on_disk

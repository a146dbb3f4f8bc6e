"""Builds the wheel. Everything but the folder of the app stands in pyproject.toml."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

# The wheel installs one package. The app's files go into a folder of it, from which the commands
# run them (provenance_core/app_folder.py), so that no general name such as ``api`` reaches
# site-packages. MANIFEST.in names the same files for the source distribution.
FOLDER = Path("provenance_core", "_app")
FOLDERS = ("api", "dashboard", "pages", "reports", "storage")
FILES = (
    "app.py",
    "server.py",
    ".streamlit/config.toml",
    "benchmarks/RESULTS.md",
    "benchmarks/results.json",
    "docs/tutorials/answers.jsonl",
)


class BuildWithApp(build_py):
    """Builds the package, then copies the app into it."""

    def run(self) -> None:
        """Build; an editable install runs the app of the checkout."""
        super().run()
        if self.editable_mode:
            return
        target = Path(self.build_lib) / FOLDER
        for name in FOLDERS:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(name, target / name, ignore=ignored, dirs_exist_ok=True)
        for name in FILES:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(name, target / name)


setup(cmdclass={"build_py": BuildWithApp})

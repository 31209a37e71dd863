"""An empty prefix with opdebug installed, and the programs of docs/guides/embedding-*.md built against it."""

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Dict

import pytest

import page

SOURCE = Path(__file__).resolve().parents[2]
DEMO = SOURCE / "testdata" / "demo"


def pytest_addoption(parser):
    parser.addoption("--build", required=True, help="the build folder that is installed")
    parser.addoption("--subproject", action="store_true", help="only what compiles the library once more")


@dataclass
class Consumers:
    folder: Path  # the files of the pages and what was built from them
    prefix: Path
    environment: Dict[str, str]
    runs: Dict[str, subprocess.CompletedProcess]  # by the block


def run_in(folder: Path, environment: Dict[str, str], command) -> subprocess.CompletedProcess:
    return subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)


@pytest.fixture(scope="session")
def consumers(request):
    folder = Path(tempfile.mkdtemp(prefix="opdebug-consumers."))
    prefix = folder / "prefix"
    installed = run_in(folder, dict(os.environ), ["cmake", "--install", request.config.getoption("--build"), "--prefix", str(prefix)])
    assert installed.returncode == 0, installed.stdout + installed.stderr

    # Debian's Python before others, which may lack its packages. Ninja, for it builds the sub-project in parallel.
    environment = {**os.environ, "PREFIX": str(prefix), "SOURCE": str(SOURCE), "DUMP": str(demo_dump()), "LOGS": str(DEMO / "logs"),
                   "LD_LIBRARY_PATH": str(prefix / "lib"), "PATH": "/usr/bin:" + os.environ["PATH"], "CMAKE_GENERATOR": "Ninja"}
    blocks = page.blocks_of_pages(SOURCE)
    for block in blocks:
        if block.mark == "file":
            (folder / block.place).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.place).write_text(block.text, encoding="utf-8")
    # Warnings of the examples are errors.
    compilers = folder / "compilers"
    compilers.mkdir()
    for compiler in ["cc", "c++"]:
        (compilers / compiler).write_text(f'#!/bin/sh\nexec /usr/bin/{compiler} -Wall -Wextra -pedantic-errors -Werror "$@"\n')
        (compilers / compiler).chmod(0o755)
    strict = {**environment, "PATH": f"{compilers}:{environment['PATH']}"}
    runs = {}
    for block in page.run_blocks(blocks):
        if (block.place == "subproject") != request.config.getoption("--subproject"):
            continue
        settings = environment if "cmake" in block.text else strict  # a whole build has warnings of its own
        runs[str(block)] = run_in(folder / block.place, settings, ["sh", "-euc", block.text])
    yield Consumers(folder, prefix, environment, runs)
    shutil.rmtree(folder)


def demo_dump() -> Path:
    return next(DEMO.rglob("Opdebug.Node_OpDebug.*"))

"""The worked example docs/cluster/many_dumps.py: threads and Dask give the same."""

import json
import subprocess
import sys

import pytest
from conftest import LOGS, SOURCE
from distributed import LocalCluster

import opdebug


@pytest.fixture
def example():
    return SOURCE / "docs/cluster/many_dumps.py"


def run_example(example, *arguments, status):
    ended = subprocess.run([sys.executable, example, *arguments], capture_output=True, text=True, timeout=240)
    assert ended.returncode == status, ended.stderr
    return [json.loads(line) for line in ended.stdout.splitlines()]


def expected_of(file, logs):
    try:
        return opdebug.decode(file, logs=logs)
    except opdebug.Error as error:
        return {"file": file, "error": {"code": error.code, "message": error.message, "offset": error.offset}}


@pytest.fixture(params=["threads", "dask", "scheduler"])
def engine(request):
    """The options of an engine."""
    if request.param != "scheduler":
        yield [] if request.param == "threads" else ["--dask"]
        return
    with LocalCluster(n_workers=1, processes=False, protocol="tcp", dashboard_address=None) as cluster:
        yield ["--scheduler", cluster.scheduler_address]


def test_every_dump_has_its_document_or_its_error(example, tree, engine):
    files = sorted(str(path) for path in tree.rglob("Opdebug.*"))
    logs = opdebug.read_logs(LOGS)
    results = run_example(example, *engine, "--logs", LOGS, tree, status=1)
    assert results == [expected_of(file, logs) for file in files]
    assert ["error" in result for result in results] == [False, False, False, True, False, False]

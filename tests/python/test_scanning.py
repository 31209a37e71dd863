"""scan()."""

import concurrent.futures
import multiprocessing
import os
import pickle

import pytest
from conftest import DUMP, LOGS, endless_measuring, tool_document

import opdebug


def report_of_tool(*arguments):
    return tool_document("scan", "--format", "json", *arguments)


def files_of(tree):
    return sorted(str(path) for path in tree.rglob("Opdebug.*"))


def test_every_dump_comes_in_path_order(tree):
    for threads in (0, 1, 3):
        with opdebug.scan(tree, threads=threads) as scan:
            records = list(scan)
        assert [record["file"] for record in records] == files_of(tree)
        assert [len(record["records"]) for record in records] == [3, 3, 3, 0, 3, 3]
        assert records[0] == opdebug.decode(files_of(tree)[0])
        assert [remark["severity"] for remark in records[3]["diagnostics"]][0] == "error"


@pytest.mark.parametrize(
    "options, arguments",
    [
        ({}, []),
        ({"tensors": True}, ["--tensors"]),
        ({"logs": LOGS}, ["--logs", LOGS]),
        ({"all": True, "language": "zh"}, ["--all", "--lang", "zh"]),
        ({"first": 2, "threads": 1}, ["--first", "2"]),
    ],
)
def test_the_report_is_the_programs(tree, options, arguments):
    expected = report_of_tool(tree, *arguments)
    assert expected["counts"]["dumps"] == 6
    with opdebug.scan(tree, **options) as scan:
        assert scan.report() == expected
    with opdebug.scan([str(tree)], **options) as scan:
        for taken, _ in enumerate(scan, 1):
            if taken == 4:
                break
        assert scan.report() == expected
        assert scan.report() == expected
        assert list(scan) == []


def test_documents_with_logs(tree):
    logs = opdebug.read_logs(LOGS)
    with opdebug.scan(tree, logs=logs) as scan:
        for record in scan:
            if record["records"]:
                assert record["operator"] == opdebug.decode(record["file"], logs=logs)["operator"]


def test_no_path_is_there(tmp_path):
    with pytest.raises(opdebug.Error) as caught:
        opdebug.scan(tmp_path / "missing")
    assert caught.value.code == "file_not_found"
    assert caught.value.file == str(tmp_path / "missing")
    with pytest.raises(opdebug.Error):
        opdebug.scan([])
    with pytest.raises(opdebug.Error, match="threads"):
        opdebug.scan(DUMP, threads=-1)


def test_a_path_that_is_not_there_costs_only_itself(tree, tmp_path):
    paths = [tree, tmp_path / "missing"]
    with opdebug.scan(paths) as scan:
        report = scan.report()
    assert report == report_of_tool(*paths)
    assert report["counts"]["dumps"] == 6 and len(report["failures"]) > 1


def test_paths_of_any_kind(tmp_path):
    folder = os.path.join(os.fsencode(tmp_path), b"\xff")
    os.mkdir(folder)
    with open(os.path.join(folder, b"Opdebug.Node_OpDebug.118.21.1791769287318452"), "wb") as file:
        file.write(DUMP.read_bytes())
    with opdebug.scan(os.fsdecode(folder), logs=LOGS) as scan:
        assert [record["operator"] for record in scan] == [opdebug.decode(DUMP, logs=LOGS)["operator"]]
    with opdebug.scan([folder]) as scan:
        assert next(scan)["file"].startswith(str(tmp_path / "\ufffd"))


def test_it_may_end_early(tree):
    scan = opdebug.scan(tree)
    assert next(scan)["file"] == files_of(tree)[0]
    scan.close()
    scan.close()
    for use in (scan.__next__, scan.report):
        with pytest.raises(ValueError, match="closed"):
            use()
    for _ in range(50):
        next(opdebug.scan(tree))  # dropped, which ends it
        opdebug.scan(tree)


def test_several_threads_take_from_one_scan(tree):
    scan = opdebug.scan(tree)

    def take(_):
        return [record["file"] for record in scan]

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        taken = [file for files in pool.map(take, range(4)) for file in files]
    assert sorted(taken) == files_of(tree)


def test_closing_ends_the_waiting_of_another_thread(tmp_path):
    scan = opdebug.scan(endless_measuring(tmp_path), tensors=True)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        taken = pool.submit(list, scan)
        assert concurrent.futures.wait([taken], timeout=0.1).not_done
        scan.close()
        assert isinstance(taken.exception(timeout=60), ValueError)


def test_it_belongs_to_its_process(tree):
    scan = opdebug.scan(tree)

    def use(queue):
        try:
            next(scan)
        except ValueError as error:
            scan.close()
            queue.put(str(error))

    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=use, args=(queue,))
    child.start()
    assert "process" in queue.get(timeout=60)
    child.join()
    assert child.exitcode == 0
    assert len(list(scan)) == 6
    with pytest.raises(TypeError):
        pickle.dumps(scan)

"""scan()."""

import concurrent.futures
import json
import multiprocessing
import os
import pickle
import warnings

import pytest
from conftest import DUMP, LOGS, endless_measuring, run_tool, tool_document

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


def test_traces_tie_as_the_program_does(tree, tmp_path):
    folder = tmp_path / "api/step0/rank0"
    folder.mkdir(parents=True)
    clean = {"type": "torch.Tensor", "dtype": "torch.float16", "shape": [2], "Max": 1.5, "Min": -1.5, "Mean": 0.0, "Norm": 2.0}
    call = {"input_args": [clean], "input_kwargs": {}, "output": [dict(clean, Max=float("nan"))]}
    (folder / "dump.json").write_text(json.dumps({"task": "statistics", "level": "L1", "data": {"Torch.exp.0.forward": call}}))
    trace = folder / "trace_view.json"
    trace.write_text("no trace")
    report = opdebug.scan([tree, folder], traces=trace).report()
    assert report == report_of_tool(tree, folder, "--trace", trace)
    assert "trace_unread" in [remark["code"] for remark in report["api"]["diagnostics"]]
    assert "trace_unread" not in json.dumps(opdebug.scan([tree, folder], traces=[]).report()["api"])


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
    for paths, words in [([], "no path was given"), ("", "path is empty"), ([tmp_path, ""], "path is empty")]:
        with pytest.raises(opdebug.Error, match=words) as caught:
            opdebug.scan(paths)
        assert caught.value.code == "invalid_argument"
    with pytest.raises(TypeError, match="a path or a list of paths was expected, not NoneType"):
        opdebug.scan(None)
    with pytest.raises(opdebug.Error, match="threads"):
        opdebug.scan(DUMP, threads=-1)


def test_a_path_that_is_not_there_costs_only_itself(tree, tmp_path):
    paths = [tree, tmp_path / "missing"]
    with opdebug.scan(paths) as scan:
        report = scan.report()
    assert report == report_of_tool(*paths)
    assert report["counts"]["dumps"] == 6 and len(report["failures"]) > 1


def test_the_summary_is_the_last_line_of_the_report(tree, tmp_path):
    paths = [tree, tmp_path / "missing"]
    for options, arguments in [({}, []), ({"tensors": True, "threads": 1}, ["--tensors"])]:
        lines = run_tool("scan", "--format", "jsonl", *paths, *arguments).stdout.splitlines()
        with opdebug.scan(paths, **options) as scan:
            summary = scan.summary()
            assert summary == json.loads(lines[-1])
            assert scan.summary() == summary
            assert next(scan, None) is None
    # One dump is damaged, by the tree's making, and one path is not there.
    assert [failure["file"] for failure in summary["failures"]] == [files_of(tree)[3], str(tmp_path / "missing")]
    assert summary["counts"]["failed"] == 1


def test_what_could_not_be_read_becomes_warnings_at_the_end(tree, tmp_path):
    missing = tmp_path / "mis\nsing"
    scan = opdebug.scan([tree, missing, tmp_path / "gone"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(6):
            next(scan)
    with pytest.warns(opdebug.ScanWarning) as caught:
        for record in scan:
            raise AssertionError(record)
    # In path order, each on one line, and none for the dump that failed: it had its document.
    assert [str(warning.message).split(": ")[0] for warning in caught] == [
        str(tmp_path / "gone"),
        str(tmp_path / "mis\\x0asing"),
    ]
    assert {warning.filename for warning in caught} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(scan) == []  # once is enough
        opdebug.scan([tree, missing]).report()  # who takes the report has it there
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(opdebug.ScanWarning):
            list(opdebug.scan([tree, missing]))


def test_it_shows_what_it_is(tree):
    scan = opdebug.scan(tree)
    assert repr(scan) == f"<opdebug.Scan of {str(tree)!r}, under way>"
    list(scan)
    assert repr(scan) == f"<opdebug.Scan of {str(tree)!r}, ended>"
    scan.close()
    assert repr(scan) == f"<opdebug.Scan of {str(tree)!r}, closed>"
    assert " and 2 more, " in repr(opdebug.scan([DUMP, tree, LOGS]))


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
    for use in (scan.__next__, scan.report, scan.summary):
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

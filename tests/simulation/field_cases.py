#!/usr/bin/env python3
"""Cases from the field with known answers: the right operator is alone, first or among the answers.

Each case is a folder with dump/ and logs/. OPDEBUG_REFERENCE_DATA/field/locate contains them.
"""
import json
import os
import pathlib
import subprocess
import sys

# What its expected.txt states, as a name or the beginning of a kernel's name. Several: each is to be listed. None: no operator.
CASES = {
    "01b-lost-setup-alone": ["Sigmoid_"],
    "01d-lost-setup-ge-next": ["net/sig_1"],
    "02b-control-both-bound": ["b/sig"],  # both are bound; the folder names the model of this one
    "02c-lost-bind-but-ModelGetTaskId": ["a/mm", "b/sig"],
    "03c-clock-3s-behind-host-reports": ["RealDiv_"],
    "03e-device-line-names-op": ["blk/div"],
    "04a-stale-device-name": ["Sigmoid_"],
    "04b-stale-trace-control": ["Sigmoid_"],
    "04c-stale-trace-no-submit-before": ["Sigmoid_"],
    "07c-model-lost-setup-no-free": ["net/sig"],
    "09a-5ms-behind-release": ["m/mm"],
    "10b-same-host-reports": ["blk/div"],
    "11c-opdump-names-second-process": ["b/sig"],
    "12a-7.5s-device-map-after-dump": [],
    "12g-device-map-in-use": ["Add_"],
    "12l-same-device-line-later-use": ["Conv2D_"],
    "16d-ge-only": ["bert/add"],
    "16k-2023-ge-only-two-devices": ["a/add", "b/exp"],
    "17d-all-lines-control": ["blk/exp"],
    "17m-2023-launch-lost": ["blk/exp"],
    "20a-folder-names-other-model": ["xnet/add"],
    "20b-same-with-end-graph-line": ["xnet/add"],
}
WARNINGS = {"20a-folder-names-other-model": "model_differs", "20b-same-with-end-graph-line": "model_differs"}
# No answer, or one that is not exact and carries one of these warnings: the zone is inferred; the id was sent again.
DOUBTFUL = {"06d-rotated-log-eager": "time_zone", "17i-kernel-only": "other_use_unnamed"}
# Another overflow dump of the same ids has the operator dump next to it.
OTHER_OVERFLOW = ("13a-op-dump-of-another-overflow", "Opdebug.Node_OpDebug.77.3.1767225640000000")


def scan(tool, case):
    ran = subprocess.run([tool, "scan", "dump", "--logs", "logs", "--format", "jsonl", "-q", "--lang", "en"], cwd=case,
                         env={"TZ": "UTC", "LC_ALL": "C"}, stdout=subprocess.PIPE, check=False)
    documents = [json.loads(line) for line in ran.stdout.decode().splitlines()]
    return [document for document in documents if document["schema"].startswith("opdebug.record/")]


def answers(document):
    operator = document["operator"]
    return [each["name"] or each["kernel"] for each in (operator["candidates"] or [operator])] if operator else []


def faults(tool, folder):
    for name, expected in CASES.items():
        document, = scan(tool, folder / name)
        found = answers(document)
        if not expected and found:
            yield f"{name}: no operator expected, not {found}"
        for right in expected:
            if not any(each.startswith(right) for each in found):
                yield f"{name}: {right} is not among {found}"
        code = WARNINGS.get(name)
        if code and all(remark["code"] != code for remark in document["diagnostics"]):
            yield f"{name}: no {code}"
    for name, code in DOUBTFUL.items():
        document, = scan(tool, folder / name)
        warnings = [remark["code"] for remark in document["diagnostics"] if remark["severity"] == "warning"]
        if answers(document) and (document["operator"]["confidence"] == "exact" or code not in warnings):
            yield f"{name}: {answers(document)} is {document['operator']['confidence']}, with the warnings {warnings}"
    name, dump = OTHER_OVERFLOW
    for document in scan(tool, folder / name):
        if document["file"].endswith(dump) and answers(document):
            yield f"{name}: no operator expected, not {answers(document)}"


def main():
    data = os.environ.get("OPDEBUG_REFERENCE_DATA")
    if not data:
        print("SKIPPED: OPDEBUG_REFERENCE_DATA is not set")
        return 77
    wrong = list(faults(os.path.abspath(sys.argv[1]), pathlib.Path(data) / "field" / "locate"))
    print("\n".join(wrong) or f"{len(CASES) + len(DOUBTFUL) + 1} cases")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

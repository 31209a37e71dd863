"""Runs the tool over very many damaged dumps and logs and checks what must hold however damaged they are.

A generator writes the inputs, and what the library decodes of each dump. Then scan runs in each form, and decode, convert
and index on samples: the exit status is 0 or 1, counts add up and are those of the generator, JSON is strict and follows its
schema, no control characters are written, nothing in the input folders changes.
Prints one line of figures for each run. Exit status 1: something does not hold, which is printed.
"""
import argparse
import collections
import csv
import hashlib
import io
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[3]
FORMS = ("text", "json", "jsonl", "csv", "html")
SAMPLE = 300  # dumps that decode and convert read, and documents whose schema is checked
WRITTEN_NAME = re.compile(rb"[0-9]+,Mul\.net_mul\.[0-9]+\.3\.[0-9]{16}")  # damaged_dumps.cpp
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")

violations = []
may_lack_jsonschema = False


def require(holds, prop, found=""):
    if not holds:
        violations.append(prop)
        print(f"DOES NOT HOLD: {prop} {str(found)[:600]}", flush=True)


def aside(check, *arguments):
    """Checks in a process of its own: the memory of this one would be counted as that of the tools it starts."""
    child = os.fork()
    if child == 0:
        violations.clear()
        try:
            check(*arguments)
        except Exception as failure:  # what cannot be read does not hold either
            require(False, f"{check.__name__}: the output can be read", repr(failure))
        sys.stdout.flush()
        os._exit(min(len(violations), 100))
    _, status = os.waitpid(child, 0)
    violations.extend([check.__name__] * os.waitstatus_to_exitcode(status))


def run(tool, *arguments, output=None, logged=None, fails=False):
    """Runs the tool and returns what it says on standard error. `logged`: the name in the line of figures; `fails`: whether
    some of the inputs cannot be decoded, so that the exit status must be 1."""
    begin = time.monotonic()
    with open(output or os.devnull, "wb") as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen([tool, *map(str, arguments)], stdout=out, stderr=err,
                                   env={**os.environ, "LANG": "C"})
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        stderr = err.read()
    seconds = time.monotonic() - begin
    name = logged or arguments[0]
    require(process.returncode in ((1,) if fails else (0, 1)), f"{name}: the exit status is {'1' if fails else '0 or 1'}", f"{process.returncode} {stderr[-500:]}")
    require(not CONTROLS.search(stderr.decode("utf-8", "replace")), f"{name}: no control characters on standard error")
    print(f"{name}: exit status {process.returncode}, {seconds:.1f} s, {usage.ru_utime + usage.ru_stime:.1f} s of processors, "
          f"{usage.ru_maxrss / 1024:.0f} MiB", flush=True)
    return stderr.decode()


def strict_json(text):
    """JSON by the letter: UTF-8, no NaN, no key twice."""
    def unique(pairs):
        keys = [key for key, _ in pairs]
        if len(keys) != len(set(keys)):
            raise ValueError(f"a key stands twice: {keys}")
        return dict(pairs)

    def refuse(constant):
        raise ValueError(f"{constant} is no JSON")
    return json.loads(text.decode("utf-8", "strict"), object_pairs_hook=unique, parse_constant=refuse)


def fingerprint(folder):
    """All names, kinds, modes, times and bytes below a folder."""
    digest = hashlib.sha256()
    for place, folders, files in os.walk(os.fsencode(folder)):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(place, name)
            status = os.lstat(path)
            digest.update(b"%s %o %d %d\n" % (path, status.st_mode, status.st_size, status.st_mtime_ns))
            with open(path, "rb") as file:
                digest.update(hashlib.sha256(file.read()).digest())
        digest.update(b"%s %d\n" % (place, os.stat(place).st_mtime_ns))
    return digest.hexdigest()


def read_expected(folder):
    lines = (folder / "expected.tsv").read_text().splitlines()
    return {path: (state, code) for path, state, code in (line.split("\t") for line in lines)}


def follows_schema(schema, documents):
    """Python's jsonschema accepts the documents."""
    lines = "".join(json.dumps(document) + "\n" for document in documents)
    result = subprocess.run([sys.executable, SOURCE / "tests/support/validate_json.py",
                             SOURCE / f"lib/data/schema/{schema}.schema.json"], input=lines.encode(),
                            capture_output=True, check=False)
    if result.returncode == 3:
        require(may_lack_jsonschema, f"the schema {schema} is checked: python3-jsonschema is not installed")
        print(f"SCHEMA NOT CHECKED: {schema}: python3-jsonschema is not installed")
        return
    require(result.returncode == 0, f"documents follow the schema {schema}", (result.stdout + result.stderr).decode())


def below(file):
    """The path below the folder of the dumps."""
    return file.split("/dumps/", 1)[1]


def failures_of_dumps(form, failures):
    """The code for each dump that failed. Beside them lists of names may be told of which no line can be understood: none of
    these still has the line that was written before the damage."""
    dumps = {}
    for failure in failures:
        if not failure["file"].endswith("/mapping.csv"):
            dumps[below(failure["file"])] = failure["code"]
            continue
        require(failure["code"] == "mapping_invalid", f"{form}: the error of a list of names", failure)
        sound = [line for line in pathlib.Path(failure["file"]).read_bytes().split(b"\n") if WRITTEN_NAME.fullmatch(line)]
        require(not sound, f"{form}: a list of names that is refused has no sound line", sound[:1])
    return dumps


def check_verdicts(form, expected, overflowed, failures):
    """Each dump has the state that the generator worked out; failed ones have their code."""
    wanted = {path for path, (state, _) in expected.items() if state == "overflowed"}
    require(overflowed == wanted, f"{form}: the dumps that overflowed are those that did",
            sorted(overflowed ^ wanted)[:5])
    codes = {path: code for path, (state, code) in expected.items() if state == "failed"}
    require(set(failures) == set(codes), f"{form}: the dumps that failed are those that are damaged so",
            sorted(set(failures) ^ set(codes))[:5])
    wrong = [(path, failures[path], code) for path, code in codes.items() if code not in ("-", failures.get(path))]
    require(not wrong, f"{form}: a failed dump has the error of its fault", wrong[:5])


def check_counts(form, counts, expected):
    require(counts["dumps"] == counts["overflowed"] + counts["clean"] + counts["failed"], f"{form}: counts add up", counts)
    states = collections.Counter(state for state, _ in expected.values())
    require(counts["dumps"] == len(expected), f"{form}: each dump is found once", f"{counts} of {len(expected)}")
    for state in ("overflowed", "clean", "failed"):
        require(counts[state] == states[state], f"{form}: the number of {state} dumps", f"{counts} {states}")


def check_json(path, expected):
    report = strict_json(path.read_bytes())
    check_counts("json", report["counts"], expected)
    overflowed = {below(document["file"]) for document in report["timeline"]}
    require(len(report["timeline"]) == report["counts"]["overflowed"], "json: the timeline holds each overflowed dump")
    failures = failures_of_dumps("json", report["failures"])
    told = sum(not failure["file"].endswith("/mapping.csv") for failure in report["failures"])
    require(told == report["counts"]["failed"], "json: each failed dump is told once")
    check_verdicts("json", expected, overflowed, failures)
    require(report["complete"] is True, "json: the report is complete")
    counts = report["counts"]
    print(f"  dumps {counts['dumps']} = overflowed {counts['overflowed']} + clean {counts['clean']} + failed "
          f"{counts['failed']}; operator dumps {counts['op_dumps']}, other files {counts['other_files']}")
    located = sum(document["operator"] is not None for document in report["timeline"])
    print(f"  with an operator {located}")
    for code, count in collections.Counter(failures.values()).most_common():
        print(f"  {code} {count}")
    report["timeline"] = report["timeline"][:SAMPLE]
    report["failures"] = report["failures"][:SAMPLE]
    return report


def check_jsonl(path, expected):
    overflowed, documents, count = set(), [], 0
    with open(path, "rb") as lines:
        for line in lines:
            document = strict_json(line)
            count += 1
            if "type" not in document:
                overflowed.add(below(document["file"]))
            if count <= SAMPLE or "type" in document:
                documents.append(document)
    require(documents[0]["type"] == "begin" and document["type"] == "summary", "jsonl: begins and ends with its envelope")
    check_counts("jsonl", document["counts"], expected)
    listed = document["counts"]["overflowed"] + document["counts"]["failed"]
    require(count == listed + 2, "jsonl: one line for each overflowed or failed dump", count)
    failures = failures_of_dumps("jsonl", document["failures"])
    check_verdicts("jsonl", expected, overflowed, failures)
    documents[-1]["failures"] = documents[-1]["failures"][:SAMPLE]
    follows_schema("report-line", documents)


def check_csv(path, expected):
    overflowed, failures = set(), {}
    text = path.read_bytes().decode("utf-8", "strict")
    require(not CONTROLS.search(text), "csv: no control characters")
    rows = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    for row in rows:
        require(None not in row and None not in row.values(), "csv: each row has all columns", row)
        require(row["state"] in ("overflowed", "failed"), "csv: rows are of overflowed and failed dumps", row["state"])
        if row["state"] == "failed":
            failures[below(row["file"])] = row["diagnostics"].split(" ")[0]
        else:
            overflowed.add(below(row["file"]))
    check_verdicts("csv", expected, overflowed, failures)


def check_page(form, path, expected):
    text = path.read_bytes().decode("utf-8", "strict")
    require(not CONTROLS.search(text), f"{form}: no control characters", CONTROLS.search(text))
    states = collections.Counter(state for state, _ in expected.values())
    title = f"opdebug scan: {states['overflowed']} of {len(expected)} dumps overflowed"
    if form == "text":
        counts = [len(expected)] + [states[state] for state in ("overflowed", "clean", "failed")]
        shown = re.search(r"^([\d,]+) dumps: ([\d,]+) overflowed, ([\d,]+) clean, ([\d,]+) unreadable ", text, re.MULTILINE)
        numbers = [int(number.replace(",", "")) for number in shown.groups()] if shown else []
        require(numbers == counts, "text: the counts are those of the dumps", f"{numbers} {counts}")
        return
    require(re.findall("<title>([^<]*)</title>", text) == [title], "html: the title tells the counts")
    counts = f"{states['overflowed']} overflows in {len(expected)} dumps"
    require(f" · {counts}" in text, "html: the first line tells the counts", counts)


def check_report(form, path, inputs):
    expected = read_expected(inputs)
    if form == "json":
        follows_schema("report", [check_json(path, expected)])
    elif form == "jsonl":
        check_jsonl(path, expected)
    elif form == "csv":
        check_csv(path, expected)
    else:
        check_page(form, path, expected)


def check_documents(path, sample):
    documents = [strict_json(line) for line in path.read_bytes().splitlines()]
    require([below(document["file"]) for document in documents] == [file for file, _, _ in sample],
            "decode: one document for each file")
    verdicts = {"overflowed": True, "clean": False, "failed": None}
    for (path, state, code), document in zip(sample, documents):
        require(document["overflow"] is verdicts[state], "decode: the verdict", f"{path} {state} {document}")
        if code != "-":
            require([item["code"] for item in document["diagnostics"]] == [code], "decode: the error", path)
    follows_schema("record", documents)


def check_converted(folder):
    for file in folder.rglob("*.json"):
        strict_json(file.read_bytes())
        require(file.stat().st_mode & 0o777 == 0o600, "convert: files are for their owner only", file)


def check_operators(path, told):
    named = {}
    with open(path, "rb") as lines:
        for line in lines:
            document = strict_json(line)
            if "type" not in document:
                named[os.path.basename(document["file"])] = (document["operator"] or {}).get("name")
    wrong = [(dump, op, named.get(dump)) for dump, op in told.items() if named.get(dump) != op]
    require(not wrong, "whole lines name the operators of their tasks", f"{len(wrong)} of {len(told)}: {wrong[:5]}")
    print(f"  {len(told) - len(wrong)} of {len(told)} tasks that whole lines tell of have their operator")


def read_pairs(path):
    return dict(line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())


def check_whole_lines(tool, inputs, outputs):
    """Damage of lines costs only these lines: tasks that whole ones tell of are found, and all lines are read."""
    told, logs = read_pairs(inputs / "tasks.tsv"), read_pairs(inputs / "logs.tsv")
    require(bool(told and logs), "some lines are whole")
    run(tool, "scan", inputs / "tasks", "--logs", inputs / "logs", "--format", "jsonl", output=outputs / "tasks.jsonl",
        logged="scan of told tasks")
    aside(check_operators, outputs / "tasks.jsonl", told)
    said = run(tool, "index", *(inputs / "logs" / log for log in logs), "-o", outputs / "whole.map", logged="index of whole logs")
    counts = re.search(r"whole\.map: (\d+) files?, (\d+) lines?,", said)
    wanted = (len(logs), sum(map(int, logs.values())))
    require(counts and tuple(map(int, counts.groups())) == wanted, "index: all lines are read", f"{said[-200:]} {wanted}")


def check_other_commands(tool, inputs, outputs, dumps):
    """decode, convert and index: of a sample of the dumps, and of the first logs."""
    with open(inputs / "expected.tsv", encoding="utf-8") as lines:
        sample = [line.rstrip("\n").split("\t") for line in itertools.islice(lines, 0, None, max(1, dumps // SAMPLE))]
    files = [inputs / "dumps" / path for path, _, _ in sample]
    fails = any(state == "failed" for _, state, _ in sample)
    run(tool, "decode", "--format", "jsonl", *files, output=outputs / "decode.jsonl", logged="decode", fails=fails)
    aside(check_documents, outputs / "decode.jsonl", sample)
    for number, file in enumerate(files):
        (outputs / "sample" / str(number)).mkdir(parents=True)
        shutil.copy(file, outputs / "sample" / str(number))
    run(tool, "convert", "-d", outputs / "sample", "-out", outputs / "converted", fails=fails)
    aside(check_converted, outputs / "converted")
    logs = sorted((inputs / "logs").rglob("*.log*"))[:4]
    for number in (1, 2):
        run(tool, "index", *logs, "-o", outputs / f"map{number}", logged="index")
    require((outputs / "map1").read_bytes() == (outputs / "map2").read_bytes(), "index: the same logs give the same map")
    run(tool, "decode", "--format", "jsonl", "--logs", outputs / "map1", *files, output=outputs / "map.jsonl",
        logged="decode with a map", fails=fails)
    aside(check_documents, outputs / "map.jsonl", sample)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--generator", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path, help="for inputs and outputs; is emptied")
    parser.add_argument("--dumps", type=int, default=500)
    parser.add_argument("--log-megabytes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest-line", type=int, default=3900, help="bytes of the log lines that are made long")
    parser.add_argument("--without-jsonschema", action="store_true", help="documents need not be held to their schemas")
    arguments = parser.parse_args()
    global may_lack_jsonschema
    may_lack_jsonschema = arguments.without_jsonschema
    inputs, outputs = arguments.folder / "in", arguments.folder / "out"
    shutil.rmtree(arguments.folder, ignore_errors=True)
    outputs.mkdir(parents=True)
    subprocess.run([arguments.generator, inputs, str(arguments.dumps), str(arguments.log_megabytes), str(arguments.seed),
                    str(arguments.longest_line)], check=True)
    before = fingerprint(inputs)
    fails = any(state == "failed" for state, _ in read_expected(inputs).values())
    for form in FORMS:
        path = outputs / f"report.{form}"
        run(arguments.tool, "scan", inputs / "dumps", "--logs", inputs / "logs", "--format", form, output=path,
            logged=f"scan {form}", fails=fails)
        aside(check_report, form, path, inputs)
    check_whole_lines(arguments.tool, inputs, outputs)
    check_other_commands(arguments.tool, inputs, outputs, arguments.dumps)
    require(fingerprint(inputs) == before, "nothing in the input folders changed")
    print(f"{len(violations)} violations")
    if not violations:
        shutil.rmtree(arguments.folder)
    return 1 if violations else 0


sys.exit(main())

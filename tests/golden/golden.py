#!/usr/bin/env python3
"""Compares what the tool prints with testdata/cases. Finds English in Chinese results and lines wider than the page.

Usage: golden.py TOOL ROOT [--write]

testdata/cases/<situation>/command has the arguments, one line, and a line of the formats. input, where it exists, is
the folder {input}; other paths are below testdata. made, where it exists, has lines of a file in {made} and the
arguments that write it: reports of one version are merged only by that version. truth, where it exists, has lines that
the English text of 100 columns contains: they are written by hand, from how the input was made. expected has a file for
each format, width and language, which --write replaces: standard output, standard error, and an exit status that is
not 0.
"""
import difflib
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "lint"))
from chinese import english_in  # noqa: E402  (tests/lint)

WIDTHS = (80, 100, 140)
STANDARD_ERROR = "--- standard error\n"
EXIT_STATUS = "--- exit status "
LANGUAGES = ("en", "zh")
# Parts of the page that are the same in every report: lib/data/report has them.
PAGE_PARTS = re.compile(r'<style>.*?</style>|<script>.*?</script>|<script[^>]*id="words">.*?</script>', re.DOTALL)
PAGE_DATA = re.compile(r'<script[^>]*id="data">(.*?)</script>', re.DOTALL)
ENGLISH_PART = re.compile(r'<p class="note en">.*?</p>', re.DOTALL)
HASH = re.compile(r"sha256-[A-Za-z0-9+/=]+")
TAG = re.compile(r"<[^>]*>")


def run(tool, arguments, columns, folder):
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "TZ": "UTC", "LANG": "C", "COLUMNS": str(columns)}
    done = subprocess.run([tool, *arguments], cwd=folder, capture_output=True, text=True, check=False, env=environment)
    error = STANDARD_ERROR + done.stderr if done.stderr else ""
    return f"{done.stdout}{error}{f'{EXIT_STATUS}{done.returncode}' + chr(10) if done.returncode else ''}"


def make_files(tool, case, root, folder):
    path = case / "made"
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        name, *arguments = line.split()
        run(tool, [*arguments, "-o", f"{folder}/{name}"], 100, root / "testdata")


def results(tool, case, root, made):
    """The name and text of each result of a case."""
    make_files(tool, case, root, made)
    arguments, forms = (case / "command").read_text(encoding="utf-8").splitlines()
    words = [word.replace("{input}", f"cases/{case.name}/input").replace("{made}", made) for word in arguments.split()]
    version = run(tool, ["--version"], 100, root).split()[1]
    for form in forms.split():
        for language in LANGUAGES if form in ("text", "html") else LANGUAGES[:1]:
            for columns in WIDTHS if form == "text" else WIDTHS[1:2]:
                text = run(tool, [*words, "--format", form, "--lang", language], columns, root / "testdata")
                text = HASH.sub("HASH", PAGE_PARTS.sub("", text)) if form == "html" else text
                width = f".{columns}" if form == "text" else ""
                yield f"{form}{width}.{language}", text.replace(version, "VERSION").replace(made, "MADE")


def truth(case):
    path = case / "truth"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def chinese_text(form, text):
    """The sentences of a result in Chinese: the data of a page have both languages."""
    if not form.startswith("html"):
        return text
    head = json.loads(PAGE_DATA.search(text)[1])["head"]["zh"]
    elements = html.unescape(TAG.sub("\n", ENGLISH_PART.sub("", PAGE_DATA.sub("", text))))
    return "\n".join([elements, *texts_in(head)])


def texts_in(value):
    if isinstance(value, str):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for item in items for text in texts_in(item)]


def columns_of(text):
    return sum(0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
               for letter in text)


def too_wide(text, columns):
    """The lines of a page that are wider than the page. A word alone may be; messages are one line each."""
    for line in text.partition(STANDARD_ERROR)[0].partition(EXIT_STATUS)[0].splitlines():
        if columns_of(line) > columns and len(line.split()) > 1:
            yield line


def faults(tool, root, is_written):
    for case in sorted((root / "testdata/cases").iterdir()):
        expected = case / "expected"
        known = {path.name for path in expected.glob("*")} if expected.is_dir() else set()
        with tempfile.TemporaryDirectory() as made:
            for name, text in results(tool, case, root, made):
                known.discard(name)
                if is_written:
                    expected.mkdir(exist_ok=True)
                    (expected / name).write_text(text, encoding="utf-8")
                wanted = (expected / name).read_text(encoding="utf-8") if (expected / name).exists() else ""
                if text != wanted:
                    yield "".join(difflib.unified_diff(wanted.splitlines(True), text.splitlines(True),
                                                       f"{case.name}/{name}", "the tool"))
                for line in truth(case) if name == "text.100.en" else []:
                    if line not in text:
                        yield f"{case.name}/{name}: not there: {line}"
                if name.startswith("text."):
                    for line in too_wide(text, int(name.split(".")[1])):
                        yield f"{case.name}/{name}: wider than the page: {line}"
                if name.endswith(".zh"):
                    for english in english_in(chinese_text(name, text)):
                        yield f"{case.name}/{name}: English: {english}"
        for name in sorted(known):
            yield f"{case.name}/{name}: no result has this name"


def main():
    tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
    found = list(faults(tool, root, "--write" in sys.argv[3:]))
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()

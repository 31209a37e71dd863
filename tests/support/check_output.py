"""Checks what the tool wrote with Python's own parsers: check_output.py FOLDER.

FOLDER/names holds the hostile names, separated by NUL. Each other file is one output; its suffix says in which form:
.text, .json, .jsonl, .csv or .html. The names must be in every file whose name begins with "all-". Prints what is wrong,
a line each, and "N files" at the end.
"""

import csv
import io
import json
import os
import re
import sys
import unicodedata
from html.parser import HTMLParser

# Categories of Unicode that no text may show: controls, format characters, surrogates, separators of lines.
HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
FORMULA = r'[ "]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]'

ELEMENTS = set(
    "html head meta title style script body p button main noscript footer".split()
)
ATTRIBUTES = set("lang charset http-equiv content name class type data-language hidden id".split())


def visible(name: bytes) -> str:
    """What a person sees of a name: bytes that are not UTF-8 and hidden characters as \\xNN."""
    shown = ""
    for character in name.decode("utf-8", "surrogateescape"):
        if unicodedata.category(character) in HIDDEN:
            shown += "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))
        else:
            shown += character
    return shown


def cell(name: bytes) -> str:
    """The same in a cell: an apostrophe in front of what is a formula there or behind a semicolon."""
    shown = name.decode("utf-8", "surrogateescape")
    shown = re.sub(f"(^|;)(?={FORMULA})", r"\1'", shown)
    return visible(shown.encode("utf-8", "surrogateescape"))


def check_text(text, names):
    for number, line in enumerate(text.split("\n"), 1):
        for character in line:
            if unicodedata.category(character) in HIDDEN:
                yield f"line {number} holds {character!r}"
    words = "".join(text.split())  # pages break lines at the blanks of names
    for name in names:
        if "".join(visible(name).split()) not in words:
            yield f"{name!r} is not shown"


def texts_in(value):
    if isinstance(value, str):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from texts_in(item)


def without_twins(pairs):
    if len(pairs) != len(dict(pairs)):
        raise ValueError("a key is there twice")
    return dict(pairs)


def refuse(constant):
    raise ValueError(f"{constant} is no JSON")


def check_json(text, names):
    found = set()
    for document in filter(None, text.split("\n")) if text.startswith("{\"") else [text]:
        found.update(texts_in(json.loads(document, object_pairs_hook=without_twins, parse_constant=refuse)))
    yield from check_text(text, [])
    for name in names:
        if name.decode("utf-8", "replace") not in found:
            yield f"{name!r} is missing"


def check_csv(text, names):
    yield from check_text(text, [])
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    widths = {len(row) for row in rows}
    if len(widths) != 1:
        yield f"rows have {sorted(widths)} cells"
    for row in rows[1:]:
        for value in row:
            if re.search(f"(^|;){FORMULA}", value):
                yield f"{value!r} is a formula"
        numbers = [row[rows[0].index(column)] for column in ("timestamp_us", "stream_id", "task_id", "rank")]
        if not all(re.fullmatch("[0-9]*", number) for number in numbers):
            yield f"{numbers} are no numbers"
    operators = {row[rows[0].index("operator")] for row in rows}
    for name in names:
        if cell(name.decode("utf-8", "replace").encode()) not in operators:
            yield f"{name!r} is missing"


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.faults = []
        self.text = ""
        self.is_data = False
        self.count = {}
        self.policy_first = False

    def handle_starttag(self, tag, attributes):
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag not in ELEMENTS:
            self.faults.append(f"element {tag}")
        self.is_data = tag == "script" and ("type", "application/json") in attributes
        for name, value in attributes:
            if name not in ATTRIBUTES:
                self.faults.append(f"attribute {name} of {tag}")
            if name == "http-equiv" and value == "Content-Security-Policy":
                self.policy_first = "script" not in self.count and "style" not in self.count

    handle_startendtag = handle_starttag

    def handle_data(self, data):
        self.text += "\n".join(texts_in(json.loads(data))) if self.is_data else data
        self.is_data = False

    def handle_comment(self, data):
        self.faults.append(f"comment {data!r}")

    def handle_decl(self, decl):
        if decl != "DOCTYPE html":
            self.faults.append(f"declaration {decl!r}")

    def unknown_decl(self, data):
        self.faults.append(f"declaration {data!r}")

    def handle_pi(self, data):
        self.faults.append(f"instruction {data!r}")


def check_html(text, names):
    yield from check_text(text, [])
    page = Page()
    page.feed(text)
    page.close()
    yield from page.faults
    if not page.policy_first:
        yield "no content security policy in front of style and script"
    for tag, count in (("script", 3), ("style", 1), ("body", 1)):
        if page.count.get(tag) != count:
            yield f"{page.count.get(tag)} elements {tag}"
    for name in names:
        if visible(name) not in page.text:
            yield f"{name!r} is not shown"


CHECKS = {".text": check_text, ".json": check_json, ".jsonl": check_json, ".csv": check_csv, ".html": check_html}


def main(folder):
    with open(os.path.join(folder, "names"), "rb") as file:
        names = file.read().split(b"\0")
    files = sorted(set(os.listdir(folder)) - {"names"})
    for file in files:
        with open(os.path.join(folder, file), "rb") as output:
            content = output.read()
        check = CHECKS[os.path.splitext(file)[1]]
        try:
            for fault in check(content.decode("utf-8"), names if file.startswith("all-") else []):
                print(f"{file}: {fault}"[:300])
        except ValueError as error:
            print(f"{file}: {error}"[:300])
    print(f"{len(files)} files")


main(sys.argv[1])

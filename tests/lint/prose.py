#!/usr/bin/env python3
"""Checks the language of all texts: prose.py ROOT [TOOL]. Prints each fault; status 1 if there is one.

Texts: the documents (docs/reference is generated from the others), the data files, with TOOL its help, and comments.
Faults: a sentence of more than 25 words, a word that the style does not use. In documents also a line of more than 120
characters outside of tables, and a link to a missing file or heading. All documents together have a limit of words, as
`wc -w` counts them. In messages and help a semicolon ends a sentence. Chinese sentences are not measured.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Iterator, List, NamedTuple, Optional, Tuple

MAX_SENTENCE = 25  # words
MAX_LINE = 120  # characters
MAX_WORDS = 32000  # of README and docs, docs/reference included

# Verbs, nouns and prepositions that have a standard word. Left out are those that are also right in another meaning.
FORBIDDEN = re.compile(
    r"\b(tells?|told|says?|said|stands?|stood|lies|taken|asks?|asked"
    r"|proofs?|wordings?|(?<!\bin )places?|rights|(?:no|little|enough|more) room|(?:a|one|each|its|every|of) shares?|packed"
    r"|behind|beside|in front of|anew|further|perhaps|but for|nor)\b",
    re.IGNORECASE,
)
CODE = re.compile(r"`[^`]*`")
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]*)\)")
START_OF_BLOCK = re.compile(r"\s*([*+-] |\d+\. |#|\||>|<|$)")
END_OF_SENTENCE = re.compile(r"[.!?:]\s+|[.!?:]$")
END_OF_MESSAGE = re.compile(r"[.!?:;]\s+|[.!?:;]$")
# Members of data files that users read. The others are Chinese, patterns, log lines, or names of sources.
TEXTS = {"en", "text", "message", "advice", "setting", "brief", "next", "description", "title", "covers", "versions"}
SOURCES = {".cpp": "//", ".hpp": "//", ".h": "//", ".py": "#", ".cmake": "#", ".txt": "#", ".sh": "#"}


class Fault(NamedTuple):
    kind: str  # "sentence", "word", "line" or "link"
    line: int
    text: str


def prose_lines(text: str) -> Iterator[Tuple[int, str]]:
    """The lines that people wrote as prose, with their numbers; an empty line for each other one."""
    fenced = generated = False
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip().startswith("```"):
            fenced = not fenced
            yield number, ""
            continue
        if not fenced and line.startswith("<!-- generated"):
            generated = True
        yield number, "" if fenced or generated else line
        if not fenced and line.startswith("<!-- end generated"):
            generated = False


def words_of(text: str) -> List[str]:
    return [word for word in text.split() if any(c.isalnum() for c in word)]


def plain(line: str) -> str:
    """The line with one word for each piece of code, and the text of each link."""
    return re.sub(r"^\s*(?:[*+-]|\d+\.|#+|>)\s+", "", LINK.sub(r"\1", CODE.sub("code", line))).replace("*", "")


def blocks_of(lines: List[Tuple[int, str]]) -> Iterator[Tuple[int, str]]:
    """Paragraphs, items of lists and cells of tables, each with the number of its first line."""
    first, parts = 0, []  # type: int, List[str]
    for number, line in lines + [(0, "")]:
        if START_OF_BLOCK.match(line):
            if parts:
                yield first, " ".join(parts)
            first, parts = number, []
        if line.startswith("|"):
            for cell in plain(line).split("|"):
                yield number, cell.strip()
        elif line.strip():
            parts.append(plain(line.strip()))


def leads_somewhere(path: Path, text: str, link: str) -> bool:
    """Whether the file exists, and in it the heading, under the name that GitHub makes of it."""
    name, _, anchor = link.partition("#")
    target = path.parent / name
    if not target.exists():
        return False
    if not anchor or (name and target.suffix != ".md"):
        return True
    headings = re.findall(r"^#+ +(.*)$", target.read_text(encoding="utf-8") if name else text, re.MULTILINE)
    return re.sub(r"-\d+$", "", anchor) in {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def faults_of(path: Path, text: str) -> List[Fault]:
    lines = list(prose_lines(text))
    faults: List[Fault] = []
    for number, line in lines:
        if len(line) > MAX_LINE and not line.startswith("|"):
            faults.append(Fault("line", number, f"{len(line)} characters"))
        for match in FORBIDDEN.finditer(plain(line)):
            faults.append(Fault("word", number, match.group(0)))
        for match in LINK.finditer(CODE.sub("", line)):
            if "://" not in match.group(2) and not leads_somewhere(path, text, match.group(2)):
                faults.append(Fault("link", number, match.group(2)))
    if not path.stem.endswith("_zh"):
        for number, block in blocks_of(lines):
            for sentence in END_OF_SENTENCE.split(block):
                if len(words_of(sentence)) > MAX_SENTENCE:
                    faults.append(Fault("sentence", number, sentence[:70]))
    return faults


def language_faults(number: int, text: str, end: "re.Pattern[str]") -> Iterator[Fault]:
    for match in FORBIDDEN.finditer(text):
        yield Fault("word", number, f"{match.group(0)}: {text[max(0, match.start() - 40):match.end() + 30]}")
    for sentence in end.split(text):
        if len(words_of(sentence)) > MAX_SENTENCE:
            yield Fault("sentence", number, sentence[:70])


def documents_of(root: Path) -> List[Path]:
    documents = sorted([*root.glob("README*.md"), *root.glob("CHANGELOG.md"), *root.glob("docs/**/*.md")])
    return [path for path in documents if path.parent != root / "docs/reference"]


def texts_of(value: Any, key: str = "") -> Iterator[str]:
    """The texts of a data file, with one word for each value that is put in."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from texts_of(member, name)
    elif isinstance(value, list):
        for member in value:
            yield from texts_of(member, key)
    elif isinstance(value, str) and key in TEXTS:
        yield plain(re.sub(r"\{[^{}]*\}", "value", value))


def data_faults(path: Path) -> Iterator[Fault]:
    text = path.read_text(encoding="utf-8")
    parts = text.splitlines() if path.suffix == ".jsonl" else [text]
    for number, part in enumerate(parts, start=1):
        for one in texts_of(json.loads(part)):
            yield from language_faults(number, one, END_OF_MESSAGE)


def help_faults(tool: str) -> Iterator[Fault]:
    """The manual page has the text of every --help, one paragraph a line."""
    page = subprocess.run([tool, "manual"], stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout
    for number, line in enumerate(page.splitlines(), start=1):
        if not line.startswith((".", "\\fB")):
            yield from language_faults(number, plain(line.replace("\\-", "-")), END_OF_MESSAGE)


def comments_of(path: Path) -> Iterator[Tuple[int, str]]:
    """Each comment as one text: lines that follow each other belong together. After code only aligned lines do."""
    mark = SOURCES[path.suffix]
    pattern = re.compile(r'^((?:[^"]|"(?:[^"\\]|\\.)*")*?)' + mark + r"[/!]?<?\s?(.*)$")
    first, parts, column = 0, [], -1  # type: int, List[str], int
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], start=1):
        match = pattern.match(line) if mark in line else None
        alone = match is not None and not match.group(1).strip()
        is_apart = column >= 0 and match is not None and match.end(1) != column
        if parts and (not alone or is_apart or (match is not None and not match.group(2).strip())):
            yield first, plain(" ".join(parts))
            parts = []
        if match is not None and match.group(2).strip():
            if not parts:
                first, column = number, -1 if alone else match.end(1)
            parts.append(match.group(2).strip())


def comment_faults(root: Path) -> Iterator[str]:
    for folder in ("lib", "tools", "tests"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SOURCES or (path.suffix == ".txt" and path.name != "CMakeLists.txt"):
                continue
            for number, text in comments_of(path):
                for fault in language_faults(number, text, END_OF_MESSAGE):
                    yield f"{path.relative_to(root).as_posix()}:{fault.line}: {fault.kind}: {fault.text}"


def check(root: Path, tool: Optional[str] = None) -> bool:
    """Whether no text has a fault; prints the faults."""
    faults = []
    words = sum(len(path.read_text(encoding="utf-8").split()) for path in [*root.glob("README*.md"), *root.glob("docs/**/*.md")])
    for path in documents_of(root):
        name, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        faults += [f"{name}:{fault.line}: {fault.kind}: {fault.text}" for fault in faults_of(path, text)]
    for path in sorted((root / "lib/data").rglob("*.json*")):
        name = path.relative_to(root).as_posix()
        faults += [f"{name}:{fault.line}: {fault.kind}: {fault.text}" for fault in data_faults(path)]
    if tool is not None:
        faults += [f"opdebug manual:{fault.line}: {fault.kind}: {fault.text}" for fault in help_faults(tool)]
    if words > MAX_WORDS:
        faults.append(f"all documents: {words} words, {MAX_WORDS} allowed")
    faults += comment_faults(root)
    print("\n".join(faults))
    return not faults


if __name__ == "__main__":
    sys.exit(0 if check(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None) else 1)

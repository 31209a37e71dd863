#!/usr/bin/env python3
"""Checks the documents: prose.py ROOT. Prints each fault; status 1 if there is one.

Faults: a sentence of more than 25 words, a word that the style does not use, a line of more than 120 characters outside
of tables, a link to a missing file or heading. All documents together have a limit of words; fenced code is not counted,
and what is between <!-- generated --> and <!-- end generated --> is not examined. Chinese sentences are not measured.
"""

import re
import sys
from pathlib import Path
from typing import Iterator, List, NamedTuple, Tuple

MAX_SENTENCE = 25  # words
MAX_LINE = 120  # characters
MAX_WORDS = 32000  # of all documents

# Verbs, nouns and prepositions that have a standard word. Left out are those that are also right in another meaning.
FORBIDDEN = re.compile(
    r"\b(tells?|told|says?|said|stands?|stood|lies|taken|asks?|asked"
    r"|proofs?|wordings?|places?|rights|(?:no|little|enough|more) room|(?:a|one|each|its|every|of) shares?|packed"
    r"|behind|beside|in front of|anew|further|perhaps|but for|nor)\b",
    re.IGNORECASE,
)
CODE = re.compile(r"`[^`]*`")
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]*)\)")
START_OF_BLOCK = re.compile(r"\s*([*+-] |\d+\. |#|\||>|<|$)")
END_OF_SENTENCE = re.compile(r"[.!?:]\s+|[.!?:]$")


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


def documents_of(root: Path) -> List[Path]:
    return sorted([*root.glob("README*.md"), *root.glob("CHANGELOG.md"), *root.glob("docs/**/*.md")])


def check(root: Path) -> bool:
    """Whether no document has a fault; prints the faults."""
    passed, words = True, 0
    for path in documents_of(root):
        name, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        words += sum(len(words_of(line)) for _, line in prose_lines(text))
        for fault in faults_of(path, text):
            passed = False
            print(f"{name}:{fault.line}: {fault.kind}: {fault.text}")
    if words > MAX_WORDS:
        passed = False
        print(f"all documents: {words} words, {MAX_WORDS} allowed")
    return passed


if __name__ == "__main__":
    sys.exit(0 if check(Path(sys.argv[1])) else 1)

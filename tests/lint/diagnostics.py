#!/usr/bin/env python3
"""Compares lib/data/diagnostics with the sources that make remarks, and the English texts with the Chinese ones.

Usage: diagnostics.py ROOT
"""
import json
import pathlib
import re
import sys

LITERAL = re.compile(r'"([a-z0-9_]+(?:\.[a-z0-9_]+)*)"')
CALL = re.compile(r"(?:remarks::(?:diagnose|phrase|word)|\bsentence|\b(?:page|lists?)\.(?:phrase|word))\(")
FIELD = re.compile(r'\{\s*"([a-z0-9_]+)",')
# Of the words of a text: file names, commands and settings are none.
ENGLISH = re.compile(r"[A-Za-z][A-Za-z'-]*(?: [A-Za-z][A-Za-z'-]*){3,}")
# Ids that a source puts together: the names of rows in lib/src/locate/fit.cpp, codes of errors, names of enumerators and
# columns, and the messages of errors that diagnose.cpp finds by their English.
COMPUTED = re.compile(r"(?:fit|likelier_by|next_need)_|error\.|message\.|bench_(page|word)\.|page\.(?:born_here|inherited|not_visible)$"
                      r"|(?:api_tie|api_verdict|code_kind|difference_verdict|group|pattern|tensor|training_verdict)\.")
# Messages whose parts are in the sources: not those of the system, and few that a source puts together.
MESSAGE = re.compile(r"message\.(?!system\.|path_|line_of_other)")


def names_in(text):
    """The names of a template: all, and those that stand for a value of both languages."""
    braced = re.findall(r"\{([a-z0-9_]+)((?:\|[^{}]*)?)\}", text)
    return {name for name, _ in braced}, {name for name, choice in braced if not choice}


def entries(root):
    for path in sorted((root / "lib/data/diagnostics").glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            yield f"{path.name}:{number}", json.loads(line)


def faults_of_text(entry):
    members = ["id", "severity", "en", "zh"] if "severity" in entry else ["id", "en", "zh"]
    if list(entry) != members:
        yield f"members {list(entry)} instead of {members}"
        return
    if entry.get("severity", "info") not in ("info", "warning", "error"):
        yield "the severity is none"
    if names_in(entry["en"])[1] != names_in(entry["zh"])[1]:
        yield "English and Chinese have different {names}"
    if "severity" in entry and not (entry["en"] and entry["zh"]):
        yield "a text is empty"
    english = ENGLISH.search(re.sub(r"\{[^}]*\}", "", entry["zh"]))
    if english:
        yield f"the Chinese text contains English: {english.group()}"


def unused_parts(message, literals):
    """The parts of an error's message that no source has: its Chinese text would never be found."""
    for part in re.split(r"\{[^}]*\}|[;:,()]| for ", message):
        if len(part.strip()) > 3 and part.strip() not in literals:
            yield part.strip()


def argument_list(text, begin):
    """The arguments of the call whose opening parenthesis is at `begin`."""
    depth = 0
    for match in re.compile(r'"(?:[^"\\]|\\.)*"|[(){}]').finditer(text, begin):
        if match.group() in "({":
            depth += 1
        elif match.group() in ")}":
            depth -= 1
            if depth == 0:
                return text[begin + 1 : match.start()]
    return ""


def calls(root):
    """Each call that makes a remark or phrase: place, ids, names of fields of the call itself."""
    for folder in "lib/src", "tools/opdebug":
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            text = path.read_text(encoding="utf-8")
            for match in CALL.finditer(text):
                arguments = argument_list(text, match.end() - 1)
                nested = CALL.search(arguments)
                while nested:
                    inner = argument_list(arguments, nested.end() - 1)
                    arguments = arguments.replace(arguments[nested.start() : nested.end() + len(inner) + 1], "0", 1)
                    nested = CALL.search(arguments)
                id_part = arguments.split(", {{", 1)[0] if ", {{" in arguments else arguments.split(",\n", 1)[0]
                place = f"{path.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}"
                yield place, LITERAL.findall(id_part), set(FIELD.findall(arguments))


def faults(root):
    known, severities = {}, {}
    for place, entry in entries(root):
        for fault in faults_of_text(entry):
            yield f"{place}: {fault}"
        if entry["id"] in known:
            yield f"{place}: {entry['id']} is already there"
        known[entry["id"]] = entry
        severities[entry["id"]] = entry.get("severity")
    for place, ids, fields in calls(root):
        for name in ids:
            if name not in known:
                yield f"{place}: {name} has no text in lib/data/diagnostics"
                continue
            wanted = names_in(known[name]["en"])[0] | names_in(known[name]["zh"])[0]
            if wanted - fields:
                yield f"{place}: {name} needs {', '.join(sorted(wanted - fields))}"
    sources = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("lib/src", "tools/opdebug")
        for path in (root / folder).rglob("*.[ch]pp")
    )
    literals = re.sub(r'"\s*"', "", sources).replace('\\"', '"')
    for name, entry in known.items():
        for part in unused_parts(entry["en"], literals) if MESSAGE.match(name) else []:
            yield f"{name}: no source has: {part}"
    commands = "".join(path.read_text(encoding="utf-8") for path in (root / "lib/data/commands").glob("*.json"))
    used = set(LITERAL.findall(sources + commands))
    for name in known:
        if name not in used and not COMPUTED.match(name):
            yield f"{name}: no source uses it"
    for match in re.finditer(r'Severity::(?:info|warning|error), *"[a-z_]+"', sources):
        yield f"a source words a remark itself: {match.group()}"
    explained = {
        code
        for entry in json.loads((root / "lib/data/explain/codes.json").read_text(encoding="utf-8"))["entries"]
        for code in entry["codes"]
    }
    for name, severity in severities.items():
        if severity and name.split(".")[0] not in explained:
            yield f"{name}: lib/data/explain/codes.json does not explain the code"


if __name__ == "__main__":
    found = list(faults(pathlib.Path(sys.argv[1])))
    print("\n".join(found))
    sys.exit(1 if found else 0)

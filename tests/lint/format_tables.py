#!/usr/bin/env python3
"""The tables of docs/log-formats.md that come from lib/data/log-formats.

Without an option: fails where the document is not what the data say. With --write: writes the tables.
"""
import json
import pathlib
import sys

END = "<!-- end generated -->\n"


def formats_of(root):
    entries = []
    for file in sorted((root / "lib/data/log-formats").glob("*.json")):
        entries += json.loads(file.read_text(encoding="utf-8"))["formats"]
    return entries


def table(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n" + "\n".join(lines) + "\n\n"


def table_of_formats(entries):
    def row(entry):
        states = [entry["states"]] + [entry[key] for key in ("else_states",) if key in entry]
        about = entry["about"]
        return [f"`{entry['id']}`", about["catalogue"], ", ".join(states), ", ".join(entry["modules"]),
                about["versions"], about["source"]]

    return table(["id", "mark", "states", "module", "versions", "source"], map(row, entries))


def table_of_pairs(entries):
    def ids(is_one):
        return ", ".join(f"`{entry['id']}`" for entry in entries if is_one(entry))

    names = dict.fromkeys(entry["remembers"] for entry in entries if "remembers" in entry)
    rows = [[f"`{name}`", ids(lambda entry: entry.get("remembers") == name),
             ids(lambda entry: name in entry.get("completed_by", [])),
             ids(lambda entry: entry.get("forgets") == name)] for name in names]
    return table(["name", "remembered by", "completes", "ended by"], rows)


def with_tables(document, tables):
    for name, text in tables.items():
        begin = f"<!-- generated: {name} -->\n"
        head, _, rest = document.partition(begin)
        _, end, tail = rest.partition(END)
        if not end:
            raise SystemExit(f"docs/log-formats.md: missing {begin.strip()} ... {END.strip()}")
        document = head + begin + text + END + tail
    return document


def main(arguments):
    root = pathlib.Path(arguments[0])
    path = root / "docs/log-formats.md"
    entries = formats_of(root)
    document = path.read_text(encoding="utf-8")
    current = with_tables(document, {"formats": table_of_formats(entries), "pairs": table_of_pairs(entries)})
    if "--write" in arguments:
        path.write_text(current, encoding="utf-8")
    elif document != current:
        print("docs/log-formats.md is not current: run tests/lint/format_tables.py . --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

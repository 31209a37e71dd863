#!/usr/bin/env python3
"""Runs clang-tidy 14 over the library and the tool: clang_tidy.py BUILD_FOLDER [--jobs N]

clang-tidy spends most of its time on the headers of the standard library, anew for each source. Here sources that are compiled
with the same options are read together, as one file that includes them. Where two of them cannot be (each has a name of its own
that is spelled the same), the compiler's errors tell which, and those are read apart. What is found is the same, but for two things.
That no source may include another one is told of sources that are read alone only. A using or alias declaration that one source
does not use counts as used where another one repeats it and uses it: such declarations are looked for in the text of each source.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

TIDY = "clang-tidy-14"
CHECKED = re.compile(r"/(lib/src|tools/opdebug)/.*\.cpp$")
TOGETHER = 20
# clang's analyzer looks into the functions of an included source only if the file that includes it is called so
# (AnalysisManager::isInCodeFile, for WebKit's builds).
NAME = "UnifiedSource.cpp"
# The analyzer leaves a function after so many states; its own bound, 225,000, doubles the time of the whole.
BOUND = [f"--extra-arg={word}" for word in ("-Xclang", "-analyzer-config", "-Xclang", "max-nodes=20000")]
ERROR = re.compile(r"^(?P<source>/[^:\n]+):\d+:\d+: (?:fatal )?error: ", re.MULTILINE)


NO_USE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\n]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|^#include[^\n]*',
                    re.DOTALL | re.MULTILINE)
DECLARED = re.compile(r"^[ \t]*(?:namespace[ ]+(?P<alias>\w+)[ ]*=[^;]*;|using[ ]+[\w:]*::(?P<name>\w+)[ ]*;)", re.MULTILINE)


def unused_declarations(source):
    """A line for each using or alias declaration whose name the source has nowhere else; nothing is good."""
    with open(source, encoding="utf-8") as file:
        # Line breaks stay, so that locations are those of the source.
        text = NO_USE.sub(lambda match: "\n" * match[0].count("\n"), file.read())
    said = ""
    for declaration in DECLARED.finditer(text):
        name = declaration["alias"] or declaration["name"]
        elsewhere = text[: declaration.start()] + text[declaration.end() :]
        if not re.search(rf"\b{name}\b", elsewhere):
            line = text.count("\n", 0, declaration.start(declaration.lastgroup)) + 1
            said += f"{source}:{line}: '{name}' is declared and not used [unused, by the text]\n"
    return said


def read_batches(build):
    """(folder, options of the compiler, sources), of at most TOGETHER neighbours each."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    by_options = collections.defaultdict(list)
    for entry in sorted(entries, key=lambda entry: entry["file"]):
        if CHECKED.search(entry["file"]):
            words = shlex.split(entry["command"])
            compiler = 1 if os.path.basename(words[0]) == "ccache" else 0
            by_options[entry["directory"], tuple(words[compiler : words.index("-o")])].append(entry["file"])
    return [(folder, options, sources[begin : begin + TOGETHER])
            for (folder, options), sources in by_options.items()
            for begin in range(0, len(sources), TOGETHER)]


def write_together(place, sources):
    if len(sources) == 1:
        return sources[0]
    with open(os.path.join(place, NAME), "w", encoding="utf-8") as file:
        file.writelines(f'#include "{source}"\n' for source in sources)
    return file.name


def groups_of(place, folder, options, sources):
    """The sources in groups that compile as one file."""
    if len(sources) == 1:
        return [sources]
    command = [*options, "-w", "-ferror-limit=0", "-fsyntax-only", write_together(place, sources)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return [sources]
    strangers = {match["source"] for match in ERROR.finditer(done.stderr)}
    apart = [source for source in sources if source in strangers]
    if not apart or len(apart) == len(sources):
        apart = sources[len(sources) // 2 :]
    rest = [source for source in sources if source not in apart]
    return groups_of(place, folder, options, rest) + groups_of(place, folder, options, apart)


def findings_of(batch):
    """What clang-tidy says of the batch; nothing is good."""
    folder, options, sources = batch
    said = [unused_declarations(source) for source in sources]
    with tempfile.TemporaryDirectory(prefix="clang-tidy.") as place:
        for group in groups_of(place, folder, options, sources):
            together = write_together(place, group)
            with open(os.path.join(place, "compile_commands.json"), "w", encoding="utf-8") as file:
                json.dump([{"directory": folder, "file": together, "arguments": [*options, "-c", together]}], file)
            settings = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.clang-tidy")
            checks = ["-checks=-bugprone-suspicious-include"] if len(group) > 1 else []
            done = subprocess.run([TIDY, "-quiet", f"--config-file={settings}", *checks, *BOUND, "-p", place, together],
                                  capture_output=True, text=True, check=False)
            if done.returncode != 0:
                said.append(done.stdout + done.stderr)
    return "".join(said)


def main():
    parser = argparse.ArgumentParser(description="Runs clang-tidy over the library and the tool, many sources at a time.")
    parser.add_argument("build", help="a folder configured for clang, whose generated headers are made")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()

    batches = read_batches(arguments.build)
    if not batches:
        sys.exit(f"{arguments.build}/compile_commands.json names no source of the library or the tool")
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        findings = [said for said in pool.map(findings_of, batches) if said]
    for said in findings:
        print(said)
    print(f"clang-tidy: {sum(len(batch[2]) for batch in batches)} sources, {'findings' if findings else 'nothing found'}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())

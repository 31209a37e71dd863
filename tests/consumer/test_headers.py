"""What the compiler says to programs that use the headers wrongly."""

import pytest

from conftest import run_in

IGNORED = {
    "a decoded dump": 'opdebug::decode_file("x");',
    "the end of a report": "opdebug::ScanReport report; report.finish({});",
    "a written report": "opdebug::ScanReport report; report.write_json({});",
    "an error": "opdebug::Result<int>(1).error();",
}


def compiled(consumers, statement):
    (consumers.folder / "wrong.cpp").write_text(f"#include <opdebug/opdebug.hpp>\nint main() {{ {statement} }}\n")
    return run_in(consumers.folder, consumers.environment,
                  ["c++", "-std=c++17", "-fsyntax-only", "-Werror", f"-I{consumers.prefix}/include", "wrong.cpp"])


@pytest.mark.parametrize("what", IGNORED)
def test_what_is_lost_when_it_is_ignored(consumers, what):
    wrong = compiled(consumers, IGNORED[what])
    assert wrong.returncode != 0 and "nodiscard" in wrong.stderr
    statement = IGNORED[what].rpartition("; ")
    assert compiled(consumers, f"{statement[0]}{statement[1]}static_cast<void>({statement[2].rstrip(';')});").returncode == 0

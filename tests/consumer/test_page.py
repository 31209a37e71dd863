"""docs/embedding.md is true: each of its blocks is built and run as its readers would."""

import pytest

import page
from conftest import SOURCE, demo_dump, run_in

BLOCKS = page.blocks_of(SOURCE / "docs" / "embedding.md")


def test_every_block_is_used():
    assert [str(block) for block in BLOCKS if block.mark is None] == []
    assert len(page.run_blocks(BLOCKS)) >= 8


@pytest.mark.parametrize("block", page.run_blocks(BLOCKS), ids=str)
def test_commands_work(consumers, block):
    run = consumers.runs[block.line]
    assert run.returncode == 0, run.stdout + run.stderr
    expected = page.output_after(BLOCKS, block)
    if expected is not None:
        assert run.stdout.endswith(expected), run.stdout


def test_every_file_of_a_program_is_compiled_or_run():
    commands = "".join(block.text for block in BLOCKS if block.mark in ("run in", "file") and not block.text.startswith("//"))
    for block in BLOCKS:
        if block.mark == "file" and not block.place.endswith("CMakeLists.txt"):
            assert block.place.split("/")[-1] in commands, block


@pytest.mark.parametrize("readme", ["README.md", "README_zh.md"])
def test_the_pieces_in_the_readme(consumers, readme):
    """They stand inside a program that has a `path`."""
    text = (SOURCE / readme).read_text(encoding="utf-8")
    cpp = text.split("```cpp\n", 1)[1].split("```", 1)[0]
    include, body = cpp.split("\n\n", 1)
    (consumers.folder / "readme.cpp").write_text(f"{include}\nvoid use(const char* path) {{\n{body}}}\n", encoding="utf-8")
    compiled = run_in(consumers.folder, consumers.environment,
                      ["c++", "-std=c++17", "-fsyntax-only", f"-I{consumers.prefix}/include", "-Wno-unused-variable", "readme.cpp"])
    assert compiled.returncode == 0, compiled.stderr

    piece = text.split("```python\n", 1)[1].split("```", 1)[0]
    piece = piece.replace('"/root/ascend/log"', repr(consumers.environment["LOGS"])).replace('"dump_path"', repr(str(demo_dump().parent)))
    (consumers.folder / "readme.py").write_text(f"path = {str(demo_dump())!r}\n{piece}", encoding="utf-8")
    run = run_in(consumers.folder, {**consumers.environment, "PYTHONPATH": str(consumers.prefix / "lib/python3/dist-packages")},
                 ["python3", "readme.py"])
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == f"{demo_dump()} True"

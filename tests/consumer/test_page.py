"""The pages docs/guides/embedding-*.md are true: each of their blocks is built and run as its readers would."""

import pytest

import page
from conftest import SOURCE

BLOCKS = page.blocks_of_pages(SOURCE)


def test_every_block_is_used():
    assert [str(block) for block in BLOCKS if block.mark is None] == []
    assert len(page.run_blocks(BLOCKS)) >= 8


@pytest.mark.parametrize("block", page.run_blocks(BLOCKS), ids=str)
def test_commands_work(consumers, block):
    run = consumers.runs[str(block)]
    assert run.returncode == 0, run.stdout + run.stderr
    expected = page.output_after(BLOCKS, block)
    if expected is not None:
        assert run.stdout.endswith(expected), run.stdout


def test_a_page_is_short():
    for file in SOURCE.glob("docs/guides/embedding-*.md"):
        assert len(file.read_text(encoding="utf-8").split()) <= 1000, file


def test_every_file_of_a_program_is_compiled_or_run():
    commands = "".join(block.text for block in BLOCKS if block.mark in ("run in", "file") and not block.text.startswith("//"))
    for block in BLOCKS:
        if block.mark == "file" and not block.place.endswith("CMakeLists.txt"):
            assert block.place.split("/")[-1] in commands, block

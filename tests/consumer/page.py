"""The code blocks of docs/guides/embedding-*.md, which their readers copy: files to write and commands to run.

A comment above a block says what it is:
    <!-- file: FOLDER/NAME -->  the block is that file
    <!-- run in: FOLDER -->     the block is shell commands, run in that folder when all files are written
    <!-- output -->             the block is what the commands before it print
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import List, Optional

MARK = re.compile(r"<!-- (?:(file|run in): (\S+)|(output)) -->$")


@dataclass
class Block:
    page: str  # name of the file
    line: int  # of its first fence, from 1
    mark: Optional[str]  # "file", "run in", "output"; None where no comment is above
    place: Optional[str]
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line} ({self.mark or 'no mark'} {self.place or ''})"


def blocks_of(page: Path) -> List[Block]:
    blocks: List[Block] = []
    lines = page.read_text(encoding="utf-8").splitlines()
    inside: Optional[Block] = None
    for number, line in enumerate(lines, start=1):
        if not line.startswith("```"):
            if inside is not None:
                inside.text += line + "\n"
        elif inside is None:
            mark = MARK.match(lines[number - 2]) if number > 1 else None
            inside = Block(page.name, number, None, None, "")
            if mark:
                inside.mark, inside.place = mark.group(1) or mark.group(3), mark.group(2)
        else:
            blocks.append(inside)
            inside = None
    assert inside is None, f"{page}:{inside.line}: the block has no end"
    return blocks


def blocks_of_pages(source: Path) -> List[Block]:
    """Those of all three pages."""
    return [block for page in sorted(source.glob("docs/guides/embedding-*.md")) for block in blocks_of(page)]


def run_blocks(blocks: List[Block]) -> List[Block]:
    return [block for block in blocks if block.mark == "run in"]


def output_after(blocks: List[Block], run: Block) -> Optional[str]:
    """What the page says that the commands print; None where it does not say."""
    following = blocks.index(run) + 1
    is_output = following < len(blocks) and blocks[following].mark == "output"
    return blocks[following].text if is_output else None

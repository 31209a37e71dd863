#!/usr/bin/env python3
"""prose.py and examples.py find the faults that are planted here, and nothing in a text without faults."""

import contextlib
import io
import os
import tempfile
import unittest
from pathlib import Path

import examples
import prose

LONG = "The program reads " + "one more file and " * 8 + "then stops."


def kinds(text, name="page.md"):
    return [fault.kind for fault in prose.faults_of(Path(name), text)]


class Prose(unittest.TestCase):
    def test_a_text_without_faults(self):
        self.assertEqual(kinds("# Title\n\nThe report names the operator. It is short.\n\n* One fact.\n* Two facts.\n"), [])

    def test_a_sentence_of_26_words_over_two_lines(self):
        words = ["one"] * 26
        self.assertEqual(kinds(" ".join(words[:13]) + "\n" + " ".join(words[13:]) + ".\n"), ["sentence"])
        self.assertEqual(kinds(" ".join(words[1:]) + ".\n"), [])

    def test_items_and_cells_are_sentences_of_their_own(self):
        self.assertEqual(kinds("* " + "word " * 20 + "\n* " + "word " * 20 + "\n"), [])
        self.assertEqual(kinds("| " + "word " * 20 + " | " + "word " * 20 + " |\n"), [])
        self.assertEqual(kinds("| a | " + "word " * 26 + " |\n"), ["sentence"])

    def test_forbidden_words(self):
        self.assertEqual(kinds("The log tells the name, and the file lies beside it.\n"), ["word"] * 3)
        self.assertEqual(kinds("The place changes in place.\n"), ["word"])
        self.assertEqual(kinds("The foretells of understanding, a shared library.\n"), [])

    def test_code_is_no_prose(self):
        self.assertEqual(kinds("Use `told beside`.\n\n```\n" + LONG + " told " + "x" * 130 + "\n```\n"), [])

    def test_generated_text_is_not_examined(self):
        self.assertEqual(kinds("<!-- generated -->\n| told |\n<!-- end generated -->\nIt was told.\n"), ["word"])

    def test_a_long_line_and_a_long_table_row(self):
        line = "The name is " + "x" * 110
        self.assertEqual(kinds(line + "\n"), ["line"])
        self.assertEqual(kinds("| " + line + " |\n"), [])

    def test_a_link_to_a_missing_file_or_heading(self):
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "page.md")
            Path(folder, "there.md").write_text("## `scan`: What? 首个 NaN？\n", encoding="utf-8")
            self.assertEqual(kinds("[a](there.md), [b](there.md#scan-what-首个-nan), [c](https://example.org/x)\n", page), [])
            self.assertEqual(kinds("# One part\n\n[a](#one-part)\n", page), [])
            for link in ("missing.md", "there.md#other", "#other"):
                self.assertEqual(kinds(f"[a]({link})\n", page), ["link"])

    def test_texts_of_data_files(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "a.jsonl")
            file.write_text('{"en": "It was told at {place}.", "zh": "told"}\n{"message": "Fine; short.", "pattern": "told"}\n')
            self.assertEqual([fault[:2] for fault in prose.data_faults(file)], [("word", 1)])
            file.write_text('{"advice": "' + "word " * 20 + "; " + "word " * 20 + '"}\n{"text": "' + "word " * 26 + '"}\n')
            self.assertEqual([fault[:2] for fault in prose.data_faults(file)], [("sentence", 2)])

    def test_comments(self):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "a.cpp")
            source.write_text('// One\n// two.\nint a = f("// no comment");  ///< three\n//\n// Four.\n')
            self.assertEqual(list(prose.comments_of(source)), [(1, "One two."), (3, "three"), (5, "Four.")])
            source.write_text("int a;  ///< one\n        ///< two\n// Three\n// four.\n")
            self.assertEqual(list(prose.comments_of(source)), [(1, "one two"), (3, "Three four.")])

    def test_all_documents_of_a_folder(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as printed:
            readme = Path(folder, "README.md")
            readme.write_text("It was told.\n", encoding="utf-8")
            self.assertFalse(prose.check(Path(folder)))
            self.assertEqual(printed.getvalue(), "README.md:1: word: told\n")
            printed.truncate(printed.seek(0))
            readme.write_text("One line.\n", encoding="utf-8")
            source = Path(folder, "lib/a.hpp")
            source.parent.mkdir()
            source.write_text("// It was told.\n")
            self.assertFalse(prose.check(Path(folder)))
            self.assertEqual(printed.getvalue(), "lib/a.hpp:1: word: told: It was told.\n")
            source.write_text("// It was reported.\n")
            readme.write_text("One more line.\n\n" * (prose.MAX_WORDS // 3), encoding="utf-8")
            self.assertTrue(prose.check(Path(folder)))
            readme.write_text("One more line.\n\n" * (prose.MAX_WORDS // 3 + 1), encoding="utf-8")
            self.assertFalse(prose.check(Path(folder)))


class Examples(unittest.TestCase):
    def test_what_must_be_printed(self):
        printed = ["first", "second line", "third"]
        for expected in (printed, ["first", "sec…", "third"], ["…", "third"], ["first", "…"], []):
            self.assertEqual(examples.first_difference(expected, printed), "")
        for expected in (["second line"], ["first", "third"], ["…", "third", "first"], ["first", "second"]):
            self.assertNotEqual(examples.first_difference(expected, printed), "")

    def test_the_examples_of_a_page(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "page.md")
            page.write_text("```\n$ opdebug a\none\n$ opdebug b\n```\n\n$ opdebug c\n\n```\nopdebug d\n```\n", encoding="utf-8")
            self.assertEqual(list(examples.examples_of(page)), [(2, "opdebug a", ["one"]), (4, "opdebug b", [])])


    def test_the_commands_of_a_page(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "page.md")
            page.write_text("Here opdebug follows `opdebug a -o --b=c x`.\n\n```\ncat y | opdebug d -q  --no\nopdebug PATH\n```\n", encoding="utf-8")
            self.assertEqual(list(examples.commands_of(page)), [(1, "a", ["-o", "--b"]), (4, "d", ["-q"])])


if __name__ == "__main__":
    unittest.main()

"""Judges which characters are shown as bytes, by Unicode's data as Python has it.

Standard input: the number of each character that the library shows so, one a line. Argument: lib/python/opdebug/errors.py, whose
list must be the same. Prints each character that is wrong; exit status 1 when there is one.
"""
import ast
import re
import sys
import unicodedata

# Formatting signs that are seen: numbers and verses are inside or below them.
SEEN = {0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD, *range(0x600, 0x606)}
# Letters, marks and symbols that leave no mark; Unicode's file DerivedCoreProperties calls all but the last ignorable.
NAMES = re.compile("VARIATION SELECTOR|HANGUL (CHOSEONG |JUNGSEONG )?FILLER|COMBINING GRAPHEME JOINER|"
                   "KHMER VOWEL INHERENT|BRAILLE PATTERN BLANK")


def reserved(number):
    """Not assigned yet, and ignorable when it is (DerivedCoreProperties)."""
    return number == 0x2065 or 0xFFF0 <= number <= 0xFFF8 or 0xE0000 <= number <= 0xE0FFF


def must_be_hidden(number):
    category = unicodedata.category(chr(number))
    if category == "Cn":
        return None if not reserved(number) else True
    return (category in ("Cc", "Cf", "Zl", "Zp") and number not in SEEN) or bool(NAMES.search(unicodedata.name(chr(number), "")))


def list_of_module(path):
    with open(path, encoding="utf-8") as source:
        tree = ast.parse(source.read())
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and statement.targets[0].id == "_NOT_PRINTABLE":
            return re.compile(ast.literal_eval(statement.value.args[0]))
    sys.exit(f"{path} has no list")


def main():
    by_library = {int(line) for line in sys.stdin}
    of_module = list_of_module(sys.argv[1])
    wrong = 0
    for number in range(0x110000):
        if 0xD800 <= number <= 0xDFFF:
            continue  # no characters
        wanted, library, module = must_be_hidden(number), number in by_library, bool(of_module.match(chr(number)))
        if library != module or (wanted is not None and library != wanted):
            print(f"U+{number:04X}: hidden by Unicode {wanted}, library {library}, Python module {module}")
            wrong += 1
    return 1 if wrong or not by_library else 0


sys.exit(main())

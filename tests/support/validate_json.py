"""Validates JSON lines on standard input against a JSON Schema: validate_json.py SCHEMA_FILE.

Status 0: every line is valid; 1: one is not, the reason is printed; 3: the jsonschema package is not installed.
Schemas refer to each other by file name, so all *.schema.json of the folder are loaded.
"""
import json
import pathlib
import sys
import warnings

try:
    import jsonschema
except ImportError:
    sys.exit(3)


def validator_for(path):
    schemas = {file.as_uri(): json.loads(file.read_text("utf-8")) for file in path.parent.glob("*.schema.json")}
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    # RefResolver is what the version of Debian 12 has; newer ones keep it, with a warning.
    warnings.simplefilter("ignore", DeprecationWarning)
    resolver = jsonschema.RefResolver(base_uri=path.as_uri(), referrer=schemas[path.as_uri()], store=schemas)
    return jsonschema.Draft202012Validator(schemas[path.as_uri()], resolver=resolver)


def main():
    validator = validator_for(pathlib.Path(sys.argv[1]).resolve())
    count = 0
    for line in sys.stdin.buffer:
        error = jsonschema.exceptions.best_match(validator.iter_errors(json.loads(line)))
        count += 1
        if error is not None:
            print(f"line {count}: {error.json_path}: {error.message[:2000]}")
            return 1
    print(f"{count} valid")
    return 0


sys.exit(main())

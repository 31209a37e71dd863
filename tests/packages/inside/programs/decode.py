"""decode.py DUMP LOGS OPERATOR: the module names the operator, and its document is the tool's."""
import json
import subprocess
import sys

import opdebug

dump, logs, operator = sys.argv[1:]
document = opdebug.decode(dump, logs=logs)
assert document["operator"]["name"] == operator, document["operator"]
tool = subprocess.run(["opdebug", "decode", "--logs", logs, dump], check=True, capture_output=True)
assert document == json.loads(tool.stdout), "the tool's document is another one"

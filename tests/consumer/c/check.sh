#!/bin/sh
# The C example against the program: check.sh EXPLAIN OPDEBUG SOURCE_DIR. The same document, an error for people, an exit
# status.
set -eu

explain=$1
opdebug=$2
demo=$3/testdata/demo
dump=$demo/20261012093000/0/bert_train/3/12/Opdebug.Node_OpDebug.118.21.1791769287318452
failed=0

fail() {
    echo "$1"
    failed=1
}

# complains WHAT STATUS TEXT ARGUMENT...: explain ends with the status and says the text.
complains() {
    what=$1
    expected=$2
    text=$3
    shift 3
    status=0
    said=$("$explain" "$@" 2>&1) || status=$?
    [ $status = "$expected" ] || fail "$what: exit status $status"
    case $said in *"$text"*) ;; *) fail "$what: $said" ;; esac
}

document=$("$explain" "$dump")
[ "$document" = "$(LANG=C "$opdebug" decode --lang en --format jsonl "$dump")" ] || fail "without logs: $document"
document=$("$explain" "$dump" "$demo/logs")
[ "$document" = "$("$opdebug" decode --lang en --format jsonl "$dump" --logs "$demo/logs")" ] ||
    fail "with logs: $document"
case $document in *'"operator":{"name":'*) ;; *) fail "with logs there is no operator: $document" ;; esac

complains "a missing dump" 1 "explain: none: " none
complains "a missing dump" 1 "[file_not_found]" none
complains "a text" 1 "[not_a_dump]" "$3/LICENSE"
complains "logs that are none" 1 "[file_not_found]" "$dump" none
complains "no argument" 2 "usage: "

exit $failed

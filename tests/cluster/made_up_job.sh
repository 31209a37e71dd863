# The dumps of a made-up job, and what a scan of all of them states. To be sourced with: SOURCE (the project's folder), TOOL (the
# program) and WORK (an empty folder). Sets DUMPS; `expected` writes the report of one scan.
#
# 8 ranks with 4 steps each, from the demonstration's dump; the time in the name decides the order. One dump is cut.

DUMPS=$WORK/dumps
demo=$(find "$SOURCE/testdata/demo" -name 'Opdebug.*')
for rank in 0 1 2 3 4 5 6 7; do
    for step in 1 2 3 4; do
        folder=$DUMPS/rank_$rank/20261012093000/$rank/bert_train/3/$step
        mkdir -p "$folder"
        cp "$demo" "$folder/Opdebug.Node_OpDebug.118.21.17917692873${step}${rank}452"
    done
done
head -c 1000 "$demo" > "$DUMPS/rank_5/20261012093000/5/bert_train/3/2/Opdebug.Node_OpDebug.7.21.1791769287999999"

# The scripts of docs/cluster call the program by its name.
PATH=$(dirname "$TOOL"):$PATH
export PATH DUMPS

expected() {
    status=0
    opdebug scan "$DUMPS" --host auto --format json -q -o "$1" || status=$?
    [ "$status" = 1 ]  # of the cut dump
}

# A report that differs from that of one scan: prints where.
same_as_one_scan() {
    expected "$WORK/expected.json"
    grep -q '"overflowed":32,"clean":0,"failed":1' "$WORK/expected.json" || {
        echo "the scan to compare with is not what it should be"
        return 1
    }
    diff "$WORK/expected.json" "$1"
}

# Counts headers with a single user and files under 30 lines: awk -v root=DIR -f slivers.awk slivers.txt FILE...
# Fails when a count is above its limit in slivers.txt: such files belong in their user or with their neighbours.

NR == FNR {
    if ($0 !~ /^#/ && NF == 2) limit[$1] = $2
    next
}

FNR == 1 {
    file = substr(FILENAME, length(root) + 2)
    sub(/^lib\/src\/|^tools\/opdebug\//, "", file)
}

{ lines[file] = FNR }

/^[ \t]*#[ \t]*include[ \t]*"/ {
    target = $0
    sub(/^[^"]*"/, "", target)
    sub(/".*/, "", target)
    # A header's own source is not a user.
    own = target
    sub(/\.hpp$/, ".cpp", own)
    if (own != file) users[target]++
}

END {
    for (name in lines) {
        if (name ~ /\.hpp$/ && users[name] < 2) single[name] = ++count["single_user_headers"]
        if (lines[name] < 30) short[name] = ++count["short_files"]
    }
    for (what in limit) {
        if (count[what] + 0 <= limit[what]) continue
        failed = 1
        print what ": " count[what] ", allowed are " limit[what] ":"
        if (what == "short_files") for (name in short) print "  " name
        else for (name in single) print "  " name
    }
    exit failed
}

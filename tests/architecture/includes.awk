# Checks the #include lines of source files: awk -v rule=RULE -v root=DIR -f includes.awk floors.txt FILE...
# RULE: stages (lib/src and lib/include against floors.txt), public_headers (lib/include), tool (tools/opdebug).
# Prints one line for each violation and ends with status 1 when there is one.

function violation(text) {
    print substr(FILENAME, length(root) + 2) ":" FNR ": " text
    failed = 1
}

function exists(path,    line, got) {
    got = (getline line < path)
    close(path)
    return got >= 0
}

# "status/catalogue.hpp" → status, "logs/text/line.hpp" → logs/text, "scan.hpp" → scan
function stage_of(path) {
    if (!sub(/\/[^\/]*$/, "", path)) sub(/\.[^.]*$/, "", path)
    return path
}

function stage_of_public_header(path) {
    sub(/^opdebug\//, "", path)
    sub(/\.[^.]*$/, "", path)
    return (path in owner) ? owner[path] : path
}

function check_stage(quoted, target,    file, own, other) {
    file = substr(FILENAME, length(root) + 2)
    if (file ~ /^lib\/include\//) own = stage_of_public_header(substr(file, length("lib/include/") + 1))
    else own = stage_of(substr(file, length("lib/src/") + 1))
    if (target ~ /^opdebug\//) other = stage_of_public_header(target)
    else if (quoted) other = stage_of(target)
    else return
    if (!(own in floor)) violation("stage '" own "' has no floor in tests/architecture/floors.txt")
    else if (!(other in floor)) violation("\"" target "\" is no stage: write the include by stage folder, or add the stage to tests/architecture/floors.txt")
    else if (own != other && floor[other] >= floor[own])
        violation(own " (floor " floor[own] ") includes \"" target "\" of " other " (floor " floor[other] ")")
}

function check_public_header(quoted, target) {
    if (quoted) violation("a public header includes \"" target "\" in quotes: write <opdebug/...>")
    else if (target ~ /\// && target !~ /^opdebug\/[^\/]*$/) violation("a public header includes <" target ">")
    else if (target ~ /^opdebug\// && !exists(root "/lib/include/" target) && !exists(root "/lib/include/" target ".in"))
        violation("<" target "> is no public header")
}

function check_tool(quoted, target) {
    if (quoted) {
        if (target ~ /\.\./ || !exists(root "/tools/opdebug/" target))
            violation("the tool includes \"" target "\", which is no file of tools/opdebug")
    } else if (target ~ /^opdebug\// && !exists(root "/lib/include/" target) && !exists(root "/lib/include/" target ".in"))
        violation("<" target "> is no public header")
}

# The first file is floors.txt.
NR == FNR {
    if ($0 !~ /^#/ && NF >= 2) {
        floor[$2] = $1
        for (i = 3; i <= NF; i++) owner[$i] = $2
    }
    next
}

/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
    target = $0
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", target)
    quoted = substr(target, 1, 1) == "\""
    target = substr(target, 2)
    sub(/[>"].*/, "", target)
    if (rule == "stages") check_stage(quoted, target)
    else if (rule == "public_headers") check_public_header(quoted, target)
    else check_tool(quoted, target)
}

END { exit failed }

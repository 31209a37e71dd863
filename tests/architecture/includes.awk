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

# "status/catalogue.hpp" → status, "logs/lines/line.hpp" → logs/lines, "scan.hpp" → scan
function folder_of(path) {
    if (!sub(/\/[^\/]*$/, "", path)) sub(/\.[^.]*$/, "", path)
    return path
}

# opdebug/scan.hpp → scan
function public_header(path) {
    sub(/^opdebug\//, "", path)
    sub(/\.[^.]*$/, "", path)
    return path
}

# The name, floor, stage and rank within the stage of `path` into `it`; a public header has the lowest rank of its stage.
function look_up(path, is_public, it,    name) {
    name = is_public ? "<" public_header(path) ">" : folder_of(path)
    it["name"] = name
    if (!(name in floor)) return 0
    it["floor"] = floor[name]
    it["stage"] = stage[name]
    it["rank"] = rank[name]
    return 1
}

function check_stage(quoted, target,    file, own, other, is_public) {
    file = substr(FILENAME, length(root) + 2)
    is_public = file ~ /^lib\/include\//
    if (!quoted && target !~ /^opdebug\//) return
    if (!look_up(substr(file, length(is_public ? "lib/include/" : "lib/src/") + 1), is_public, own)) {
        violation("'" own["name"] "' has no floor in tests/architecture/floors.txt")
    } else if (!look_up(target, target ~ /^opdebug\//, other)) {
        violation("\"" target "\" has no floor: write the include by folder, or add the folder to tests/architecture/floors.txt")
    } else if (own["stage"] == other["stage"] ? other["rank"] > own["rank"] : other["floor"] >= own["floor"]) {
        violation(own["name"] " (floor " own["floor"] ", " own["stage"] ") includes \"" target "\" (floor " other["floor"] ", " other["stage"] ")")
    }
}

function check_public_header(quoted, target) {
    if (quoted) violation("a public header includes \"" target "\" in quotes: write <opdebug/...>")
    else if (target ~ /\// && target !~ /^opdebug\/[^\/]*$/) violation("a public header includes <" target ">")
    else if (target ~ /^opdebug\// && !exists(root "/lib/include/" target) && !exists(root "/lib/include/" target ".in"))
        violation("<" target "> is no public header")
}

function check_tool(quoted, target,    private) {
    if (quoted) {
        private = target ~ /^(bytes|difference|json|next|remarks|report|results|scan|training)\// && exists(root "/lib/src/" target)
        if (target ~ /\.\./ || !(private || target ~ /^embedded\// || exists(root "/tools/opdebug/" target)))
            violation("the tool includes \"" target "\": no file of tools/opdebug, lib/data, lib/src/bytes, lib/src/difference, lib/src/json, lib/src/next, lib/src/remarks, lib/src/report, lib/src/results, lib/src/scan or lib/src/training")
    } else if (target ~ /^opdebug\// && !exists(root "/lib/include/" target) && !exists(root "/lib/include/" target ".in"))
        violation("<" target "> is no public header")
}

# The first file is floors.txt.
NR == FNR {
    is_header = 0
    for (i = 3; $0 !~ /^#/ && i <= NF; i++) {
        if ($i == ":") {
            is_header = 1
            continue
        }
        name = is_header ? "<" $i ">" : $i
        floor[name] = $1
        stage[name] = $2
        rank[name] = is_header ? 0 : i
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

// Checks with an independent validator (Python's jsonschema) whether documents follow the installed JSON Schemas.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "build_paths.hpp"
#include "process.hpp"
#include "skip.hpp"

namespace opdebug::test {

/// What the validator states about JSON lines: "N valid", or the reason why one is refused. `schema`: "record",
/// "report", "report-line", "status", "tensors", "logs" or "files". Nothing, after saying so, when Python or its
/// package is not installed: the test is skipped.
inline std::optional<std::string> schema_verdict(const std::string& schema, const std::string& lines) {
    const std::string source = source_folder;
    ProcessOptions options;
    options.input = lines;
    const ProcessResult run = run_process({"/usr/bin/python3", source + "/tests/support/validate_json.py",
                                           source + "/lib/data/schema/" + schema + ".schema.json"},
                                          options);
    if (run.exit_status == 3 || run.exit_status == 127) {
        skip("python3-jsonschema is not installed");
        return std::nullopt;
    }
    return run.exit_status == 0 || run.exit_status == 1 ? run.out : "the validator failed: " + run.err;
}

/// So many JSON lines follow the schema; not checked where there is no validator.
inline void check_schema(const std::string& schema, const std::string& lines, std::size_t count = 1) {
    if (const auto verdict = schema_verdict(schema, lines)) {
        CHECK(*verdict == std::to_string(count) + " valid\n");
    }
}

/// A document of several lines as one line.
inline std::string as_line(const std::string& document) {
    return nlohmann::ordered_json::parse(document).dump() + "\n";
}

}  // namespace opdebug::test

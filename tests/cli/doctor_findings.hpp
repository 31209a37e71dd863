// `opdebug doctor`, and what it found.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "json_schema.hpp"
#include "tool.hpp"

namespace opdebug::test {

/// The document on standard output, which follows its schema.
inline nlohmann::ordered_json document_of(const ProcessResult& run) {
    if (const auto verdict = schema_verdict("doctor", as_line(run.out))) {
        CHECK(*verdict == "1 valid\n");
    }
    return nlohmann::ordered_json::parse(run.out);
}

/// As findings_of() shows them.
inline std::string listed(const std::set<std::string>& findings) {
    std::string text;
    for (const std::string& finding : findings) {
        text += (text.empty() ? "" : ", ") + finding;
    }
    return text;
}

/// "severity code" of all findings, listed; those of the machine's disk left out.
inline std::string findings_of(const ProcessResult& run) {
    std::set<std::string> found;
    const nlohmann::ordered_json document = document_of(run);
    for (const auto& finding : document.at("findings")) {
        const std::string code = finding.at("code");
        if (code != "little_space") {
            found.insert(finding.at("severity").get<std::string>() + " " + code);
        }
    }
    return listed(found);
}

/// What the doctor states about paths alone.
inline ProcessResult examine_paths(std::vector<std::string> paths) {
    paths.insert(paths.begin(), {"doctor", "--format", "json"});
    return run_tool(paths);
}

}  // namespace opdebug::test

// Runs the opdebug tool that was built with the tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "build_paths.hpp"
#include "dump_builder.hpp"
#include "process.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

namespace opdebug::test {

/// The tool with these arguments; English unless `options` states otherwise.
inline ProcessResult run_tool(std::vector<std::string> arguments, ProcessOptions options = {}) {
    arguments.insert(arguments.begin(), tool_path);
    options.environment.emplace_back("LANG", "C");
    return run_process(arguments, options);
}

inline std::string text_of(const Buffer& bytes) {
    return std::string(bytes.begin(), bytes.end());
}

/// The object's keys in the order of the text.
inline std::vector<std::string> keys_of(const nlohmann::ordered_json& object) {
    std::vector<std::string> keys;
    for (const auto& item : object.items()) {
        keys.push_back(item.key());
    }
    return keys;
}

/// The record of that unit in a record document; null when it is not there.
inline nlohmann::ordered_json record_in(const nlohmann::ordered_json& document, std::string_view unit) {
    for (const auto& record : document.at("records")) {
        if (record.at("unit") == unit) {
            return record;
        }
    }
    return nullptr;
}

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    if (begin < text.size()) {
        lines.push_back(text.substr(begin));
    }
    return lines;
}

}  // namespace opdebug::test

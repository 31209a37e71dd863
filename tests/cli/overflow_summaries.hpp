// What the tests of `opdebug overflow` share: dumps, operators' dumps, and reading the summaries.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tensor_values.hpp"
#include "tool.hpp"

namespace opdebug::test {

constexpr std::uint64_t first_us = 1597922031178434;
inline const std::string op_name = "Add.bert_Add_17.57.563.1597922031178400";

inline std::string overflow_name(std::uint64_t time = first_us, int task = 57, int stream = 563) {
    return "Opdebug.Node_OpDebug." + std::to_string(task) + "." + std::to_string(stream) + "." + std::to_string(time);
}

/// An AI Core overflow of stream 563, task 57.
inline Buffer overflow(std::uint64_t status = 32) {
    return build_overflow_dump(ai_core_example(status));
}

inline Buffer operator_dump(const std::string& name = "bert/Add_17") {
    return build_v2(example_op_dump(name));
}

inline std::vector<std::string> summaries_in(const std::string& folder) {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name.rfind("overflow_summary_", 0) == 0) {
            paths.push_back(entry.path().string());
        }
    }
    return paths;
}

/// The one summary of a folder.
inline std::string summary_in(const std::string& folder) {
    const std::vector<std::string> paths = summaries_in(folder);
    REQUIRE(paths.size() == 1);
    return read_file(paths.front());
}

inline std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

inline std::vector<std::string> times_in(const std::string& summary) {
    std::vector<std::string> times;
    for (const std::string& line : lines_of(summary)) {
        if (line.rfind(" [timestamp:", 0) == 0) {
            times.push_back(line.substr(12, line.size() - 13));
        }
    }
    return times;
}

}  // namespace opdebug::test

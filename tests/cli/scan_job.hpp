// A whole job's dumps, and `opdebug scan` over them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "json_schema.hpp"
#include "log_builder.hpp"
#include "tool.hpp"

namespace opdebug::test {

inline const std::vector<std::string> report_forms{"text", "json", "jsonl", "csv", "html"};

/// 2026-03-04 10:00:05 UTC, five seconds after the logs' begin.
inline constexpr std::uint64_t dump_us = static_cast<std::uint64_t>(log_begin_us) + 5'000'000;

inline std::string dump_name(int task, std::uint64_t time = dump_us) {
    return "Opdebug.Node_OpDebug." + std::to_string(task) + ".563." + std::to_string(time);
}

inline Buffer legacy(std::uint64_t status = 32, std::uint64_t time = dump_us) {
    DumpFile dump = overflow_dump(build_payload(ai_core_example(status)));
    dump.dump_time = time;
    return build_v2(dump);
}

inline Buffer accelerator() {
    AcceleratorPayload payload;
    payload.entries.push_back(counting_entry(AccType::aiv, 7));
    return build_overflow_dump(payload);
}

/// Eight ranks with dumps of one name, all of step 3; and one dump of step 2, written later, which comes first.
/// overflowed: 8 + the one of step 2 + the misspelt one + the one in the Chinese folder.
inline void write_job(const std::string& root) {
    for (int rank = 0; rank < 8; ++rank) {
        write_file(root + "/rank_" + std::to_string(rank) + "/Net/0/3/" + dump_name(57),
                   rank % 2 == 0 ? legacy() : accelerator());
    }
    write_file(root + "/rank_5/Net/0/2/" + dump_name(57, dump_us + 900'000), legacy(32, dump_us + 900'000));
    write_file(root + "/rank_2/Net/0/4/OpDebug.Node_Opdebug.57.563." + std::to_string(dump_us), legacy());
    write_file(root + "/溢出 dump/" + dump_name(57), legacy());
    write_file(root + "/rank_1/Net/0/4/" + dump_name(57), legacy(0));
    write_file(root + "/rank_0/Net/0/3/Add.net_Add.9.9." + std::to_string(dump_us), "x");
    write_file(root + "/readme.txt", "x");
    std::filesystem::create_symlink("nowhere", root + "/rank_0/Net/0/3/" + dump_name(58));
}

inline constexpr const char* cut_dump = "/rank_6/Net/0/4/Opdebug.Node_OpDebug.60.563.1772618405000007";

/// write_job() and a dump that is cut.
inline void write_damaged_job(const std::string& root) {
    write_job(root);
    write_file(root + cut_dump, cut(legacy(0), 1500));
}

inline std::string first_file_of(const std::string& root) {
    return root + "/rank_5/Net/0/2/" + dump_name(57, dump_us + 900'000);
}

inline ProcessResult scan_in(const std::string& root, const std::string& form, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"scan", root, "--format", form});
    return run_tool(more);
}

inline nlohmann::ordered_json report_of(const ProcessResult& run) {
    if (const auto verdict = schema_verdict("report", as_line(run.out))) {
        CHECK(*verdict == "1 valid\n");
    }
    return nlohmann::ordered_json::parse(run.out);
}

/// A log without a line break that takes longer to read than any test may last, but no space on the disk.
inline std::string endless_log(const std::string& path) {
    write_file(path, "x");
    std::filesystem::resize_file(path, std::uintmax_t{1} << 42U);
    return path;
}

}  // namespace opdebug::test

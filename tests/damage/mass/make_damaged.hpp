// What the generator writes.
#pragma once

#include <cstdint>
#include <filesystem>

#include "damaged.hpp"

namespace opdebug::damage {

/// A tree of `count` damaged overflow dumps below FOLDER/dumps, with dumps of operators, mapping.csv and other files
/// between them, and FOLDER/expected.tsv: one line for each dump that a scan must find: path below FOLDER/dumps, state
/// ("overflowed", "clean", "failed"), error code ("-" where it is not one of the file as a whole). Returns the bytes of
/// the dumps.
std::uint64_t write_damaged_dumps(const std::filesystem::path& folder, std::uint64_t count, Random& random);

/// About `bytes` bytes of damaged logs (unpacked) below FOLDER/logs. `longest_line`: of lines that are made long.
/// FOLDER/logs.tsv: path below FOLDER/logs and number of lines of each file that can be read to its end, whatever
/// happened to its lines. FOLDER/tasks and FOLDER/tasks.tsv (told_tasks.hpp): tasks that whole lines of these files
/// report.
void write_damaged_logs(const std::filesystem::path& folder, std::uint64_t bytes, std::uint64_t longest_line,
                        Random& random);

}  // namespace opdebug::damage

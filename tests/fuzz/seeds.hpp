// Seeds: small inputs of every kind that the fuzz targets begin with.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "temporary_directory.hpp"

namespace opdebug::fuzz {

/// The folder of one subject.
class Seeds {
public:
    Seeds(const std::filesystem::path& folder, const char* subject) : folder_(folder / subject) {}
    void add(const std::string& name, const test::Buffer& bytes) const { test::write_file(folder_ / name, bytes); }
    void add(const std::string& name, std::string_view text) const { test::write_file(folder_ / name, text); }

private:
    std::filesystem::path folder_;
};

void write_records(const Seeds& seeds);
void write_containers(const Seeds& seeds);
void write_op_dumps(const Seeds& seeds);
void write_converted(const Seeds& seeds);
void write_names(const Seeds& seeds);
void write_mappings(const Seeds& seeds);

void write_api_dumps(const Seeds& seeds);
void write_traces(const Seeds& seeds);

/// The samples of every built-in format: one input for each catalogue mark, and one log for each file of formats.
void write_logs(const Seeds& lines, const Seeds& texts);
void write_maps(const Seeds& seeds);
/// A small file of each statement's first format: files of the library's size are slow to load.
void write_log_formats(const Seeds& seeds);

}  // namespace opdebug::fuzz

// mapping.csv: real names of files whose name was too long and was replaced by a number (docs/internals/formats.md,
// "File names").
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include <opdebug/result.hpp>

namespace opdebug::tree {

/// number → real name.
using NameMapping = std::map<std::string, std::string, std::less<>>;

/// Content of a mapping.csv.
struct MappingText {
    NameMapping names;                                ///< repeated lines are normal; the first name of a number counts
    std::set<std::string, std::less<>> contradicted;  ///< numbers to which a later line gives another name
    std::uint64_t lines = 0;                          ///< lines that are not blank
    std::uint64_t understood = 0;                     ///< lines that were parsed
};

/// Whether this name may replace a name that was too long: a number (the runtimes), or hex digits with the suffix of a
/// tensor (MindSpore, msaccucmp).
bool may_stand_for_long_name(std::string_view name);

/// Parses a mapping.csv: lines "number,real name", as runtimes write them. Other programs may have added a byte order
/// mark, quotation marks or blanks around cells.
/// A last line without line break may be truncated. It counts only if its name ends with a time of 16 digits or a
/// closing quotation mark. Lines of results, "hex digits.suffix,real name", are valid; those of tensors (.npy) are
/// kept.
MappingText parse_mapping(std::string_view text);

/// A folder's mapping.csv.
struct MappingFile {
    bool is_there = false;
    MappingText text;
};

/// Errors: those of reading, mapping_too_large; mapping_invalid if it has lines but none is valid.
Result<MappingFile> read_mapping_file(const std::string& folder, const Limits& limits = {});

/// The real name of a file whose long name was replaced; empty if not replaced or unknown. Errors: see
/// read_mapping_file().
Result<std::string> real_name_of(const std::string& file, const Limits& limits = {});

/// The remark on a file with a number as name if its mapping.csv cannot be read.
Diagnostic mapping_remark(const Error& error);

/// Caches results and failures. Thread-safe.
class KnownMappings {
public:
    /// The names in the mapping.csv of a folder; empty if there is none. Errors: see read_mapping_file().
    std::shared_ptr<const Result<NameMapping>> of_folder(const std::string& folder, const Limits& limits);

    /// See real_name_of().
    Result<std::string> real_name_of(const std::string& file, const Limits& limits);

private:
    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<const Result<NameMapping>>> mappings_;  ///< by folder
};

}  // namespace opdebug::tree

// mapping.csv: real names of files whose name was too long and was replaced by a number (docs/format.md, "File names").
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

/// What a mapping.csv says.
struct MappingText {
    NameMapping names;                                ///< repeated lines are normal; the first name of a number counts
    std::set<std::string, std::less<>> contradicted;  ///< numbers to which a later line gives another name
    std::uint64_t lines = 0;                          ///< not blank
    std::uint64_t understood = 0;                     ///< of these
};

/// Whether a file may have this name in place of one that was too long: a number (the runtimes), or hex digits with the
/// suffix of a tensor (MindSpore, msaccucmp).
bool may_stand_for_long_name(std::string_view name);

/// Reads the text of a mapping.csv: lines "number,real name", as runtimes write them. Programs that the file went
/// through may have put a byte order mark in front, quotation marks or blanks around cells. A last line without a line
/// break may have been cut, so it is understood only where nothing can be missing: its name ends in a time of 16
/// digits, or a quotation mark closes it. The lines of results, "hex digits.suffix,real name", are understood; those of
/// tensors (.npy) count.
MappingText parse_mapping(std::string_view text);

/// A folder's mapping.csv.
struct MappingFile {
    bool is_there = false;
    MappingText text;
};

/// Errors: those of reading, mapping_too_large; mapping_invalid where it has lines and none is understood.
Result<MappingFile> read_mapping_file(const std::string& folder, const Limits& limits = {});

/// The names of the mapping.csv of a folder; empty when there is none. Errors: as for read_mapping_file().
Result<NameMapping> read_mapping(const std::string& folder, const Limits& limits = {});

/// The real name of a file that has another name in place of a long one; empty when it is not, or nothing tells it.
/// Errors: as for read_mapping_file().
Result<std::string> real_name_of(const std::string& file, const Limits& limits = {});

/// What is said beside a file that is called by a number, when the mapping.csv that names it cannot be read.
Diagnostic mapping_remark(const Error& error);

/// Remembers what was read, also that it could not be. Thread-safe.
class KnownMappings {
public:
    /// As read_mapping().
    std::shared_ptr<const Result<NameMapping>> of_folder(const std::string& folder, const Limits& limits);

    /// As real_name_of() of mapping.hpp.
    Result<std::string> real_name_of(const std::string& file, const Limits& limits);

private:
    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<const Result<NameMapping>>> mappings_;  ///< by folder
};

}  // namespace opdebug::tree

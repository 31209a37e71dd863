// The table of limits.
#include <algorithm>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "bytes/passed_limit.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

constexpr LimitInfo kLimits[] = {
    {"file_bytes", &Limits::file_bytes, "file_too_large", "bytes of an overflow dump"},
    {"header_bytes", &Limits::header_bytes, "header_too_large",
     "bytes of a dump's header, and of an operator's dump of version 1"},
    {"tensors", &Limits::tensors, "too_many_tensors", "inputs, outputs, buffers and workspaces of a dump, each"},
    {"dimensions", &Limits::dimensions, "too_many_dimensions", "dimensions of a tensor"},
    {"name_bytes", &Limits::name_bytes, "name_too_long", "bytes of a name in a header or of a text in JSON"},
    {"records", &Limits::records, "too_many_records", "records of one file"},
    {"converted_bytes", &Limits::converted_bytes, "converted_json_too_large", "bytes of a converted dump (JSON)"},
    {"definition_bytes", &Limits::definition_bytes, "definition_too_large",
     "bytes of a file that describes status words or log lines"},
    {"nesting", &Limits::nesting, "nesting_too_deep", "lists and objects of JSON inside one another"},
    {"call_bytes", &Limits::call_bytes, "call_too_large", "bytes of one call in an API dump"},
    {"call_nesting", &Limits::call_nesting, "nesting_too_deep", "lists and objects inside one another in an API dump"},
    {"mapping_bytes", &Limits::mapping_bytes, "mapping_too_large", "bytes of a mapping.csv"},
    {"folder_depth", &Limits::folder_depth, "folder_too_deep", "folders inside one another below a given path"},
    {"line_bytes", &Limits::line_bytes, "line_too_long", "bytes of a log line that are looked at"},
    {"processes", &Limits::processes, "too_many_processes", "processes that logs tell of"},
    {"candidates", &Limits::candidates, "candidates_cut", "operators that are listed for one record"},
};

std::string known_names() {
    std::string names;
    for (const LimitInfo& limit : kLimits) {
        names += (names.empty() ? "" : ", ") + std::string(limit.name);
    }
    return names;
}

Error wrong_limit(std::string message) {
    return {ErrorCode::invalid_argument, std::move(message), {}, std::nullopt};
}

}  // namespace

std::vector<LimitInfo> known_limits() {
    return {std::begin(kLimits), std::end(kLimits)};
}

std::optional<Error> set_limit(Limits& limits, std::string_view name, std::uint64_t value) {
    const auto* const known = std::find_if(std::begin(kLimits), std::end(kLimits),
                                           [name](const LimitInfo& item) { return item.name == name; });
    if (known == std::end(kLimits)) {
        return wrong_limit(fmt::format("\"{}\" is no limit; there are {}", name, known_names()));
    }
    if (value == 0) {
        return wrong_limit(fmt::format("the limit {} is a number from 1 on, not 0", name));
    }
    limits.*known->member = value;
    return std::nullopt;
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::bytes {

std::string passed_limit(const Limits& limits, std::uint64_t Limits::*limit) {
    const auto* const known = std::find_if(std::begin(kLimits), std::end(kLimits),
                                           [limit](const LimitInfo& item) { return item.member == limit; });
    return fmt::format("the limit {0} is {1} (to raise it: --limit {0}=NUMBER, in programs the member {0} of limits)",
                       known->name, limits.*limit);
}

Error limit_error(ErrorCode code, const std::string& found, const Limits& limits, std::uint64_t Limits::*limit,
                  std::optional<std::uint64_t> offset) {
    return {code, found + "; " + passed_limit(limits, limit), {}, offset};
}

}  // namespace opdebug::bytes

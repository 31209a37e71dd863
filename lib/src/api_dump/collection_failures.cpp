#include "api_dump/collection_failures.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "bytes/file.hpp"

namespace opdebug::api_dump {
namespace {

constexpr std::string_view kName = "dump_error_info.log";
constexpr std::size_t kMostRead = 1U << 16U;  // one record for each kind of exception: files are short

/// The message of "[2026-05-20 10:11:12 +0800] message"; frames of its call stack follow on lines of their own.
std::optional<std::string_view> record_in(std::string_view line) {
    const std::size_t end = line.find("] ");
    const bool begins_with_date =
        line.size() > 6 && line[0] == '[' && line[5] == '-' &&
        std::all_of(line.begin() + 1, line.begin() + 5, [](char c) { return c >= '0' && c <= '9'; });
    return begins_with_date && end != std::string_view::npos ? std::optional(line.substr(end + 2)) : std::nullopt;
}

}  // namespace

std::optional<Diagnostic> collection_failures(const std::string& dump) {
    const std::string path = dump.substr(0, dump.rfind('/') + 1).append(kName);
    const Result<bytes::FileStart> start = bytes::read_file_start(path, kMostRead);
    if (!start) {
        return std::nullopt;
    }
    std::string_view rest(reinterpret_cast<const char*>(start->bytes.data()), start->bytes.size());
    std::uint64_t records = 0;
    std::string_view first;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (const auto message = record_in(line.substr(0, line.find('\r')))) {
            first = records++ == 0 ? *message : first;
        }
    }
    if (records == 0) {
        return std::nullopt;
    }
    const bool is_whole = start->bytes.size() == start->file_size;
    return Diagnostic{
        Severity::warning, "collection_failed",
        fmt::format(
            "{} beside it has {}{} failure{} to collect values, the first: \"{:.200}\". Calls and values may be "
            "missing",
            kName, is_whole ? "" : "at least ", records, records == 1 ? "" : "s", first)};
}

}  // namespace opdebug::api_dump

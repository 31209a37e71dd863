// Facts in the files around a dump.json of msprobe.
#include "api_dump/readers.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bytes/file.hpp"
#include "json/document.hpp"
#include "remarks/diagnose.hpp"
#include "tree/name.hpp"

namespace opdebug::api_dump {
namespace {

constexpr std::string_view kName = "dump_error_info.log";

constexpr std::size_t kMostRead = 1U << 16U;  // files are short: one record for each kind of exception

/// The message of "[2026-05-20 10:11:12 +0800] message". The next lines are frames of its call stack.
std::optional<std::string_view> record_in(std::string_view line) {
    const std::size_t end = line.find("] ");
    const bool begins_with_date =
        line.size() > 6 && line[0] == '[' && line[5] == '-' && tree::is_decimal(line.substr(1, 4));
    return begins_with_date && end != std::string_view::npos ? std::optional(line.substr(end + 2)) : std::nullopt;
}

using nlohmann::json;

constexpr std::size_t kMaxConfigBytes = 1U << 20U;

/// {dump_path}/step{N}/rank{M}/dump.json; the user's config.json is often in the folder above.
constexpr std::size_t kFolders = 4;

std::optional<json> settings_in(const std::string& path) {
    const Result<bytes::FileStart> start = bytes::read_file_start(path, kMaxConfigBytes);
    if (!start || start->bytes.size() != start->file_size) {
        return std::nullopt;
    }
    json_stage::Fault fault;
    json document = json_stage::parse_document({start->bytes.begin(), start->bytes.end()}, fault);
    return document.is_object() ? std::optional(std::move(document)) : std::nullopt;
}

std::string text_of(const json& object, const char* name, const char* otherwise) {
    const auto member = object.find(name);
    return member != object.end() && member->is_string() ? member->get<std::string>() : std::string(otherwise);
}

bool is_set(const json& member) {
    if (const auto* const text = member.get_ptr<const std::string*>()) {
        return !text->empty();
    }
    return !member.is_null() && member != false && !(member.is_structured() && member.empty());
}

/// Sources: msprobe 2026-08, pytorch_processor.py: slice since 2026-07-27, request_id since 2026-08-05, of tasks
/// statistics and tensor at levels L0, L1 and mix.
std::string slice_in(const json& settings) {
    constexpr std::string_view kTasks[] = {"statistics", "tensor"}, kLevels[] = {"L0", "L1", "mix"};
    const std::string task = text_of(settings, "task", "statistics"), level = text_of(settings, "level", "L1");
    const auto section = settings.find(task);
    if (std::find(std::begin(kTasks), std::end(kTasks), task) == std::end(kTasks) ||
        std::find(std::begin(kLevels), std::end(kLevels), level) == std::end(kLevels) || section == settings.end() ||
        !section->is_object()) {
        return {};
    }
    for (const char* const name : {"slice", "request_id"}) {
        const auto member = section->find(name);
        if (member != section->end() && is_set(*member)) {
            return fmt::format("{} {:.100}", name, member->dump(-1, ' ', true, json::error_handler_t::replace));
        }
    }
    return {};
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
    return remarks::diagnose("collection_failed", {{"file", kName},
                                                   {"least", is_whole ? LocalizedText() : remarks::phrase("at_least")},
                                                   {"count", records},
                                                   {"first", fmt::format("{:.200}", first)}});
}

std::optional<Diagnostic> sliced_values(const std::string& dump) {
    std::filesystem::path folder = std::filesystem::path(dump).parent_path();
    for (std::size_t i = 0; i < kFolders; ++i) {
        const std::string path = (folder / "config.json").string();
        if (const std::optional<json> settings = settings_in(path)) {
            const std::string slice = slice_in(*settings);
            return slice.empty()
                       ? std::nullopt
                       : std::optional(remarks::diagnose("values_of_a_slice", {{"file", path}, {"slice", slice}}));
        }
        if (folder.empty() || folder == folder.parent_path()) {
            break;
        }
        folder = folder.parent_path();
    }
    return std::nullopt;
}

}  // namespace opdebug::api_dump

#include "api_dump/sliced_values.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bytes/file.hpp"

namespace opdebug::api_dump {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxConfigBytes = 1U << 20U;

/// {dump_path}/step{N}/rank{M}/dump.json; the user's settings are often in the folder above.
constexpr std::size_t kFolders = 4;

std::optional<json> settings_in(const std::string& path) {
    const Result<bytes::FileStart> start = bytes::read_file_start(path, kMaxConfigBytes);
    if (!start || start->bytes.size() != start->file_size) {
        return std::nullopt;
    }
    const char* const text = reinterpret_cast<const char*>(start->bytes.data());
    json document = json::parse(text, text + start->bytes.size(), nullptr, false);
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

std::optional<Diagnostic> sliced_values(const std::string& dump) {
    std::filesystem::path folder = std::filesystem::path(dump).parent_path();
    for (std::size_t i = 0; i < kFolders; ++i) {
        const std::string path = (folder / "config.json").string();
        if (const std::optional<json> settings = settings_in(path)) {
            const std::string slice = slice_in(*settings);
            return slice.empty()
                       ? std::nullopt
                       : std::optional(Diagnostic{
                             Severity::warning, "values_of_a_slice",
                             fmt::format("{} sets {}: statistics and shapes are those of a slice, and a bad value "
                                         "outside it does not show",
                                         path, slice)});
        }
        if (folder.empty() || folder == folder.parent_path()) {
            break;
        }
        folder = folder.parent_path();
    }
    return std::nullopt;
}

}  // namespace opdebug::api_dump

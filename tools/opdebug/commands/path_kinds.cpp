#include "commands/path_kinds.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <system_error>

#include <opdebug/api.hpp>
#include <opdebug/dump.hpp>
#include <opdebug/tree.hpp>

#include "output/messages.hpp"
#include "output/output.hpp"
#include "system/system.hpp"
#include "training/training.hpp"

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

/// By PathKind.
constexpr KindInfo kKinds[] = {{"decode", "front.overflow_dump"},  {"scan", "front.folder_of_dumps"},
                               {"tensors", "front.operator_dump"}, {"api", "front.api_dump"},
                               {"merge", "front.report"},          {"logs", "front.log"},
                               {"train", "front.training_log"},    {"doctor", "front.settings"}};

bool has_ending(std::string_view name, std::string_view ending) {
    return name.size() >= ending.size() && name.substr(name.size() - ending.size()) == ending;
}

/// Decides by name only. Empty if the content must decide.
std::optional<PathKind> kind_of_name(std::string_view name) {
    if (has_ending(name, ".pt")) {
        return std::nullopt;  // no command reads it
    }
    if (const auto dump = parse_dump_name(name.substr(0, std::min(name.find(".output."), name.find(".input."))))) {
        return dump->is_overflow_dump ? PathKind::dump : PathKind::op_dump;
    }
    if (name == "dump.json" || name == "debug.json" || name == "statistic.csv" || has_ending(name, ".pkl")) {
        return PathKind::api_dump;
    }
    if (has_ending(name, ".npy")) {
        return PathKind::op_dump;
    }
    return is_name_of_log(name) || has_ending(name, ".map") ? std::optional(PathKind::log) : std::nullopt;
}

std::string begin_of(const std::string& path, std::size_t bytes) {
    std::ifstream file(path, std::ios::binary);
    std::string text(bytes, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

bool is_text(std::string_view begin) {
    return std::all_of(begin.begin(), begin.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0x20 || c == '\t' || c == '\r' || c == '\n';
    });
}

/// Whether the file is a report of scan as JSON lines, which 'merge' shows.
bool is_report(const std::string& path) {
    const std::string begin = begin_of(path, 512);
    return begin.find("\"opdebug.report/1\"") != std::string::npos && begin.find("\"begin\"") != std::string::npos;
}

/// Lines of logs of CANN begin with "[ERROR] RUNTIME(4711,python3):2026-…".
constexpr std::string_view kLogLevels[] = {"[DEBUG] ", "[INFO] ", "[WARNING] ", "[ERROR] ", "[EVENT] "};

bool is_training_log(const std::string& path) {
    constexpr std::size_t kBegin = 65536;
    const std::string begin = begin_of(path, kBegin);
    for (const std::string_view level : kLogLevels) {
        if (begin.starts_with(level) || begin.find("\n" + std::string(level)) != std::string::npos) {
            return false;
        }
    }
    return !training::read_training_logs({path}, interrupted).runs.empty();
}

bool begins_with_member(const std::string& path, std::initializer_list<std::string_view> members) {
    const std::string begin = begin_of(path, 4096);
    const std::size_t first = begin.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return first != std::string::npos && begin[first] == '{' &&
           std::any_of(members.begin(), members.end(), [&begin](std::string_view member) {
               return begin.find("\"" + std::string(member) + "\"") != std::string::npos;
           });
}

/// acl.json, MindSpore's or msprobe's settings.
bool is_settings(const std::string& path) {
    return begins_with_member(path, {"dump_path", "dump_scene", "dump_debug", "common_dump_settings"});
}

std::optional<PathKind> kind_of_file(const std::string& path) {
    if (const auto kind = kind_of_name(file_name_of(path))) {
        return *kind == PathKind::log && is_training_log(path) ? PathKind::training_log : *kind;
    }
    const Result<std::optional<ApiSource>> source = api_source_of(path);
    return source && *source       ? std::optional(PathKind::api_dump)
           : is_report(path)       ? std::optional(PathKind::report)
           : is_settings(path)     ? std::optional(PathKind::settings)
           : is_training_log(path) ? std::optional(PathKind::training_log)
                                   : std::nullopt;
}

std::optional<PathKind> kind_of_folder(const std::string& path) {
    std::optional<PathKind> kind;
    std::error_code failed;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator entry(path, options, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        const std::string name = entry->path().filename().string();
        std::error_code unknown;
        const std::optional<PathKind> found = entry->is_directory(unknown) ? std::nullopt : kind_of_name(name);
        if (found == PathKind::dump || name == "mapping.csv") {
            return PathKind::dump_tree;
        }
        const auto rank = [](PathKind one) { return one == PathKind::api_dump ? 0 : one == PathKind::op_dump ? 1 : 2; };
        if (found && (!kind || rank(*found) < rank(*kind))) {
            kind = found;
        }
    }
    return kind;
}

/// Whether `logs` reads the file, which has the name of one: a log whose first line is of CANN. Of compressed files the
/// name decides.
bool has_log_lines(const std::string& path) {
    const std::string begin = begin_of(path, 16);
    return has_ending(path, ".map") || has_ending(path, ".gz") || has_ending(path, ".zst") ||
           std::any_of(std::begin(kLogLevels), std::end(kLogLevels),
                       [&begin](std::string_view level) { return begin.starts_with(level); });
}

/// Whether `logs` reads the file, or a log below the folder.
bool is_log_or_has_one(const std::string& path) {
    std::error_code failed;
    if (!fs::is_directory(path, failed)) {
        return has_log_lines(path);
    }
    for (fs::recursive_directory_iterator entry(path, fs::directory_options::skip_permission_denied, failed), end;
         !failed && entry != end; entry.increment(failed)) {
        if (kind_of_name(entry->path().filename().string()) == PathKind::log && has_log_lines(entry->path().string())) {
            return true;
        }
    }
    return false;
}

}  // namespace

const KindInfo& info_of(PathKind kind) {
    return kKinds[static_cast<std::size_t>(kind)];
}

std::optional<PathKind> kind_of_path(const std::string& path) {
    std::error_code absent;
    return fs::is_directory(path, absent) ? kind_of_folder(path) : kind_of_file(path);
}

std::optional<std::string> fault_of_unknown(const std::string& path) {
    if (auto hint = hint_of_unread(path)) {
        return hint;
    }
    const Result<Dump> dump = decode_file(path);
    const ErrorCode fault = dump ? ErrorCode::internal_error : dump.error().code;
    const bool is_other_json =
        fault == ErrorCode::converted_json_invalid &&
        !begins_with_member(path, {"AI Core", "DHA Atomic Add", "L2 Atomic Add", "acc_list", "magic"});
    const bool is_other_text =
        (fault == ErrorCode::not_a_dump || fault == ErrorCode::file_too_short) && is_text(begin_of(path, 512));
    if (is_other_json || is_other_text) {
        return sentence("front.unknown", {{"path", path}});
    }
    return fault == ErrorCode::not_a_dump ? std::optional(sentence(dump.error())) : std::nullopt;
}

std::optional<std::string> other_command_for(const std::string& path, std::string_view command) {
    std::error_code absent;
    const std::optional<PathKind> kind = fs::exists(path, absent) ? kind_of_path(path) : std::nullopt;
    if (!kind && !fs::is_directory(path, absent)) {
        return hint_of_unread(path);
    }
    if (!kind || info_of(*kind).command == command || (kind == PathKind::log && !is_log_or_has_one(path)) ||
        (command == "scan" && *kind <= PathKind::api_dump)) {
        return std::nullopt;
    }
    return sentence("front.fits",
                    {{"path", path}, {"kind", sentence(info_of(*kind).words)}, {"command", info_of(*kind).command}});
}

}  // namespace opdebug::tool

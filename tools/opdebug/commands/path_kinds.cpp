#include "commands/path_kinds.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <opdebug/api.hpp>
#include <opdebug/dump.hpp>
#include <opdebug/logs.hpp>
#include <opdebug/tree.hpp>

#include "output/messages.hpp"
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

/// Calls `use` for each file below a folder until it returns false or an interrupt comes.
void each_file_below(const std::string& folder, const std::function<bool(const fs::path&)>& use) {
    std::error_code failed;
    for (fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, failed), end;
         !failed && entry != end && !interrupted(); entry.increment(failed)) {
        std::error_code unknown;
        if (!entry->is_directory(unknown) && !use(entry->path())) {
            break;
        }
    }
}

/// A file that no command reads: `sentence` is the id of its message.
struct UnreadName {
    const char* name;
    const char* sentence;
};

/// The first pattern that fits counts. Sources: msprobe overflow_check_instruct.md, monitor_instruct.md,
/// monitor_v2_instruct.md, accuracy_compare_instruct.md; CANN, msaccucmp overflow.
constexpr UnreadName kUnreadNames[] = {
    {"stack.json", "front.part_of_api_dump"},
    {"construct.json", "front.part_of_api_dump"},
    {"anomaly_analy[sz]e*.json", "front.result"},
    {"compare_result_*", "front.result"},
    {"overflow_summary*.txt", "front.result"},
    {"actv*_[0-9]*-[0-9]*.csv", "front.result"},
    {"exp_avg*_[0-9]*-[0-9]*.csv", "front.result"},
    {"grad_*_[0-9]*-[0-9]*.csv", "front.result"},
    {"param_*_[0-9]*-[0-9]*.csv", "front.result"},
    {"*_step[0-9]*-[0-9]*.csv", "front.result"},
    {"*.xls*", "front.unknown"},
    {"trace_view.json", "front.trace"},
};

/// What a file is that no command reads, by its name. Empty: not known.
std::optional<std::string> hint_of_unread(const std::string& path) {
    const std::string name(file_name_of(path));
    for (const UnreadName& unread : kUnreadNames) {
        if (::fnmatch(unread.name, name.c_str(), 0) == 0) {
            return sentence(unread.sentence, {{"path", path}});
        }
    }
    return std::nullopt;
}

/// "plog.log", also rotated and compressed: "plog.log.1", "plog.log.gz".
bool is_name_of_log(std::string_view name) {
    const std::size_t ending = name.rfind(".log");
    const std::string_view rest = ending == std::string_view::npos ? name : name.substr(ending + 4);
    return ending != std::string_view::npos && (rest.empty() || rest.front() == '.');
}

/// Decides by name only. Empty if the content must decide.
std::optional<PathKind> kind_of_name(std::string_view name) {
    if (name.ends_with(".pt")) {
        return std::nullopt;  // no command reads it
    }
    if (const auto dump = parse_dump_name(name.substr(0, std::min(name.find(".output."), name.find(".input."))))) {
        return dump->is_overflow_dump ? PathKind::dump : PathKind::op_dump;
    }
    if (name == "dump.json" || name == "debug.json" || name == "statistic.csv" || name.ends_with(".pkl")) {
        return PathKind::api_dump;
    }
    if (name.ends_with(".npy")) {
        return PathKind::op_dump;
    }
    return is_name_of_log(name) || name.ends_with(".map") ? std::optional(PathKind::log) : std::nullopt;
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
        return byte >= 0x20 || c == '\t' || c == '\r' || c == '\n' || c == '\x1b';  // the last: colours
    });
}

/// Whether the file is a report of scan as JSON lines, which 'merge' shows.
bool is_report(const std::string& path) {
    const std::string begin = begin_of(path, 512);
    return begin.find("\"opdebug.report/1\"") != std::string::npos && begin.find("\"begin\"") != std::string::npos;
}

/// Whether the first megabyte has steps of a training.
bool is_training_log(const std::string& path) {
    int reads = 4;
    return !training::read_training_logs({path}, [&reads] { return interrupted() || --reads < 0; }).runs.empty();
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
    const std::optional<PathKind> kind = kind_of_name(file_name_of(path));
    if (kind && *kind != PathKind::log) {
        return kind;
    }
    const Result<std::optional<ApiSource>> source = kind ? std::optional<ApiSource>() : api_source_of(path);
    return source && *source             ? std::optional(PathKind::api_dump)
           : is_report(path)             ? std::optional(PathKind::report)
           : is_settings(path)           ? std::optional(PathKind::settings)
           : is_training_log(path)       ? std::optional(PathKind::training_log)
           : kind || has_log_lines(path) ? std::optional(PathKind::log)
                                         : std::nullopt;
}

std::optional<PathKind> kind_of_folder(const std::string& path) {
    std::optional<PathKind> kind;
    const auto rank = [](PathKind one) { return one == PathKind::api_dump ? 0 : one == PathKind::op_dump ? 1 : 2; };
    each_file_below(path, [&](const fs::path& file) {
        const std::string name = file.filename().string();
        const std::optional<PathKind> found = kind_of_name(name);
        const bool is_tree = found == PathKind::dump || name == "mapping.csv";
        if (is_tree || (found && (!kind || rank(*found) < rank(*kind)))) {
            kind = is_tree ? PathKind::dump_tree : found;
        }
        return !is_tree;
    });
    if (!kind) {  // texts with names of their own: nohup.out, log.txt
        int files = 32;
        each_file_below(path, [&kind, &files](const fs::path& file) {
            const std::optional<PathKind> found = kind_of_file(file.string());
            kind = found == PathKind::log || found == PathKind::training_log ? found : std::nullopt;
            return !kind && --files > 0;
        });
    }
    return kind;
}

/// Whether `logs` reads the file, or a log below the folder.
bool is_log_or_has_one(const std::string& path) {
    std::error_code failed;
    if (!fs::is_directory(path, failed)) {
        return has_log_lines(path);
    }
    bool has_log = false;
    each_file_below(path, [&has_log](const fs::path& file) {
        has_log = kind_of_name(file.filename().string()) == PathKind::log && has_log_lines(file.string());
        return !has_log;
    });
    return has_log;
}

}  // namespace

bool has_log_lines(const std::string& path) {
    if (path.ends_with(".map")) {
        return true;
    }
    int reads = 256;
    ReadLogsOptions options;
    options.stop = [&reads] { return interrupted() || --reads < 0; };
    const bool is_packed = path.ends_with(".gz") || path.ends_with(".zst");
    // Only the start: lines of CANN may contain NULs.
    const std::string begin = begin_of(path, 64);
    return !begin.empty() && (is_packed || is_text(begin)) && read_logs({path}, options).ok();
}

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

std::string what_is_there(const std::vector<std::string>& paths) {
    std::map<std::string, std::uint64_t> counts;  ///< by the suffix of the name
    const auto count = [&counts](const fs::path& file) {
        const std::string name = file.filename().string();
        const bool is_dump = parse_dump_name(name).has_value();
        ++counts[is_dump ? sentence("front.operator_dump") : file.extension().string()];
        return true;
    };
    for (const std::string& path : paths) {
        std::error_code failed;
        fs::is_directory(path, failed) ? each_file_below(path, count) : static_cast<void>(count(path));
    }
    std::string list;
    for (const auto& [kind, number] : counts) {
        list += (list.empty() ? std::string() : sentence("there.comma")) +
                (kind.empty() ? sentence("there.no_suffix", {{"count", number}}) : fmt::format("{} {}", number, kind));
    }
    return list.empty() ? std::string() : sentence("there.found", {{"list", list}});
}

}  // namespace opdebug::tool

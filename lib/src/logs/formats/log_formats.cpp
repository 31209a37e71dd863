// The definitions of log lines as the public functions give them: lists, checks and reading of definition files.
#include <opdebug/logs.hpp>
#include <opdebug/tree.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include "bytes/file.hpp"
#include "bytes/system_path.hpp"
#include "logs/formats/formats.hpp"
#include "remarks/edit_distance.hpp"
#include "tree/folder.hpp"
#include "tree/name.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

LogFormatInfo info_of(const logs::FormatDefinition& definition) {
    LogFormatInfo info;
    info.file = definition.file;
    info.id = definition.id;
    info.catalogue = definition.catalogue;
    info.states = logs::to_string(definition.states);
    info.log = logs::to_string(definition.log);
    info.modules = definition.modules;
    info.functions = definition.functions;
    info.else_states = definition.else_states ? logs::to_string(*definition.else_states) : std::string_view();
    info.literal = definition.has_own_literal ? definition.literal : std::string();
    for (const logs::IgnoreRule& rule : definition.ignore) {
        info.ignore.emplace_back(rule.member, rule.values);
    }
    info.cut_lines = definition.cut_lines;
    info.fallback = definition.fallback;
    for (const logs::Constant& constant : definition.constants) {
        info.constants.emplace_back(constant.member, constant.value);
    }
    info.task_id_provisional = definition.task_id_provisional;
    info.remembers = definition.remembers;
    info.once = definition.once;
    info.forgets = definition.forgets;
    info.completed_by = definition.completed_by;
    info.versions = definition.versions;
    info.source = definition.source;
    info.samples = definition.samples;
    return info;
}

Result<NamedText> read_format_text(const std::string& path, const Limits& limits) {
    const Result<std::vector<std::uint8_t>> content =
        bytes::read_file(path, limits, &Limits::definition_bytes, ErrorCode::definition_too_large);
    if (!content) {
        return content.error();
    }
    return NamedText{path, std::string(content->begin(), content->end())};
}

bool is_folder(const std::string& path) {
    struct stat status {};
    return ::stat(bytes::system_path(path), &status) == 0 && S_ISDIR(status.st_mode);
}

/// A catalogue mark: "L7" is {'L', 7}.
struct Mark {
    char letter = 0;
    std::uint64_t number = 0;
};

std::optional<Mark> mark_of(std::string_view text) {
    const auto number = text.empty() ? std::nullopt : tree::parse_number(text.substr(1));
    if (!number) {
        return std::nullopt;
    }
    return Mark{text[0] >= 'a' && text[0] <= 'z' ? static_cast<char>(text[0] - 'a' + 'A') : text[0], *number};
}

/// Whether a mark, or a range of them ("L4-L10"), is or holds the one that is requested.
bool has_mark(std::string_view marks, const std::string& mark_text) {
    const std::size_t dash = marks.find('-');
    const std::optional<Mark> mark = mark_of(mark_text);
    const std::optional<Mark> first = mark_of(marks.substr(0, dash));
    const std::optional<Mark> last = dash == std::string_view::npos ? first : mark_of(marks.substr(dash + 1));
    return marks == mark_text ||
           (mark && first && last && mark->letter == first->letter && first->letter == last->letter &&
            first->number <= mark->number && mark->number <= last->number);
}

}  // namespace

Result<std::vector<LogFormatInfo>> list_log_formats(const std::vector<NamedText>& files, const Limits& limits) {
    std::vector<NamedText> all = logs::built_in_log_format_files();
    all.insert(all.end(), files.begin(), files.end());
    const auto formats = logs::LogFormats::load(all, limits);
    if (!formats) {
        return formats.error();
    }
    std::vector<LogFormatInfo> list;
    const auto definitions = (*formats)->definitions();
    list.reserve(definitions.size());
    for (const logs::FormatDefinition* definition : definitions) {
        if (definition->alternative == 0) {
            list.push_back(info_of(*definition));
        }
        if (!definition->of_ignored) {
            list.back().patterns.push_back(definition->pattern);
            list.back().literals.push_back(definition->literal);
        }
    }
    return list;
}

Result<LogFormatFile> check_log_format_file(const NamedText& file, const std::vector<NamedText>& others,
                                            const Limits& limits) {
    const auto is_same = [&file](const NamedText& other) {
        return other.text == file.text && file_name_of(other.name) == file_name_of(file.name);
    };
    std::vector<NamedText> files;
    std::remove_copy_if(others.begin(), others.end(), std::back_inserter(files), is_same);
    files.push_back(file);
    const Result<std::vector<LogFormatInfo>> list = list_log_formats(files, limits);
    if (!list) {
        return list.error();
    }
    LogFormatFile checked;
    for (const LogFormatInfo& format : *list) {
        if (format.file == file.name) {
            ++checked.formats;
            checked.samples += format.samples.size();
        }
    }
    return checked;
}

Result<std::vector<NamedText>> read_log_format_files(const std::string& path, const Limits& limits) {
    std::vector<std::string> paths{path};
    if (is_folder(path)) {
        paths.clear();
        const tree::FolderListing listing = tree::list_folder(path);
        if (listing.failure) {
            return *listing.failure;
        }
        for (const tree::FolderEntry& entry : listing.entries) {
            const std::string inside = tree::join_path(path, entry.name);
            if (entry.name.ends_with(".json") && !is_folder(inside)) {
                paths.push_back(inside);
            }
        }
        if (paths.empty()) {
            return Error{ErrorCode::log_format_invalid,
                         "the folder holds no file of log formats: names that end in .json were expected", path,
                         std::nullopt};
        }
    }
    std::vector<NamedText> files;
    files.reserve(paths.size());
    for (const std::string& file : paths) {
        Result<NamedText> text = read_format_text(file, limits);
        if (!text) {
            return std::move(text.error());
        }
        files.push_back(std::move(*text));
    }
    return files;
}

std::vector<LogFormatInfo> log_formats_named(const std::vector<LogFormatInfo>& formats, const std::string& name) {
    std::vector<LogFormatInfo> named;
    std::copy_if(formats.begin(), formats.end(), std::back_inserter(named), [&name](const LogFormatInfo& format) {
        return format.id == name || has_mark(format.catalogue, name);
    });
    return named;
}

std::vector<std::string> near_log_format_names(const std::vector<LogFormatInfo>& formats, const std::string& name) {
    constexpr std::size_t kMost = 5;
    std::set<std::pair<std::size_t, std::string>> near;
    for (const LogFormatInfo& format : formats) {
        for (const std::string& known : {format.id, format.catalogue}) {
            const bool is_part = name.size() >= 3 && known.find(name) != std::string::npos;
            const std::size_t distance = is_part ? 0 : remarks::edit_distance(name, known);
            if (distance <= std::max<std::size_t>(1, known.size() / 3)) {
                near.emplace(distance, known);
            }
        }
    }
    std::vector<std::string> names;
    for (auto item = near.begin(); item != near.end() && names.size() < kMost; ++item) {
        names.push_back(item->second);
    }
    return names;
}

}  // namespace v0
}  // namespace opdebug

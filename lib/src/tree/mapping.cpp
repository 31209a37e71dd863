// Parser of mapping.csv, and a cache of parsed files.
#include "tree/mapping.hpp"

#include <cstddef>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <opdebug/result.hpp>
#include <opdebug/tree.hpp>

#include "bytes/file.hpp"
#include "bytes/utf8.hpp"
#include "remarks/diagnose.hpp"
#include "tree/folder.hpp"
#include "tree/name.hpp"

namespace opdebug::tree {
namespace {

constexpr std::size_t kTimeDigits = 16;  // microseconds since 1970, until 2286

std::string_view without_blanks(std::string_view text) {
    constexpr std::string_view kBlanks = " \t";
    const std::size_t begin = text.find_first_not_of(kBlanks);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// A cell without its quotation marks; doubled marks inside become single (RFC 4180). Empty if the marks do not match.
std::optional<std::string> unquoted(std::string_view cell) {
    cell = without_blanks(cell);
    if (cell.empty() || cell.front() != '"') {
        return std::string(cell);
    }
    if (cell.size() < 2 || cell.back() != '"') {
        return std::nullopt;
    }
    cell = cell.substr(1, cell.size() - 2);
    std::string text;
    for (std::size_t i = 0; i < cell.size(); ++i) {
        if (cell[i] == '"' && (i + 1 == cell.size() || cell[++i] != '"')) {
            return std::nullopt;
        }
        text += cell[i];
    }
    return text;
}

struct Line {
    std::string file;
    std::string real_name;   ///< without the absolute path that some lists contain
    bool is_quoted = false;  ///< quoted, so the real name is complete
};

std::optional<Line> read_line(std::string_view text) {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view second = without_blanks(text.substr(comma + 1));
    auto file = unquoted(text.substr(0, comma));
    auto real_name = unquoted(second);
    if (!file || !real_name) {
        return std::nullopt;
    }
    const std::string_view name = real_name->starts_with('/') ? file_name_of(*real_name) : *real_name;
    Line line{std::move(*file), std::string(name), second.starts_with('"')};
    return line.real_name.empty() ? std::nullopt : std::optional(std::move(line));
}

/// "0123456789abcdef0123456789abcdef.npy": msaccucmp's name for a result with a long name.
bool is_name_of_result(std::string_view file) {
    const std::size_t digits = file.find_first_not_of("0123456789abcdef");
    return digits != std::string_view::npos && digits != 0 && file[digits] == '.' && digits + 1 < file.size() &&
           file.find_first_not_of("abcdefghijklmnopqrstuvwxyz", digits + 1) == std::string_view::npos;
}

constexpr std::string_view kTensorEnding = ".npy";

/// Whether a name at the end of the text may be truncated. A truncated time would be another time.
bool may_be_cut(const Line& line) {
    const std::string_view name = line.real_name;
    if (name.ends_with(kTensorEnding)) {
        return false;
    }
    const std::size_t dot = name.rfind('.');
    const std::string_view end = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
    return !line.is_quoted && (end.size() < kTimeDigits || !is_decimal(end));
}

void add_line(const Line& line, MappingText& mapping) {
    ++mapping.understood;
    if (!may_stand_for_long_name(line.file)) {
        return;
    }
    const auto [known, is_new] = mapping.names.emplace(line.file, line.real_name);
    if (!is_new && known->second != line.real_name) {
        mapping.contradicted.insert(line.file);
    }
}

Error not_understood(const std::string& path, std::uint64_t lines) {
    return {ErrorCode::mapping_invalid,
            fmt::format("no entry \"number,real name\" (UTF-8, with a line break) {}: files named by numbers cannot be "
                        "identified; copy the list again from the original",
                        lines == 1 ? "in one line" : fmt::format("in {} lines", lines)),
            path, std::nullopt};
}

}  // namespace

bool may_stand_for_long_name(std::string_view name) {
    return is_decimal(name) || (name.ends_with(kTensorEnding) && is_name_of_result(name));
}

MappingText parse_mapping(std::string_view text) {
    MappingText mapping;
    if (text.starts_with(bytes::kByteOrderMark)) {
        text.remove_prefix(bytes::kByteOrderMark.size());
    }
    while (!text.empty()) {
        const std::size_t line_end = text.find('\n');
        const bool is_last = line_end == std::string_view::npos;
        std::string_view line_text = text.substr(0, line_end);
        text = is_last ? std::string_view() : text.substr(line_end + 1);
        if (!line_text.empty() && line_text.back() == '\r') {
            line_text.remove_suffix(1);
        }
        if (without_blanks(line_text).empty()) {
            continue;
        }
        ++mapping.lines;
        const std::optional<Line> line = read_line(line_text);
        if (line && (is_decimal(line->file) || is_name_of_result(line->file)) && !(is_last && may_be_cut(*line))) {
            add_line(*line, mapping);
        }
    }
    return mapping;
}

Result<MappingFile> read_mapping_file(const std::string& folder, const Limits& limits) {
    const std::string path = join_path(folder, "mapping.csv");
    const auto content = bytes::read_file(path, limits, &Limits::mapping_bytes, ErrorCode::mapping_too_large);
    if (!content) {
        return content.error().code == ErrorCode::file_not_found ? Result<MappingFile>(MappingFile()) : content.error();
    }
    MappingFile file{true, parse_mapping(Bytes(*content).text())};
    if (file.text.lines != 0 && file.text.understood == 0) {
        return not_understood(path, file.text.lines);
    }
    return file;
}

Result<std::string> real_name_of(const std::string& file, const Limits& limits) {
    return KnownMappings().real_name_of(file, limits);
}

Diagnostic mapping_remark(const Error& error) {
    Diagnostic remark = remarks::diagnose("mapping_invalid.name", {{"error", remarks::text_of(error)}});
    remark.code = to_string(error.code);
    return remark;
}

std::shared_ptr<const Result<NameMapping>> KnownMappings::of_folder(const std::string& folder, const Limits& limits) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::shared_ptr<const Result<NameMapping>>& mapping = mappings_[folder];
    if (!mapping) {
        Result<MappingFile> file = read_mapping_file(folder, limits);
        mapping = std::make_shared<const Result<NameMapping>>(file ? Result<NameMapping>(std::move(file->text.names))
                                                                   : file.error());
    }
    return mapping;
}

Result<std::string> KnownMappings::real_name_of(const std::string& file, const Limits& limits) {
    const std::string_view name = file_name_of(file);
    if (!may_stand_for_long_name(name)) {
        return std::string();
    }
    const std::shared_ptr<const Result<NameMapping>> mapping = of_folder(folder_of(file), limits);
    if (!*mapping) {
        return mapping->error();
    }
    const auto real_name = (*mapping)->find(name);
    return real_name != (*mapping)->end() ? real_name->second : std::string();
}

}  // namespace opdebug::tree

#include "tree/mapping.hpp"

#include <opdebug/bytes.hpp>
#include <opdebug/tree.hpp>

#include "bytes/file.hpp"
#include "tree/folder.hpp"
#include "tree/number.hpp"

namespace opdebug::tree {

NameMapping parse_mapping(std::string_view text) {
    NameMapping mapping;
    while (!text.empty()) {
        const std::size_t line_end = text.find('\n');
        std::string_view line = text.substr(0, line_end);
        text = line_end == std::string_view::npos ? std::string_view() : text.substr(line_end + 1);
        if (!line.empty() && line.back() == '\r') {
            line.remove_suffix(1);
        }
        const std::size_t comma = line.find(',');
        if (comma != std::string_view::npos && comma + 1 < line.size() && is_decimal(line.substr(0, comma))) {
            mapping.emplace(line.substr(0, comma), line.substr(comma + 1));
        }
    }
    return mapping;
}

Result<NameMapping> read_mapping(const std::string& folder, const Limits& limits) {
    const auto content = bytes::read_file(join_path(folder, "mapping.csv"), limits, &Limits::mapping_bytes,
                                          ErrorCode::mapping_too_large);
    if (content) {
        return parse_mapping(Bytes(*content).text());
    }
    return content.error().code == ErrorCode::file_not_found ? Result<NameMapping>(NameMapping()) : content.error();
}

Result<std::string> real_name_of(const std::string& file, const Limits& limits) {
    const std::string_view name = file_name_of(file);
    if (!is_decimal(name)) {
        return std::string();
    }
    const Result<NameMapping> mapping = read_mapping(folder_of(file), limits);
    if (!mapping) {
        return mapping.error();
    }
    const auto real_name = mapping->find(name);
    return real_name != mapping->end() ? real_name->second : std::string();
}

Diagnostic mapping_remark(const Error& error) {
    return {Severity::warning, std::string(to_string(error.code)),
            "the real name of this file is not known, for the list of long names cannot be used: " + to_string(error)};
}

}  // namespace opdebug::tree

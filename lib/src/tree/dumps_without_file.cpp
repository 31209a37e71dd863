#include "tree/dumps_without_file.hpp"

#include <fmt/format.h>

namespace opdebug::tree {

void DumpsWithoutFile::add(const std::string& path, EntryKind kind) {
    (kind == EntryKind::nothing ? dangling_links_ : special_files_).add(path);
}

void DumpsWithoutFile::tell(std::vector<Diagnostic>& diagnostics) const {
    if (dangling_links_.count != 0) {
        diagnostics.push_back(
            {Severity::warning, "dangling_links",
             fmt::format("links named like overflow dumps that lead nowhere: {}, for example {}; they are counted as "
                         "other files: copy the dumps that they stood for",
                         dangling_links_.count, dangling_links_.first)});
    }
    if (special_files_.count != 0) {
        diagnostics.push_back({Severity::warning, "special_files",
                               fmt::format("pipes, sockets or devices named like overflow dumps: {}, for example {}; "
                                           "they are counted as other files and not read",
                                           special_files_.count, special_files_.first)});
    }
}

}  // namespace opdebug::tree

#include "tree/numbered_files.hpp"

#include <fmt/format.h>

#include "tree/folder.hpp"

namespace opdebug::tree {

void NumberedFiles::add(const std::string& folder, std::string_view name, NameKind kind, const NameReader& names) {
    if (kind == NameKind::unnamed) {
        unnamed_.add(join_path(folder, name));
    }
    if (names.has_several_names(name)) {
        several_names_.add(join_path(folder, name));
    }
}

void NumberedFiles::tell(std::vector<Diagnostic>& diagnostics) const {
    if (unnamed_.count != 0) {
        diagnostics.push_back(
            {Severity::warning, "unnamed_files",
             fmt::format("files called by numbers that the mapping.csv beside them does not name: {}, for example {}; "
                         "they are counted as other files: if one is a dump, name the file itself, or mend the list",
                         unnamed_.count, unnamed_.first)});
    }
    if (several_names_.count != 0) {
        diagnostics.push_back({Severity::warning, "several_names",
                               fmt::format("files called by numbers to which lines of the mapping.csv beside them give "
                                           "different names: {}, for example {}; the first name is used",
                                           several_names_.count, several_names_.first)});
    }
}

}  // namespace opdebug::tree

// Files that are called by numbers, and what the mapping.csv beside them leaves open.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <opdebug/result.hpp>

#include "tree/noted.hpp"
#include "tree/walk_folder.hpp"

namespace opdebug::tree {

class NumberedFiles {
public:
    /// Notes the file if something is to be said of it. `kind`: what `names` said of its name.
    void add(const std::string& folder, std::string_view name, NameKind kind, const NameReader& names);

    /// unnamed_files and several_names (docs/json-output.md, "Diagnostics").
    void tell(std::vector<Diagnostic>& diagnostics) const;

private:
    Noted unnamed_;
    Noted several_names_;
};

}  // namespace opdebug::tree

// Names of overflow dumps behind which no file stands: other files, of which is told.
#pragma once

#include <string>
#include <vector>

#include <opdebug/result.hpp>

#include "tree/folder.hpp"
#include "tree/noted.hpp"

namespace opdebug::tree {

class DumpsWithoutFile {
public:
    /// `kind`: nothing where a link leads nowhere; other for a pipe, socket or device.
    void add(const std::string& path, EntryKind kind);

    /// dangling_links and special_files (docs/json-output.md, "Diagnostics").
    void tell(std::vector<Diagnostic>& diagnostics) const;

private:
    Noted dangling_links_;
    Noted special_files_;
};

}  // namespace opdebug::tree

// When dumping began below the {time} folders of a tree, as the names of its overflow dumps tell: one right behind its
// folder tells the zone of all dumps below that.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/scan.hpp>

#include "tree/walk.hpp"

namespace opdebug::scan_stage {

/// When the first dump was written (UTC microseconds). Nothing where no name tells.
using FirstDump = std::optional<std::uint64_t>;

/// Whether anybody asks: dumps are brought to the clock of logs, by a zone that the user did not give.
bool asks_for_first_dumps(const ScanOptions& options) noexcept;

/// The first dumps of {time} folders, by the folder's path (tree::time_folder_of_file()).
class FirstDumps {
public:
    void note(const std::string& time_folder, std::string_view name);
    FirstDump of(const std::string& time_folder) const;

private:
    std::map<std::string, FirstDump> by_folder_;
};

/// For each of Walk::folders: the first dump below the same {time} folder. Nothing where it lies below none.
std::vector<FirstDump> first_dumps_of(const std::vector<tree::WalkedFolder>& folders);

}  // namespace opdebug::scan_stage

// Dumps that may be earlier than the one that is listed as the first.
#pragma once

#include <cstddef>
#include <string>

#include <opdebug/scan_overview.hpp>

namespace opdebug::scan_stage {

/// "node-7:dump/rank_0/…": hosts with disks of their own have equal paths.
std::string show_dump(const std::string& host, const ScanItem& item);

/// The dumps that may be first for one reason: how many, and the first few in words.
struct Rivals {
    static constexpr std::size_t kMostNames = 3;
    std::size_t count = 0;
    std::string names;

    void add(const std::string& dump, const std::string& remark);
    /// The same, in words only where it is named.
    void add(const std::string& host, const ScanItem& item, const std::string& remark);
    /// Further ones without a name: the first few are named.
    void add_nameless(std::size_t further);
};

}  // namespace opdebug::scan_stage

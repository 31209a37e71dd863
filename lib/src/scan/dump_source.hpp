// The source of a dump in a tree: the rank, device and process that wrote it, and whose clock its time comes from.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/scan.hpp>

namespace opdebug::scan_stage {

/// Times of one source are in order; the clocks of two sources may differ.
struct DumpSource {
    std::optional<std::uint64_t> rank, device_id;
    std::optional<std::string> time;  ///< the {time} folder: one for each process
    std::string root;                 ///< the path above the folders with ids
    std::string host;                 ///< the machine with the file system of the dumps; empty: unknown

    // NOLINTNEXTLINE(modernize-use-nullptr): the check takes the comparison with 0 for one of pointers
    std::strong_ordering operator<=>(const DumpSource&) const = default;
};

DumpSource source_of(const ScanItem& item);

/// The rank and device over restarts: without the {time} folder.
DumpSource device_of(DumpSource source);

/// Numbers of sources.
struct SourceNumbers {
    std::uint32_t source = 0;
    std::uint32_t device = 0;  ///< device_of() the source
};

/// Numbers the sources of dumps: groups compare them for each dump.
class SourceTable {
public:
    /// `sharing_hosts`: hosts that scanned shards of one tree, so their names do not show where a dump was written.
    explicit SourceTable(std::set<std::string, std::less<>> sharing_hosts = {})
        : sharing_hosts_(std::move(sharing_hosts)) {}

    SourceNumbers add(const ScanItem& item);
    const DumpSource& at(std::uint32_t number) const { return *sources_[number]; }

private:
    std::uint32_t number_of(DumpSource source);

    std::set<std::string, std::less<>> sharing_hosts_;
    std::map<DumpSource, SourceNumbers> added_;
    std::map<DumpSource, std::uint32_t> numbers_;  ///< of sources and devices
    std::vector<const DumpSource*> sources_;
};

}  // namespace opdebug::scan_stage

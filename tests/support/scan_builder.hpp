// A scan's report without a scan: dumps, groups and remarks as a test wants them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "report/scan/scan_page.hpp"

namespace opdebug::test {

constexpr std::uint64_t scan_start_us = 1'772'618'405'000'000;  ///< 2026-03-04 10:00:05 UTC

struct BuiltScan : ScanReport::Contents {
    BuiltScan() : Contents(ScanReportOptions()) {}

    /// Adds a dump and counts it.
    report::ScanEntry& add(DumpState state, const std::string& file);
    /// An overflowed one: rank (nothing: no rank folder), milliseconds after scan_start_us, causes.
    report::ScanEntry& add_overflow(const std::string& file, std::optional<std::uint64_t> rank,
                                    std::optional<std::uint64_t> milliseconds,
                                    const std::vector<std::string>& causes = {"ai_core.float_overflow"});
    /// The first overflow: a decoded AI Core dump with this status and operator.
    void set_first(const std::string& file, const std::string& operator_name, std::uint64_t status = 0x20);

    /// Reports what operators' dumps show: one chain of 30 dumps with names that try to be HTML, two of them listed.
    void add_chain();

    std::string text() const;
    std::string html() const;
};

/// Four ranks, 24 overflowed dumps, 4 clean and 3 failed ones, three groups, names that try to be HTML or to speak to
/// a terminal.
BuiltScan hostile_scan();

/// A file name that is HTML and a script.
inline const std::string script_name = "<script>document.title='ran'</script>";
inline const std::string attribute_name = "x\" onmouseover=\"document.title='ran'";

}  // namespace opdebug::test

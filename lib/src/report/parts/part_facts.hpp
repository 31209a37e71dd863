// What a partial report tells of the scan as a whole, so that a merged one can tell it of all scans.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/scan.hpp>

namespace opdebug::report {

/// Which part of which scan it is.
struct PartName {
    std::string id;    ///< 16 hex digits over all that it holds: the same part twice has the same
    std::string host;  ///< empty: unknown
    std::vector<std::string> inputs;
    std::optional<ScanShard> shard;
    ScannedTree tree;
    /// The part was cut, and so many of its first dumps are there, or more; nothing: it is whole.
    std::optional<std::uint64_t> cut;
};

/// Behind the part's dumps. A part that was cut tells nothing of it.
struct PartFacts {
    PartName name;
    std::uint64_t op_dumps = 0, other_files = 0;
    bool complete = true;
    /// Dumps that count without being told, for the part was an ordinary report: see opdebug/merge.hpp.
    std::uint64_t unlisted_overflowed = 0, unlisted_clean = 0;
    ScanDamage damage;
    std::vector<Error> failures;          ///< paths and folders, not dumps
    std::vector<Diagnostic> diagnostics;  ///< without those on damage
    std::optional<ScanApiDumps> api;      ///< nothing: the scan saw no API dump
};

/// Of a scan that has ended; the id is empty.
PartFacts facts_of(const Scan& scan, const std::string& host);

}  // namespace opdebug::report

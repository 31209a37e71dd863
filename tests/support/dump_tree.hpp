// Scanning a tree and what the tests check in the result.
#pragma once

#include <string>
#include <vector>

#include <opdebug/scan.hpp>

namespace opdebug::test {

/// A scan with everything it handed out.
struct Scanned {
    Scan scan;
    std::vector<ScannedDump> dumps;
};

/// Scans; fails the test when a path is not there.
Scanned scan_tree(const std::vector<std::string>& paths, const ScanOptions& options = {});

/// "state path" for each dump in the order they were handed out, paths without `root`.
std::vector<std::string> shown(const Scanned& scanned, const std::string& root);

/// "dumps overflowed clean failed op_dumps other_files".
std::string shown(const ScanCounts& counts);

}  // namespace opdebug::test

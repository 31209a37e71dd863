// Scanning a tree and what the tests check in the result.
#include "dump_tree.hpp"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace opdebug::test {

Scanned scan_tree(const std::vector<std::string>& paths, const ScanOptions& options) {
    Scanned scanned;
    Result<Scan> result =
        scan(paths, options, [&scanned](ScannedDump&& dump) { scanned.dumps.push_back(std::move(dump)); });
    if (!result) {
        throw std::runtime_error(to_string(result.error()));
    }
    scanned.scan = std::move(result).value();
    return scanned;
}

std::vector<std::string> shown(const Scanned& scanned, const std::string& root) {
    std::vector<std::string> lines;
    lines.reserve(scanned.dumps.size());
    for (const ScannedDump& dump : scanned.dumps) {
        const bool below = dump.file.compare(0, root.size(), root) == 0;
        lines.push_back(fmt::format("{} {}", to_string(dump.state), below ? dump.file.substr(root.size()) : dump.file));
    }
    return lines;
}

std::string shown(const ScanCounts& counts) {
    return fmt::format("{} {} {} {} {} {}", counts.dumps, counts.overflowed, counts.clean, counts.failed,
                       counts.op_dumps, counts.other_files);
}

}  // namespace opdebug::test

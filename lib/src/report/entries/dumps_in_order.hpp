// The dumps of a report in its order, whether they are in memory or read from other reports.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include <opdebug/result.hpp>

#include "report/entries/scan_entry.hpp"

namespace opdebug::report {

enum class KeptText { document, rows };

/// A dump while it is its turn.
struct DumpInOrder {
    const ScanEntry& entry;
    /// What was kept of it; empty: nothing. Holds until the next call. Error: read_failed.
    std::function<Result<std::string_view>(KeptText)> text;
};

/// Takes a dump; false: no more are wanted.
using UseDump = std::function<bool(const DumpInOrder&)>;

class DumpsInOrder {
public:
    virtual ~DumpsInOrder() = default;
    /// Hands out every dump. Error: read_failed.
    virtual std::optional<Error> each(const UseDump& use) const = 0;
};

}  // namespace opdebug::report

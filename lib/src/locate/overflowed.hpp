// The records of a dump that overflowed: what is looked up, and in which order.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <opdebug/dump.hpp>

namespace opdebug::locate_stage {

/// A record that overflowed, with the time of the dump that holds it.
struct OverflowedRecord {
    const Record* record = nullptr;
    std::optional<std::uint64_t> timestamp_us;
};

/// Pointers lead into `dump`. The last of DHA, L2 and AI Core leads, as in the official converter's summary.
std::vector<OverflowedRecord> overflowed_records(const Dump& dump);

}  // namespace opdebug::locate_stage

// Where in a tree a dump was written: the rank, device and process whose clock its time comes from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <opdebug/scan.hpp>

namespace opdebug::scan_stage {

/// Times of one place are in order; those of two places come from clocks that need not agree.
struct Place {
    std::string host;  ///< the machine whose file system holds the dump; empty: unknown
    std::string root;  ///< the path above the rank's or the time's folder; without these, the folder of the dump
    std::optional<std::uint64_t> rank, device_id;
    std::optional<std::string> time;  ///< the {time} folder: one for each process

    bool operator==(const Place& other) const;
    bool operator<(const Place& other) const;
};

Place place_of(const ScanItem& item);

/// The same without the process: a rank and device over restarts.
Place device_of(const ScanItem& item);

}  // namespace opdebug::scan_stage

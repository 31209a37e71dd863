// Where in a tree a dump was written: the rank, device and process whose clock its time comes from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/scan_overview.hpp>

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

/// The same in texts of others: groups ask for the place of every dump.
struct PlaceView {
    std::string_view host, root;
    std::optional<std::uint64_t> rank, device_id;
    std::optional<std::string_view> time;
};
PlaceView view_of(const Place& place);
PlaceView view_of(const ScanItem& item);

Place place_of(const ScanItem& item);

/// A rank and device over restarts: without the {time} folder, and without the dump server's pid{pid}/device{id} in the
/// root.
Place without_process(Place place);

/// That of the item.
Place device_of(const ScanItem& item);

}  // namespace opdebug::scan_stage

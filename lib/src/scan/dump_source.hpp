// Where in a tree a dump was written: the rank, device and process whose clock its time comes from.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <opdebug/scan_overview.hpp>

namespace opdebug::scan_stage {

/// The path above the folder of the rank, or without one of the time, and above the step's folder where that lies
/// directly above it. Without both, the folder of the dump. Where a link or the working folder hides the folder, it is
/// the path above what its layout has below it, so links side by side are several; empty where these do not show it.
std::string_view root_of(const ScanItem& item);

/// The folder of a run: {time}, which each process has, or msprobe's {time stamp} in rank_{r}/{time stamp}/step_{s}.
std::optional<std::string_view> run_folder_of(const ScanItem& item);

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

struct PlaceNumbers {
    std::uint32_t place = 0;
    std::uint32_t device = 0;                     ///< the place without its process: over restarts
    std::optional<std::uint32_t> device_of_host;  ///< host and device alone; nothing where one of them is not known
    std::uint32_t run = 0;  ///< a job's run: the place without rank and device. Restarts are other runs
};

class KnownPlaces {
public:
    /// `sharing_hosts`: they scanned shares of one tree, so their names do not tell where a dump was written.
    explicit KnownPlaces(std::set<std::string, std::less<>> sharing_hosts = {})
        : sharing_hosts_(std::move(sharing_hosts)) {}

    /// The numbers of the item's place, which is known from now on.
    PlaceNumbers numbers_of(const ScanItem& item);

    const Place& at(std::uint32_t number) const { return *places_[number].place; }
    /// The number of the device of a place that numbers_of() gave.
    std::uint32_t device_of(std::uint32_t place) const { return places_[place].numbers->device; }

private:
    /// Numbers first: most places differ in them.
    struct ByParts {
        using is_transparent = void;
        bool operator()(const Place& a, const Place& b) const { return is_less(view_of(a), view_of(b)); }
        bool operator()(const Place& a, const PlaceView& b) const { return is_less(view_of(a), b); }
        bool operator()(const PlaceView& a, const Place& b) const { return is_less(a, view_of(b)); }

    private:
        static bool is_less(const PlaceView& a, const PlaceView& b) {
            return std::tie(a.rank, a.device_id, a.time, a.root, a.host) <
                   std::tie(b.rank, b.device_id, b.time, b.root, b.host);
        }
    };
    struct Known {
        const Place* place = nullptr;
        std::optional<PlaceNumbers> numbers;  ///< of the place of an item; nothing for devices and runs
    };

    std::uint32_t number_of(Place place);

    std::set<std::string, std::less<>> sharing_hosts_;
    std::map<Place, std::uint32_t, ByParts> known_;
    std::vector<Known> places_;
};

}  // namespace opdebug::scan_stage

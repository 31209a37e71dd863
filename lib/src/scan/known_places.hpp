// Places by numbers: groups ask for them with every dump, and a place's names are long.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "scan/place.hpp"

namespace opdebug::scan_stage {

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

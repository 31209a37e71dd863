// Places by numbers: groups ask for them with every dump, and a place's names are long.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "scan/place.hpp"

namespace opdebug::scan_stage {

struct PlaceNumbers {
    std::uint32_t place = 0;
    std::uint32_t device = 0;  ///< the place without its process: over restarts
    std::uint32_t run = 0;     ///< a job's run: the place without rank and device. Restarts are other runs
};

class KnownPlaces {
public:
    /// The numbers of the item's place, which is known from now on.
    PlaceNumbers numbers_of(const ScanItem& item);

    const Place& at(std::uint32_t number) const { return *places_[number]; }
    /// The number of the device of a place that numbers_of() gave.
    std::uint32_t device_of(std::uint32_t place) const { return numbers_[place].device; }

private:
    std::uint32_t number_of(Place place);

    std::map<Place, std::uint32_t> known_;
    std::vector<const Place*> places_;
    std::vector<PlaceNumbers> numbers_;  ///< of the places of items; of devices and runs only the place
    std::optional<Place> last_;          ///< dumps of one place often follow each other
    PlaceNumbers last_numbers_;
};

}  // namespace opdebug::scan_stage

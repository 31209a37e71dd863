#include "scan/known_places.hpp"

#include <utility>

namespace opdebug::scan_stage {

std::uint32_t KnownPlaces::number_of(Place place) {
    const auto [known, added] = known_.emplace(std::move(place), static_cast<std::uint32_t>(places_.size()));
    if (added) {
        places_.push_back(&known->first);
        numbers_.push_back({known->second, known->second, known->second});
    }
    return known->second;
}

PlaceNumbers KnownPlaces::numbers_of(const ScanItem& item) {
    Place place = place_of(item);
    if (last_ && *last_ == place) {
        return last_numbers_;
    }
    Place device = place, run = place;
    device.time.reset();
    run.rank.reset();
    run.device_id.reset();
    last_ = place;
    last_numbers_.place = number_of(std::move(place));
    last_numbers_.device = number_of(std::move(device));
    last_numbers_.run = number_of(std::move(run));
    numbers_[last_numbers_.place] = last_numbers_;
    return last_numbers_;
}

}  // namespace opdebug::scan_stage

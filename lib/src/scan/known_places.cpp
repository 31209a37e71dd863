#include "scan/known_places.hpp"

#include <utility>

namespace opdebug::scan_stage {

std::uint32_t KnownPlaces::number_of(Place place) {
    const auto [known, added] = known_.emplace(std::move(place), static_cast<std::uint32_t>(places_.size()));
    if (added) {
        places_.push_back({&known->first, std::nullopt});
    }
    return known->second;
}

PlaceNumbers KnownPlaces::numbers_of(const ScanItem& item) {
    const auto known = known_.find(view_of(item));
    if (known != known_.end() && places_[known->second].numbers) {
        return *places_[known->second].numbers;
    }
    Place place = place_of(item);
    Place device = place, run = place;
    device.time.reset();
    run.rank.reset();
    run.device_id.reset();
    PlaceNumbers numbers;
    numbers.place = number_of(std::move(place));
    numbers.device = number_of(std::move(device));
    numbers.run = number_of(std::move(run));
    places_[numbers.place].numbers = numbers;
    return numbers;
}

}  // namespace opdebug::scan_stage

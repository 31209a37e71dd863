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
    PlaceView view = view_of(item);
    if (sharing_hosts_.count(view.host) != 0) {
        view.host = {};
    }
    const auto known = known_.find(view);
    if (known != known_.end() && places_[known->second].numbers) {
        return *places_[known->second].numbers;
    }
    Place place = place_of(item);
    place.host = view.host;
    Place device = without_process(place);
    Place run = place;
    run.rank.reset();
    run.device_id.reset();
    PlaceNumbers numbers;
    if (!place.host.empty() && place.device_id) {
        numbers.device_of_host = number_of({place.host, "", std::nullopt, place.device_id, std::nullopt});
    }
    numbers.place = number_of(std::move(place));
    numbers.device = number_of(std::move(device));
    numbers.run = number_of(std::move(run));
    places_[numbers.place].numbers = numbers;
    return numbers;
}

}  // namespace opdebug::scan_stage

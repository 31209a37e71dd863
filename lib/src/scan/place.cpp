#include "scan/place.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "scan/place_root.hpp"
#include "tree/number.hpp"

namespace opdebug::scan_stage {
namespace {

bool is_numbered(std::string_view folder, std::string_view prefix) {
    return folder.substr(0, prefix.size()) == prefix && tree::parse_number(folder.substr(prefix.size()));
}

/// Where pid{pid}/device{id} begins in a root, else its end.
std::size_t end_above_process(std::string_view root) {
    std::size_t before = std::string_view::npos;  // where a folder of a process begins, with this one below it
    for (std::size_t begin = 0; begin < root.size();) {
        const std::size_t end = std::min(root.find('/', begin), root.size());
        const std::string_view folder = root.substr(begin, end - begin);
        if (before != std::string_view::npos && is_numbered(folder, "device")) {
            return before;
        }
        before = is_numbered(folder, "pid") ? begin : std::string_view::npos;
        begin = end + 1;
    }
    return root.size();
}

auto parts_of(const Place& place) {
    return std::tie(place.host, place.root, place.rank, place.device_id, place.time);
}

}  // namespace

bool Place::operator==(const Place& other) const {
    return parts_of(*this) == parts_of(other);
}

bool Place::operator<(const Place& other) const {
    return parts_of(*this) < parts_of(other);
}

PlaceView view_of(const Place& place) {
    return {place.host, place.root, place.rank, place.device_id, place.time};
}

PlaceView view_of(const ScanItem& item) {
    return {item.host, root_of(item), item.path_ids.rank, item.path_ids.device_id, run_folder_of(item)};
}

Place place_of(const ScanItem& item) {
    const auto run = run_folder_of(item);
    return {item.host, std::string(root_of(item)), item.path_ids.rank, item.path_ids.device_id,
            run ? std::optional<std::string>(*run) : std::nullopt};
}

Place without_process(Place place) {
    place.time.reset();
    place.root.resize(end_above_process(place.root));
    return place;
}

Place device_of(const ScanItem& item) {
    return without_process(place_of(item));
}

}  // namespace opdebug::scan_stage

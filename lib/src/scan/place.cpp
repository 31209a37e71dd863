#include "scan/place.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "tree/number.hpp"

namespace opdebug::scan_stage {
namespace {

/// Where the last folder of that name begins; npos when the path, relative as it may be, does not show it. Folder by
/// folder from the end: a search for the text took ten times as long, and groups ask it of every dump.
std::size_t find_folder(std::string_view path, std::string_view name) {
    for (std::size_t end = path.rfind('/'); end != std::string_view::npos && end != 0;) {
        const std::size_t slash = path.rfind('/', end - 1);
        const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
        if (path.substr(begin, end - begin) == name) {
            return begin;
        }
        end = slash;
    }
    return std::string_view::npos;
}

std::string_view root_of(const ScanItem& item) {
    const std::string_view path = item.file;
    const PathIds& ids = item.path_ids;
    if (!ids.rank && !ids.time) {
        const std::size_t slash = path.rfind('/');
        return path.substr(0, slash == std::string_view::npos ? 0 : slash);
    }
    const std::size_t folder =
        ids.rank ? find_folder(path, "rank_" + std::to_string(*ids.rank)) : find_folder(path, *ids.time);
    return path.substr(0, folder == std::string_view::npos ? 0 : folder);
}

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
    return {item.host, root_of(item), item.path_ids.rank, item.path_ids.device_id, item.path_ids.time};
}

Place place_of(const ScanItem& item) {
    return {item.host, std::string(root_of(item)), item.path_ids.rank, item.path_ids.device_id, item.path_ids.time};
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

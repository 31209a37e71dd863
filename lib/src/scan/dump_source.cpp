#include "scan/dump_source.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "tree/name.hpp"
#include "tree/path_ids.hpp"

namespace opdebug::scan_stage {
namespace {

/// The path above the nearest folder that meets the condition.
template <class Condition>
std::optional<std::string_view> above_nearest(std::string_view path, Condition is_wanted) {
    for (std::size_t end = path.rfind('/'); end != std::string_view::npos && end != 0;) {
        const std::size_t slash = path.rfind('/', end - 1);
        const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
        if (is_wanted(path.substr(begin, end - begin))) {
            return path.substr(0, begin);
        }
        end = slash;
    }
    return std::nullopt;
}

/// "rank_3", "worldsize8_global_rank3" or "rank3".
bool is_folder_of_rank(std::string_view folder, std::uint64_t rank) {
    constexpr std::string_view kRank = "rank";
    return tree::rank_of_folder(folder) == rank ||
           (folder.starts_with(kRank) && tree::parse_number(folder.substr(kRank.size())) == rank);
}

}  // namespace

std::string_view root_of(const ScanItem& item) {
    const PathIds& ids = item.path_ids;
    const std::string_view path = item.file;
    const std::size_t slash = path.rfind('/');
    const std::string_view folder_of_dump = path.substr(0, slash == std::string_view::npos ? 0 : slash);
    if (!ids.rank && !ids.time) {
        return folder_of_dump;
    }
    const auto above = above_nearest(path, [&ids](std::string_view folder) {
        return ids.rank ? is_folder_of_rank(folder, *ids.rank) : folder == *ids.time;
    });
    if (!above) {
        return folder_of_dump;
    }
    std::string_view root = *above;
    // Steps of a rank or device are one source.
    const std::string step = ids.data_index ? fmt::format("step{}/", *ids.data_index) : "/";
    if (root == step || root.ends_with("/" + step)) {
        root.remove_suffix(step.size());
    }
    return root;
}

DumpSource source_of(const ScanItem& item) {
    const PathIds& ids = item.path_ids;
    return {ids.rank, ids.device_id, ids.time, std::string(root_of(item)), item.host};
}

DumpSource device_of(DumpSource source) {
    source.time.reset();
    return source;
}

std::uint32_t SourceTable::number_of(DumpSource source) {
    const auto [entry, is_new] = numbers_.emplace(std::move(source), static_cast<std::uint32_t>(sources_.size()));
    if (is_new) {
        sources_.push_back(&entry->first);
    }
    return entry->second;
}

SourceNumbers SourceTable::add(const ScanItem& item) {
    DumpSource source = source_of(item);
    if (sharing_hosts_.count(source.host) != 0) {
        source.host.clear();
    }
    const auto [entry, is_new] = added_.try_emplace(source);
    SourceNumbers& numbers = entry->second;
    if (is_new) {
        numbers.device = number_of(device_of(source));
        if (!source.host.empty() && source.device_id) {
            numbers.device_of_host = number_of({std::nullopt, source.device_id, std::nullopt, "", source.host});
        }
        numbers.source = number_of(source);
        source.rank.reset();
        source.device_id.reset();
        numbers.run = number_of(std::move(source));
    }
    return numbers;
}

}  // namespace opdebug::scan_stage

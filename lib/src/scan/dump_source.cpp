#include "scan/dump_source.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "tree/path_ids.hpp"

namespace opdebug::scan_stage {
DumpSource source_of(const ScanItem& item) {
    const PathIds& ids = item.path_ids;
    return {ids.rank, ids.device_id, ids.time, std::string(tree::match_folder_layouts(item.file).root), item.host};
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
        numbers.source = number_of(std::move(source));
    }
    return numbers;
}

}  // namespace opdebug::scan_stage

#include "logs/processes/process_facts.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <opdebug/tree.hpp>

#include "logs/lookup/devices.hpp"
#include "logs/processes/repeated_facts.hpp"
#include "tree/folder.hpp"
#include "tree/name.hpp"

namespace opdebug::logs {
namespace {

/// Where a fact belongs: in time order, then in the order of the files, then as it was kept. Of lines that a log and a
/// saved map contain the log's come first: they are the ones that are not dropped.
struct Rank {
    std::int64_t time_us = 0;
    bool is_saved = false;
    std::uint32_t file = 0;
    std::uint64_t line = 0;
    std::uint32_t place = 0;  ///< among the facts as they were kept
    // NOLINTNEXTLINE(modernize-use-nullptr): the check takes the comparison with 0 for one of pointers
    friend auto operator<=>(const Rank&, const Rank&) = default;
};

/// The order in which facts were kept is not that of their lines: a launch line is kept when its submit line comes.
/// Only ranks are sorted, then each fact, which is large, is moved once.
void sort_by_time(StoredFacts& facts) {
    std::vector<Rank> ranks;
    ranks.reserve(facts.size());
    for (const StoredFact& fact : facts) {
        ranks.push_back({fact.time_us, fact.from_saved_map, fact.place.file, fact.place.line,
                         static_cast<std::uint32_t>(ranks.size())});
    }
    if (std::is_sorted(ranks.begin(), ranks.end())) {
        return;
    }
    std::sort(ranks.begin(), ranks.end());
    StoredFacts sorted;
    for (const Rank& rank : ranks) {
        sorted.push_back(std::move(facts[rank.place]));
    }
    facts = std::move(sorted);
}

constexpr std::string_view kDevice = "device-";

/// The number of "device-<number>".
std::optional<std::uint64_t> device_number(std::string_view name) {
    return name.starts_with(kDevice) ? tree::parse_number(name.substr(kDevice.size())) : std::nullopt;
}

/// The largest group is that of all ranks, as far as the process shows it.
void add_rank(const Fact& fact, Process& process) {
    if (*fact.rank_count > process.rank_count) {
        process.rank = fact.rank;
        process.rank_count = *fact.rank_count;
        process.rank_group = fact.rank_group;
    } else if (*fact.rank_count == process.rank_count &&
               (process.rank != fact.rank || process.rank_group != fact.rank_group)) {
        process.rank.reset();
    }
}

}  // namespace

void index_places(Process& process) {
    process.rank.reset();
    process.rank_count = 0;
    std::vector<FactPlaces<TaskKey>::Entry> of_task;
    std::vector<FactPlaces<std::uint64_t>::Entry> of_stream;
    std::vector<FactPlaces<std::uint64_t>::Entry> of_model_end, of_ge_model_end;
    find_visible_devices(process);
    std::vector<std::uint32_t> set_ups;
    std::set<std::uint64_t> dump_folders;
    for (std::uint32_t place = 0; place < process.facts.size(); ++place) {
        const Fact& fact = process.facts[place].fact;
        if (fact.stream_id && fact.task_id) {
            of_task.push_back({{*fact.stream_id, *fact.task_id}, place});
        } else if (fact.stream_id) {
            of_stream.emplace_back(*fact.stream_id, place);
        }
        if (fact.kind == FactKind::model_end && fact.model_id) {
            of_model_end.emplace_back(*fact.model_id, place);
        }
        if (fact.kind == FactKind::model_end && fact.ge_model_id) {
            of_ge_model_end.emplace_back(*fact.ge_model_id, place);
        }
        if (fact.kind == FactKind::stream_open || fact.kind == FactKind::process_device) {
            set_ups.push_back(place);
        }
        if (fact.kind == FactKind::dump_folder && fact.dump_folder) {
            dump_folders.insert(*fact.dump_folder);
        }
        if (fact.kind == FactKind::process_rank) {
            add_rank(fact, process);
        }
    }
    find_stream_devices(process, set_ups);
    process.dump_folders.assign(dump_folders.begin(), dump_folders.end());
    process.of_task = FactPlaces<TaskKey>(std::move(of_task));
    process.of_stream = FactPlaces<std::uint64_t>(std::move(of_stream));
    process.of_model_end = FactPlaces<std::uint64_t>(std::move(of_model_end));
    process.of_ge_model_end = FactPlaces<std::uint64_t>(std::move(of_ge_model_end));
}

void index_facts(Process& process) {
    sort_by_time(process.facts);
    find_visible_devices(process);
    set_driver_numbers(process);
    drop_repeated_lines(process.facts);
    index_places(process);
    infer_devices(process);
}

std::string root_of(std::string_view path) {
    // "slog/host-0/host-0_*.log" is CANN's layout; "host-1/debug/plog" are the logs that a user collected from a host.
    const auto is_log_folder = [path](const std::string& whole) {
        const std::string_view folder = file_name_of(whole);
        const bool is_host =
            folder.starts_with("host-") && (file_name_of(path).starts_with(std::string(folder) + "_") ||
                                            file_name_of(tree::folder_of(whole)) == "slog");
        return folder == "plog" || folder == "debug" || folder == "run" || folder == "security" || is_host ||
               device_number(folder).has_value();
    };
    std::string folder = tree::folder_of(path);
    while (is_log_folder(folder)) {
        folder = tree::folder_of(folder);
    }
    return folder;
}

DevicePath device_path(std::string_view path) {
    DevicePath found;
    std::string folder = tree::folder_of(path);
    while (!found.device_id && !folder.empty()) {
        found.device_id = device_number(file_name_of(folder));
        std::string above = tree::folder_of(folder);
        if (above == folder) {
            break;
        }
        folder = std::move(above);
    }
    const std::string_view name = file_name_of(path);
    const auto number = device_number(name.substr(0, name.find('_')));
    constexpr std::uint64_t kMostPids = 1ULL << 31U;
    constexpr std::uint64_t kMostDevices = 64;  // a larger number in the name of a file alone is no device
    if (number && *number < kMostPids && (found.device_id ? number != found.device_id : *number >= kMostDevices)) {
        found.host_pid = static_cast<std::int64_t>(*number);
    }
    return found;
}

void append(Process& process, Process&& further) {
    const bool has_range = process.last_time_us != 0;
    process.first_time_us = has_range ? std::min(process.first_time_us, further.first_time_us) : further.first_time_us;
    process.last_time_us = std::max(process.last_time_us, further.last_time_us);
    process.states_anything = process.states_anything || further.states_anything;
    process.without_host_lines = process.without_host_lines && further.without_host_lines;
    process.own_logs.insert(process.own_logs.end(), further.own_logs.begin(), further.own_logs.end());
    process.facts.insert(process.facts.end(), std::make_move_iterator(further.facts.begin()),
                         std::make_move_iterator(further.facts.end()));
}

}  // namespace opdebug::logs

#include "logs/process_facts.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include <opdebug/tree.hpp>

#include "logs/device_of_lines.hpp"
#include "logs/repeated_lines.hpp"
#include "tree/folder.hpp"
#include "tree/number.hpp"

namespace opdebug::logs {
namespace {

/// In time order, then in the order of the files. The order in which facts were kept is not that of their lines: a
/// launch line is kept when its submit line comes.
bool is_before(const StoredFact& a, const StoredFact& b) {
    return std::tie(a.time_us, a.place.file, a.place.line) < std::tie(b.time_us, b.place.file, b.place.line);
}

constexpr std::string_view kDevice = "device-";

/// The number of "device-<number>".
std::optional<std::uint64_t> device_number(std::string_view name) {
    return name.starts_with(kDevice) ? tree::parse_number(name.substr(kDevice.size())) : std::nullopt;
}

}  // namespace

void index_facts(Process& process) {
    std::stable_sort(process.facts.begin(), process.facts.end(), is_before);
    drop_repeated_lines(process.facts);
    process.facts.shrink_to_fit();
    std::vector<FactPlaces<TaskKey>::Entry> of_task;
    std::vector<FactPlaces<std::uint64_t>::Entry> of_stream;
    std::vector<FactPlaces<std::uint64_t>::Entry> of_model_end;
    process.run_begins.clear();
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
        if (fact.kind == FactKind::run_begin) {
            process.run_begins.push_back(process.facts[place].time_us);
        }
    }
    process.of_task = FactPlaces<TaskKey>(std::move(of_task));
    process.of_stream = FactPlaces<std::uint64_t>(std::move(of_stream));
    process.of_model_end = FactPlaces<std::uint64_t>(std::move(of_model_end));
    infer_devices(process);
}

std::string root_of(std::string_view path) {
    const auto is_log_folder = [](std::string_view folder) {
        return folder == "plog" || folder == "debug" || folder == "run" || folder == "security" ||
               folder.starts_with("device-") || folder.starts_with("host-");
    };
    std::string folder = tree::folder_of(path);
    while (is_log_folder(file_name_of(folder))) {
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
    if (found.device_id && number && number != found.device_id && *number < kMostPids) {
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
    process.facts.insert(process.facts.end(), std::make_move_iterator(further.facts.begin()),
                         std::make_move_iterator(further.facts.end()));
}

}  // namespace opdebug::logs

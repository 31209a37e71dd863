#include "logs/saved_map/read_maps.hpp"

#include <algorithm>
#include <utility>

#include "logs/facts/task_map.hpp"
#include "logs/files/log_files.hpp"
#include "logs/processes/process_facts.hpp"
#include "remarks/diagnose.hpp"
#include "tree/folder.hpp"

namespace opdebug::logs {
namespace {

/// Logs that are held against others, which takes some seconds: two thousand hosts that have eight processes of the
/// same ids each need less. Others are treated as known ones.
constexpr std::uint64_t kMostCompared = std::uint64_t{64} << 20U;

}  // namespace

SameProcesses::SameProcesses(const std::vector<SavedMap>& maps) : maps_(maps) {
    for (const SavedMap& map : maps) {
        std::map<KeyInMap, std::uint32_t>& hosts = hosts_.emplace_back();
        if (maps.size() > 1) {  // a single map distinguishes its hosts itself
            add(processes_of(map), hosts);
        }
    }
}

HostsOfWriters SameProcesses::hosts_of(std::size_t map, std::uint32_t file) const {
    HostsOfWriters hosts;
    const SavedFile& saved = maps_[map].tables().files[file];
    for (const SavedWriter& writer : saved.writers) {
        const auto found = hosts_[map].find(key_of(saved, writer));
        hosts[writer.writer] = found != hosts_[map].end() ? found->second : writer.host;
    }
    return hosts;
}

SameProcesses::KeyInMap SameProcesses::key_of(const SavedFile& file, const SavedWriter& writer) {
    const bool on_device = writer.writer.on_device;
    return {{writer.writer.pid, on_device, on_device ? tree::folder_of(file.path) : root_of(file.path)}, writer.host};
}

SameProcesses::Processes SameProcesses::processes_of(const SavedMap& map) {
    Processes processes;
    for (const SavedFile& file : map.tables().files) {
        const auto number = static_cast<std::uint32_t>(files_.size());
        files_.push_back(file.path);
        const std::optional<std::int64_t> own_pid = process_of_log_path(file.path);
        for (const SavedWriter& writer : file.writers) {
            Process& process = processes[key_of(file, writer)];
            const WriterLines& lines = writer.lines;
            if (!lines.first_time_us || !lines.last_time_us) {
                continue;
            }
            process.first_us = std::min(process.first_us.value_or(*lines.first_time_us), *lines.first_time_us);
            if (!writer.writer.on_device && own_pid == writer.writer.pid) {
                process.own_logs.push_back({number, *lines.first_time_us, *lines.last_time_us});
            }
        }
    }
    return processes;
}

bool SameProcesses::may_compare(std::uint64_t pairs) noexcept {
    compared_ += 1 + pairs;
    return compared_ <= kMostCompared;
}

/// None where all of them were written to at the same time.
SameProcesses::Nearest SameProcesses::find(std::vector<Known>& known, const Candidate& candidate) {
    const auto& [pid, on_device, folder] = candidate.key->first;
    if (on_device) {
        return {&known.front(), {}, false};
    }
    Nearest nearest;
    std::size_t possible = 0;
    for (Known& other : known) {
        if (other.is_taken) {
            continue;
        }
        if (!may_compare(other.logs.pairs_with(candidate.logs))) {
            guessed_ = guessed_ ? guessed_ : pid;
            return {&known.front(), {}, false};
        }
        const OwnLogs::Relation relation = other.logs.relation_to(candidate.logs);
        if (relation.kinship == OwnLogs::Kinship::one_log) {
            return {&other, {}, true};
        }
        if (relation.kinship == OwnLogs::Kinship::at_once) {
            continue;
        }
        ++possible;
        const Distance away{true, relation.distance_us, distance_us(other.first_us, candidate.first_us)};
        if (nearest.known == nullptr || away < nearest.distance) {
            nearest = {&other, away, true};
        }
    }
    if (possible > 1 && !guessed_) {
        guessed_ = pid;
    }
    return nearest;
}

/// The nearest ones first: where two processes of the map may go on one, the other one goes on another, or on none.
void SameProcesses::add(const Processes& processes, std::map<KeyInMap, std::uint32_t>& hosts) {
    std::vector<Candidate> candidates;
    for (const auto& [key, process] : processes) {
        Candidate candidate{&key, process.first_us.value_or(0), OwnLogs(process.own_logs, files_), {}};
        if (const auto known = known_.find(key.first); known != known_.end()) {
            candidate.nearest = find(known->second, candidate);
        }
        candidates.push_back(std::move(candidate));
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.nearest.distance < b.nearest.distance; });
    for (Candidate& candidate : candidates) {
        Nearest& nearest = candidate.nearest;
        if (nearest.known != nullptr && nearest.is_only && nearest.known->is_taken) {
            guessed_ = guessed_ ? guessed_ : std::get<std::int64_t>(candidate.key->first);
            nearest = find(known_.find(candidate.key->first)->second, candidate);
        }
        if (nearest.known != nullptr) {
            hosts[*candidate.key] = nearest.known->host;
            nearest.known->is_taken = nearest.known->is_taken || nearest.is_only;
        }
    }
    for (Candidate& candidate : candidates) {
        if (Known* const known = candidate.nearest.known; known != nullptr) {
            known->is_taken = false;
            if (may_compare(0)) {
                known->logs.add(candidate.logs);
            }
        }
    }
    for (Candidate& candidate : candidates) {  // last: the list of known ones moves them
        if (candidate.nearest.known == nullptr) {
            std::vector<Known>& known = known_[candidate.key->first];
            const auto host = static_cast<std::uint32_t>(known.size());
            hosts[*candidate.key] = host;
            known.push_back({host, std::move(candidate.logs), candidate.first_us, false});
        }
    }
}

std::vector<Diagnostic> SameProcesses::remarks() const {
    if (!guessed_) {
        return {};
    }
    return {remarks::diagnose("process_id_shared.maps", {{"pid", *guessed_}})};
}

}  // namespace opdebug::logs

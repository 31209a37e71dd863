// What is known of a use against the record, its folders and the logs: the facts of Fit.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "locate/candidates.hpp"
#include "locate/clock.hpp"
#include "locate/fit.hpp"
#include "locate/operator_lines.hpp"
#include "logs/facts/launch_lines.hpp"
#include "logs/lookup/devices.hpp"
#include "logs/lookup/map_index.hpp"
#include "tree/name.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::FactKind;
using logs::Process;
using logs::StoredFact;
using logs::TaskUse;

/// Whether lines show that the use is one of a model, or is none.
Agreement shows_model(const TaskUse& use) {
    if (!use.bindings.empty() || use.persistent) {
        return Agreement::agrees;
    }
    for (const StoredFact* fact : use.facts) {
        // No document shows what a line of the user's own format is about.
        if (fact->fact.kind == FactKind::operator_of_task && fact->fact.format_id.starts_with("ge.")) {
            const Statement statement = statement_of(fact->fact);
            if (statement == Statement::graph_task) {
                return Agreement::agrees;
            }
            if (statement == Statement::execution_trace) {
                return Agreement::contradicts;
            }
        }
    }
    return Agreement::unknown;
}

/// The runtime's number of the use's model.
std::optional<std::uint64_t> model_of(const TaskUse& use) {
    if (!use.bindings.empty()) {
        return use.bindings.front().model_id;
    }
    for (const StoredFact* fact : use.facts) {
        if (fact->fact.kind == FactKind::model_of_task && fact->fact.model_id) {
            return fact->fact.model_id;
        }
    }
    return std::nullopt;
}

bool has_part(std::string_view path, std::string_view part) {
    return !part.empty() && fmt::format("/{}/", path).find(fmt::format("/{}/", part)) != std::string::npos;
}

/// The first folder in which the roots of two hosts' logs differ.
std::pair<std::string_view, std::string_view> first_difference(std::string_view a, std::string_view b) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()) && a[i] == b[i]; ++i) {
        begin = a[i] == '/' ? i + 1 : begin;
    }
    const auto part = [begin](std::string_view root) {
        return begin >= root.size() ? std::string_view() : root.substr(begin, root.find('/', begin) - begin);
    };
    return {part(a), part(b)};
}

/// "host-" of "host-A", "node" of "node0". Empty for other names: "/data1/logs" and "/data2/dump" may be of one host.
std::string_view stem_of(std::string_view name) {
    constexpr std::array<std::string_view, 9> kWords{"host", "node",   "rank",    "worker", "server",
                                                     "pod",  "master", "machine", "ip"};
    const std::size_t word = name.find_last_not_of("0123456789") + 1;
    const bool has_letter = word == name.size() && name.size() > 2 && (name[word - 2] == '-' || name[word - 2] == '_');
    const std::string_view stem = name.substr(0, has_letter ? word - 1 : word);
    const std::string_view bare = stem.substr(0, stem.find_last_not_of("-_") + 1);
    const bool is_known = std::find(kWords.begin(), kWords.end(), bare) != kWords.end();
    return is_known && stem.size() < name.size() ? stem : std::string_view();
}

std::vector<std::string_view> parts_of(std::string_view path) {
    std::vector<std::string_view> parts;
    while (!path.empty()) {
        parts.push_back(path.substr(0, path.find('/')));
        path.remove_prefix(std::min(path.size(), parts.back().size() + 1));
    }
    return parts;
}

bool contains(const std::vector<std::string_view>& parts, std::string_view part) {
    return std::find(parts.begin(), parts.end(), part) != parts.end();
}

/// Whether the path of the dump has another number or letter where the logs have theirs: "logs/node0", "dump/node1".
bool has_other_number(std::string_view root, std::string_view path) {
    const std::vector<std::string_view> of_root = parts_of(root), of_path = parts_of(path);
    return std::any_of(of_root.begin(), of_root.end(), [&](std::string_view own) {
        const std::string_view stem = stem_of(own);
        return !stem.empty() && !contains(of_path, own) &&
               std::any_of(of_path.begin(), of_path.end(),
                           [&](std::string_view other) { return stem_of(other) == stem && !contains(of_root, other); });
    });
}

bool works_on(const Process& process, logs::DeviceFilter number, const Lookup& lookup,
              std::optional<std::int64_t> time_us) {
    const std::vector<std::uint64_t>& devices = lookup.index().devices(process);
    return std::any_of(devices.begin(), devices.end(),
                       [&](std::uint64_t device) { return logs::is_seen_as(process, device, number, time_us); });
}

}  // namespace

Agreement fit_of_kind(const TaskUse& use, const TaskQuery& query) {
    const Agreement shown = shows_model(use);
    if (shown == Agreement::unknown || (!query.model_id && !query.is_without_model)) {
        return Agreement::unknown;
    }
    const bool is_of_model = shown == Agreement::agrees;
    if (is_of_model == query.model_id.has_value()) {
        return Agreement::agrees;
    }
    // That a trace is never of a model's task is inferred; that a bound stream runs its model is seen.
    return is_of_model ? Agreement::contradicts : Agreement::doubtful;
}

namespace {

/// What runs a task, by its type (runtime task_base.hpp).
enum class Runner { core, aicpu, copy, ffts };

std::optional<Runner> runner_of(std::optional<std::uint64_t> task_type) {
    constexpr std::array<std::pair<std::uint64_t, Runner>, 9> kRunners{{{0, Runner::core},
                                                                        {logs::kAicpuKernel, Runner::aicpu},
                                                                        {logs::kMemoryCopy, Runner::copy},
                                                                        {51, Runner::ffts},
                                                                        {52, Runner::ffts},
                                                                        {66, Runner::core},
                                                                        {90, Runner::copy},
                                                                        {108, Runner::core},
                                                                        {109, Runner::core}}};
    const auto row = std::find_if(kRunners.begin(), kRunners.end(),
                                  [task_type](const auto& known) { return known.first == task_type; });
    return row == kRunners.end() ? std::nullopt : std::optional(row->second);
}

}  // namespace

const StoredFact* sent_with_other_type(const TaskUse& use, const TaskQuery& query) {
    const std::optional<Runner> own = runner_of(query.task_type);
    const StoredFact* other = nullptr;
    for (const StoredFact* fact : use.facts) {
        const std::optional<Runner> sent =
            logs::is_launch(fact->fact) ? runner_of(fact->fact.task_type) : std::optional<Runner>();
        if (own && sent && (sent == own || sent == Runner::ffts)) {  // contexts of FFTS+ are of each kind
            return nullptr;
        }
        other = own && sent && other == nullptr ? fact : other;
    }
    return other;
}

Agreement fit_of_model(const TaskUse& use, const TaskQuery& query) {
    const std::optional<std::uint64_t> model = model_of(use);
    if (!model || !query.model_id) {
        return Agreement::unknown;
    }
    return model == query.model_id ? Agreement::agrees : Agreement::doubtful;
}

Agreement fit_of_host(const Process& process, const Lookup& lookup) {
    constexpr std::size_t kMostHosts = 64;  // so many are compared: each dump compares them for each process
    const std::vector<std::string>& roots = lookup.index().roots();
    Agreement fit = Agreement::unknown;
    if (roots.size() > kMostHosts) {
        return fit;
    }
    for (const std::string& other : roots) {
        if (other == process.root) {
            continue;
        }
        const auto [own, others] = first_difference(process.root, other);
        const bool is_own = has_part(lookup.dump.file, own);
        const bool is_others = has_part(lookup.dump.file, others);
        if (is_others && !is_own) {
            return Agreement::contradicts;
        }
        fit = is_own && !is_others ? Agreement::agrees : fit;
    }
    const bool differs = fit == Agreement::unknown && has_other_number(process.root, lookup.dump.file);
    return differs ? Agreement::doubtful : fit;
}

Agreement fit_of_rank(const Process& process, const Lookup& lookup) {
    const std::optional<std::uint64_t> rank = lookup.index().rank(process);
    const std::optional<std::uint64_t>& of_dump = lookup.dump.path_ids.rank;
    if (!rank || !of_dump || *of_dump >= process.rank_count) {
        return Agreement::unknown;
    }
    return rank == of_dump ? Agreement::agrees : Agreement::doubtful;
}

Agreement fit_of_device(const Process& process, logs::DeviceFilter device, const Lookup& lookup,
                        std::optional<std::int64_t> time_us) {
    if (const auto& driver = lookup.options.driver_device) {
        const auto& own = lookup.index().own_devices(process);
        return device ? (device == driver ? Agreement::agrees : Agreement::contradicts)
               : own.empty() || std::find(own.begin(), own.end(), *driver) != own.end() ? Agreement::unknown
                                                                                        : Agreement::contradicts;
    }
    const logs::DeviceFilter number = lookup.dump.path_ids.device_id;
    if (!number) {
        return Agreement::unknown;
    }
    if (!device) {
        const bool is_known = !lookup.index().own_devices(process).empty();
        if (!is_known || works_on(process, number, lookup, time_us)) {
            return Agreement::unknown;
        }
        return lookup.index().is_worked_on(process.root, *number) ? Agreement::contradicts : Agreement::doubtful;
    }
    if (logs::is_seen_as(process, device, number, time_us)) {
        return Agreement::agrees;
    }
    // Another process of the host works on the folder's device: then that one's dump it is.
    const bool is_told = !process.visible_devices.empty() || works_on(process, number, lookup, time_us) ||
                         lookup.index().is_worked_on(process.root, *number);
    return is_told ? Agreement::contradicts : Agreement::doubtful;
}

Agreement fit_of_folder(const Process& process, const Dump& dump) {
    const auto folder = dump.path_ids.time ? tree::parse_number(*dump.path_ids.time) : std::nullopt;
    if (!folder || process.dump_folders.empty()) {
        return Agreement::unknown;
    }
    const bool is_its = std::binary_search(process.dump_folders.begin(), process.dump_folders.end(), *folder);
    return is_its ? Agreement::agrees : Agreement::doubtful;
}

Agreement fit_of_folder_time(const Process& process, const Dump& dump, std::optional<std::int64_t> time_us) {
    const std::int64_t made_us = dump.path_ids.time ? folder_time_us(*dump.path_ids.time) : 0;
    // A folder that is newer than its dump has another zone than the logs.
    if (!dump.path_ids.time || !time_us || process.last_time_us == 0 || made_us > *time_us + kClockDifferenceUs ||
        process.on_device) {
        return Agreement::unknown;
    }
    return process.last_time_us < *time_us && process.last_time_us < made_us - kClockSkewUs ? Agreement::doubtful
                                                                                            : Agreement::unknown;
}

bool is_excluded_place(const TaskPlace& place, const Lookup& lookup) {
    return fit_of_host(*place.process, lookup) == Agreement::contradicts ||
           fit_of_device(*place.process, place.device, lookup, std::nullopt) >= Agreement::doubtful;
}

bool may_be_use_of(const TaskUse& use, const TaskQuery& query) {
    return fit_of_kind(use, query) != Agreement::contradicts && fit_of_model(use, query) != Agreement::doubtful;
}

}  // namespace opdebug::locate_stage

#include "locate/candidates.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "locate/clock.hpp"
#include "locate/operator_lines.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/visible_devices.hpp"
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
        // What a line of the user's own definition is about, no document tells.
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

bool works_on(const Process& process, logs::DeviceFilter number, const Lookup& lookup,
              std::optional<std::int64_t> time_us) {
    const std::vector<std::uint64_t>& devices = lookup.index().devices(process);
    return std::any_of(devices.begin(), devices.end(),
                       [&](std::uint64_t device) { return logs::is_seen_as(process, device, number, time_us); });
}

/// The name has seconds, and logs are written a little later.
constexpr std::int64_t kFolderNearUs = 2'000'000;
/// A process makes its folder when it begins to dump.
constexpr std::int64_t kMakesFolderUs = 60'000'000;

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

Agreement fit_of_model(const TaskUse& use, const TaskQuery& query) {
    const std::optional<std::uint64_t> model = model_of(use);
    if (!model || !query.model_id) {
        return Agreement::unknown;
    }
    return model == query.model_id ? Agreement::agrees : Agreement::doubtful;
}

Agreement fit_of_host(const Process& process, const Lookup& lookup) {
    constexpr std::size_t kMostHosts = 64;  // so many are compared: each dump asks this for each process
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
    return fit;
}

Agreement fit_of_device(const Process& process, logs::DeviceFilter device, const Lookup& lookup,
                        std::optional<std::int64_t> time_us) {
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

Agreement fit_of_folder_time(const Process& process, std::optional<std::int64_t> end_us, const Dump& dump) {
    if (!dump.path_ids.time || process.last_time_us == 0) {
        return Agreement::unknown;
    }
    const std::int64_t folder_us = folder_time_us(*dump.path_ids.time);
    if (end_us && *end_us < folder_us - kFolderNearUs) {
        return Agreement::contradicts;
    }
    const std::int64_t since_us = folder_us - process.first_time_us;
    return since_us >= -kFolderNearUs && since_us <= kMakesFolderUs ? Agreement::agrees : Agreement::unknown;
}

bool is_excluded_place(const TaskPlace& place, const Lookup& lookup) {
    return fit_of_host(*place.process, lookup) == Agreement::contradicts ||
           fit_of_device(*place.process, place.device, lookup, std::nullopt) >= Agreement::doubtful;
}

bool may_be_use_of(const TaskUse& use, const TaskQuery& query) {
    return fit_of_kind(use, query) != Agreement::contradicts && fit_of_model(use, query) != Agreement::doubtful;
}

}  // namespace opdebug::locate_stage

#include "logs/process_facts.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include <opdebug/tree.hpp>

#include "tree/folder.hpp"

namespace opdebug::logs {
namespace {

/// Drops lines that were read twice: the same file under two paths, or copied into two folders.
void drop_repeated(std::vector<StoredFact>& facts) {
    std::set<std::tuple<std::int64_t, FactKind, std::string_view>> seen;
    const auto is_repeated = [&seen](const StoredFact& fact) {
        return !seen.emplace(fact.time_us, fact.fact.kind, fact.place.text).second;
    };
    std::vector<StoredFact> kept;
    std::vector<bool> repeated;
    repeated.reserve(facts.size());
    for (const StoredFact& fact : facts) {
        repeated.push_back(is_repeated(fact));
    }
    for (std::size_t i = 0; i < facts.size(); ++i) {
        if (!repeated[i]) {
            kept.push_back(std::move(facts[i]));
        }
    }
    facts = std::move(kept);
}

}  // namespace

void index_facts(Process& process) {
    std::stable_sort(process.facts.begin(), process.facts.end(),
                     [](const StoredFact& a, const StoredFact& b) { return a.time_us < b.time_us; });
    drop_repeated(process.facts);
    for (std::size_t i = 0; i < process.facts.size(); ++i) {
        const Fact& fact = process.facts[i].fact;
        if (fact.stream_id && fact.task_id) {
            process.of_task[{*fact.stream_id, *fact.task_id}].push_back(i);
        } else if (fact.stream_id) {
            process.of_stream[*fact.stream_id].push_back(i);
        }
    }
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

bool tells_of_tasks(const Process& process) {
    return std::any_of(process.facts.begin(), process.facts.end(), [](const StoredFact& fact) {
        return fact.fact.kind == FactKind::kernel_of_task || fact.fact.kind == FactKind::operator_of_task;
    });
}

void append(Process& process, Process&& further) {
    const bool has_range = process.last_time_us != 0;
    process.first_time_us = has_range ? std::min(process.first_time_us, further.first_time_us) : further.first_time_us;
    process.last_time_us = std::max(process.last_time_us, further.last_time_us);
    process.facts.insert(process.facts.end(), std::make_move_iterator(further.facts.begin()),
                         std::make_move_iterator(further.facts.end()));
}

}  // namespace opdebug::logs

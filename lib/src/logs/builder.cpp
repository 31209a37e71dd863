#include "logs/builder.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>

#include <opdebug/tree.hpp>

#include "tree/folder.hpp"

namespace opdebug::logs {
namespace {

/// Lines of the log library have at most 1024 bytes; longer ones come from elsewhere and are cut as evidence.
constexpr std::size_t kEvidenceLength = 1024;

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

/// The part of a path above the folders that every log root has: plog, debug, run, security, device-N, host-N.
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

/// Task types that are kernels (runtime task_base.hpp): AI Core, AICPU, FFTS, FFTS+, AI vector, fusion, mixed AIC and
/// AIV. Flip, event and maintenance tasks of the same thread may stand between a launch and its submit line.
bool submits_a_kernel(const Fact& submit) {
    constexpr std::array<std::uint64_t, 8> kKernelTypes{0, 1, 51, 52, 66, 107, 108, 109};
    return std::find(kKernelTypes.begin(), kKernelTypes.end(), submit.task_type.value_or(0)) != kKernelTypes.end();
}

}  // namespace

void TaskMapBuilder::begin_file(const std::string& path) {
    contents_->files.push_back(path);
    root_ = root_of(path);
    last_time_us_ = 0;
}

TaskMapBuilder::ProcessKey TaskMapBuilder::key_of(const LogLine& line) const {
    return {line.pid.value_or(-1), line.module == "CCECPU" || line.module == "AICPU", root_};
}

Process& TaskMapBuilder::process_of(const LogLine& line) {
    const ProcessKey key = key_of(line);
    Process& process = processes_[key];
    process.pid = key.pid;
    process.on_device = key.on_device;
    if (line.local_time_us) {
        const std::int64_t time = *line.local_time_us;
        const bool has_range = process.last_time_us != 0;
        process.first_time_us = has_range ? std::min(process.first_time_us, time) : time;
        process.last_time_us = std::max(process.last_time_us, time);
    }
    return process;
}

void TaskMapBuilder::count(const LogLine& line) {
    if (line.level != "INFO" && line.level != "DEBUG") {
        return;
    }
    if (line.module == "RUNTIME") {
        ++contents_->runtime_info_lines;
    } else if (line.module == "GE") {
        ++contents_->ge_info_lines;
    }
}

void TaskMapBuilder::remark(const Diagnostic& diagnostic, std::uint64_t line) {
    const bool is_known = std::any_of(diagnostics_.begin(), diagnostics_.end(),
                                      [&diagnostic](const Diagnostic& known) { return known.code == diagnostic.code; });
    if (!is_known) {
        const std::string place = contents_->files.back() + ":" + std::to_string(line) + ": ";
        diagnostics_.push_back({diagnostic.severity, diagnostic.code, place + diagnostic.message});
    }
}

void TaskMapBuilder::add_line(std::string_view text, std::uint64_t number) {
    const std::optional<LogLine> line = parse_line(text);
    if (!line) {
        return;
    }
    count(*line);
    last_time_us_ = line->local_time_us.value_or(last_time_us_);
    Process& process = process_of(*line);
    std::optional<Diagnostic> diagnostic;
    std::optional<Fact> fact = formats_->match(*line, &diagnostic);
    if (diagnostic) {
        remark(*diagnostic, number);
    }
    if (!fact) {
        return;
    }
    StoredFact stored;
    stored.fact = std::move(*fact);
    stored.tid = line->tid.value_or(-1);
    stored.time_us = last_time_us_;
    stored.place.file = static_cast<std::uint32_t>(contents_->files.size() - 1);
    stored.place.line = number;
    stored.place.text = text.substr(0, kEvidenceLength);
    const Thread thread{key_of(*line), stored.tid};
    add_fact(process, thread, std::move(stored));
}

/// From 8.5 on a launch line is printed before the task id is final: the next submit line of the same thread and stream
/// has the final one, and a second launch before it means that the first failed (docs/log-formats.md).
void TaskMapBuilder::add_fact(Process& process, const Thread& thread, StoredFact stored) {
    if (stored.fact.kind == FactKind::submit && submits_a_kernel(stored.fact)) {
        with_submit_lines_.insert(thread.first);
        const auto launch = launches_.find(thread);
        if (launch != launches_.end() && launch->second.fact.stream_id == stored.fact.stream_id) {
            launch->second.fact.task_id = stored.fact.task_id;
            launch->second.fact.task_id_provisional = false;
            launch->second.submit = std::move(stored.place);
            process.facts.push_back(std::move(launch->second));
            launches_.erase(launch);
        }
        return;  // the launch line says more; tasks of other types are kept, for they reuse the ids
    }
    if (stored.fact.task_id_provisional) {
        const auto previous = launches_.find(thread);
        if (previous != launches_.end()) {
            unsubmitted_[thread.first].push_back(std::move(previous->second));
            launches_.erase(previous);
        }
        launches_.emplace(thread, std::move(stored));
        return;
    }
    process.facts.push_back(std::move(stored));
}

/// Where a process logs no submit lines at all (level, loss), a launch line's own id counts, unless it is the 0 that
/// stands for "not yet". Where it logs them, a launch that another one of its thread follows has failed; the last one
/// of a thread counts, for its submit line may be lost with the end of the log.
void TaskMapBuilder::keep_unsubmitted() {
    const auto keep = [this](const ProcessKey& key, StoredFact& launch) {
        if (launch.fact.task_id != std::uint64_t{0}) {
            processes_[key].facts.push_back(std::move(launch));
        }
    };
    for (auto& [key, launches] : unsubmitted_) {
        if (with_submit_lines_.count(key) == 0) {
            for (StoredFact& launch : launches) {
                keep(key, launch);
            }
        }
    }
    for (auto& [thread, launch] : launches_) {
        keep(thread.first, launch);
    }
    unsubmitted_.clear();
    launches_.clear();
}

void TaskMapBuilder::unite_roots() {
    for (auto first = processes_.begin(); first != processes_.end();) {
        const auto end = std::find_if(first, processes_.end(), [&first](const auto& item) {
            return item.first.pid != first->first.pid || item.first.on_device != first->first.on_device;
        });
        const auto tell = std::count_if(first, end, [](const auto& item) { return tells_of_tasks(item.second); });
        if (tell <= 1) {
            for (auto further = std::next(first); further != end;) {
                append(first->second, std::move(further->second));
                further = processes_.erase(further);
            }
        }
        first = end;
    }
}

std::shared_ptr<const TaskMap> TaskMapBuilder::finish() {
    keep_unsubmitted();
    unite_roots();
    for (auto& [key, process] : processes_) {
        index_facts(process);
        contents_->processes.push_back(std::move(process));
    }
    processes_.clear();
    return std::make_shared<const TaskMap>(std::move(contents_));
}

}  // namespace opdebug::logs

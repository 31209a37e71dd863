#include "logs/builder.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "logs/process_facts.hpp"

namespace opdebug::logs {
namespace {

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

void TaskMapBuilder::add_writer(const Writer& writer, const WriterLines& lines) {
    Process& process = processes_[{writer.pid, writer.on_device, root_}];
    process.pid = writer.pid;
    process.on_device = writer.on_device;
    process.root = root_;
    contents_->runtime_info_lines += lines.runtime_info;
    contents_->ge_info_lines += lines.ge_info;
    if (lines.first_time_us) {
        const bool has_range = process.last_time_us != 0;
        process.first_time_us =
            has_range ? std::min(process.first_time_us, *lines.first_time_us) : *lines.first_time_us;
        process.last_time_us = std::max(process.last_time_us, *lines.last_time_us);
    }
}

void TaskMapBuilder::remark(std::uint64_t line, const Diagnostic& diagnostic) {
    const bool is_known = std::any_of(diagnostics_.begin(), diagnostics_.end(),
                                      [&diagnostic](const Diagnostic& known) { return known.code == diagnostic.code; });
    if (!is_known) {
        const std::string place = contents_->files.back() + ":" + std::to_string(line) + ": ";
        diagnostics_.push_back({diagnostic.severity, diagnostic.code, place + diagnostic.message});
    }
}

void TaskMapBuilder::add(MatchedLines&& lines) {
    for (const auto& [line, diagnostic] : lines.diagnostics) {
        remark(line, diagnostic);
    }
    for (const auto& [writer, shown] : lines.writers) {
        add_writer(writer, shown);
    }
    for (MatchedLine& line : lines.lines) {
        const ProcessKey key{line.writer.pid, line.writer.on_device, root_};
        StoredFact stored;
        stored.fact = std::move(line.match.fact);
        stored.tid = line.tid;
        stored.time_us = line.time_us.value_or(last_time_us_);
        stored.place.file = static_cast<std::uint32_t>(contents_->files.size() - 1);
        stored.place.line = line.number;
        stored.place.text = std::move(line.text);
        add_fact(processes_[key], {key, stored.tid}, std::move(stored));
    }
    last_time_us_ = lines.last_time_us.value_or(last_time_us_);
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

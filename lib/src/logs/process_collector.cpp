#include "logs/process_collector.hpp"

#include <algorithm>
#include <utility>

namespace opdebug::logs {

void ProcessCollector::add_lines(const WriterLines& lines) {
    shows_host_lines_ = shows_host_lines_ || lines.of_host;
    if (lines.first_time_us) {
        const bool has_range = process.last_time_us != 0;
        process.first_time_us =
            has_range ? std::min(process.first_time_us, *lines.first_time_us) : *lines.first_time_us;
        process.last_time_us = std::max(process.last_time_us, *lines.last_time_us);
    }
}

void ProcessCollector::add(const FormatDefinition& format, StoredFact&& stored) {
    if (format.completed_by.empty()) {
        memory_.learn(format, stored);
    } else {
        const StoredFact as_printed = stored;
        memory_.complete(format, stored);
        memory_.learn(format, as_printed);
        if (!stored.fact.task_id_provisional && !is_complete(stored.fact)) {
            return;
        }
    }
    state(std::move(stored));
}

void ProcessCollector::state(StoredFact&& stored) {
    const FactKind kind = stored.fact.kind;
    if (kind == FactKind::part || kind == FactKind::nothing) {
        return;
    }
    if (kind == FactKind::task_renumbered) {
        launches_.renumber(std::move(stored), captures_);  // says nothing about a task whose launch is not known
    } else if (kind == FactKind::submit && submits_a_kernel(stored.fact)) {
        launches_.submit(std::move(stored), captures_, decided_);  // the launch line says more
    } else if (stored.fact.task_id_provisional) {
        launches_.launch(std::move(stored), decided_);
    } else {
        if (kind == FactKind::capture_stream) {
            captures_.begin(stored.fact);
            wanted_.add_capture(stored.fact);
        } else if (kind == FactKind::capture_end) {
            captures_.end(stored.fact);
        }
        keep(std::move(stored));  // with submit lines of tasks that are no kernels: they reuse the ids
    }
    keep_decided();
}

void ProcessCollector::keep(StoredFact&& stored) {
    const FactKind kind = stored.fact.kind;
    process.states_anything = true;
    tells_of_tasks = tells_of_tasks || kind == FactKind::kernel_of_task || kind == FactKind::operator_of_task;
    const Need need = wanted_.need(stored.fact);
    if (need != Need::none) {
        repeated_.add(process.facts, std::move(stored), need);
    }
}

void ProcessCollector::keep_decided() {
    for (StoredFact& launch : decided_) {
        keep(std::move(launch));
    }
    decided_.clear();
}

void ProcessCollector::finish() {
    decided_ = launches_.finish();
    keep_decided();
    process.without_host_lines = !shows_host_lines_ && !process.states_anything;
}

}  // namespace opdebug::logs

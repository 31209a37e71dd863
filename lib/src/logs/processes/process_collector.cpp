#include "logs/processes/process_collector.hpp"

#include <algorithm>
#include <utility>

#include "logs/facts/launch_lines.hpp"

namespace opdebug::logs {
void ProcessCollector::add_lines(const WriterLines& lines, std::uint32_t file, const std::string& folder) {
    shows_host_lines_ = shows_host_lines_ || lines.of_host;
    process.states_anything = process.states_anything || lines.states_unwanted;
    states_tasks = states_tasks || lines.names_unwanted;
    if (lines.first_time_us) {
        const bool has_range = process.last_time_us != 0;
        process.first_time_us =
            has_range ? std::min(process.first_time_us, *lines.first_time_us) : *lines.first_time_us;
        process.last_time_us = std::max(process.last_time_us, *lines.last_time_us);
        runs_.add_lines(file, folder, *lines.first_time_us, *lines.last_time_us);
    }
}

namespace {

/// Two names are of tasks that are no operators, whatever line has them.
void name_no_operator(Fact& fact) {
    if (fact.kind == FactKind::operator_of_task) {
        fact.kind = fact.operator_name == "Node_OpDebug"    ? FactKind::debug_task
                    : fact.operator_name == "Node_EndGraph" ? FactKind::end_of_graph_task
                                                            : fact.kind;
    }
}

}  // namespace

void ProcessCollector::add(const FormatDefinition& format, StoredFact&& stored) {
    const bool is_completed = !format.completed_by.empty();
    const bool learns = !format.remembers.empty() || !format.forgets.empty();
    const std::optional<StoredFact> as_printed = learns ? std::optional(stored) : std::nullopt;
    if (is_completed) {
        memory_.complete(format, stored);
    }
    if (as_printed) {
        memory_.learn(format, *as_printed);
    }
    if (is_completed && !stored.fact.task_id_provisional && !is_complete(stored.fact)) {
        return;
    }
    if (stored.fact.kind == FactKind::failure && stored.fact.stream_id && stored.fact.task_id) {
        stored.fact.kind = FactKind::task_fault;
    }
    name_no_operator(stored.fact);
    prefer_drivers_number(stored.fact);
    state(std::move(stored));
}

/// Counts a line, even one that is not needed. The numbers of devices and the names of folders do not show what ran.
void ProcessCollector::note(FactKind kind) {
    if (kind == FactKind::visible_device || kind == FactKind::dump_folder || kind == FactKind::process_rank ||
        kind == FactKind::stated_error || kind == FactKind::stated_overflow) {
        return;
    }
    process.states_anything = true;
    states_tasks = states_tasks || names_what_runs(kind);
}

void ProcessCollector::state(StoredFact&& stored) {
    const FactKind kind = stored.fact.kind;
    if (kind == FactKind::part || kind == FactKind::nothing) {
        return;
    }
    runs_.see(stored);
    if (kind == FactKind::task_renumbered) {
        launches_.renumber(std::move(stored), captures_);  // states nothing about a task whose launch is not known
    } else if (kind == FactKind::submit && submits_a_kernel(stored.fact)) {
        launches_.submit(stored, captures_, [this](const StoredFact& decided) { keep(decided); });
    } else if (stored.fact.task_id_provisional) {
        const bool needed = wanted_.need(stored.fact) != Need::none;
        launches_.launch(std::move(stored), needed, [this](const StoredFact& decided) { keep(decided); });
    } else {
        if (kind == FactKind::capture_stream) {
            captures_.begin(stored.fact, stored.time_us);
            wanted_.add_capture(stored.fact);
        } else if (kind == FactKind::capture_end) {
            captures_.end(stored.fact, stored.time_us);
        }
        take_numbers_for_equal(stored.fact);
        if (kind == FactKind::stream_open) {
            add_device(stored);
        }
        keep(stored);  // with submit lines of tasks that are no kernels: they reuse the ids
    }
}

/// Set-ups of streams show on which devices the process works, and which of its threads on which; so do set-ups of
/// streams that nobody requested. Another file may be of another run: its threads are others, and a number of the
/// process's own may be another device's.
void ProcessCollector::add_device(const StoredFact& set_up) {
    const Fact& fact = set_up.fact;
    if (lines_of_tasks_ != nullptr || process.on_device || (!fact.device_id && !fact.user_device_id)) {
        return;
    }
    const auto is_news = [](auto& known, const auto& said) {
        return known.size() < kMostDevicesOfProcess && known.insert(said).second;
    };
    const std::uint32_t file = set_up.place.file;
    const DeviceInFile device{fact.device_id, fact.user_device_id, fact.user_device_id ? file : 0U};
    const bool is_of_new_device = is_news(devices_, device);
    const bool is_by_new_thread =
        is_news(threads_, std::tuple(set_up.tid, DeviceInFile{fact.device_id, fact.user_device_id, file}));
    if (!is_of_new_device && !is_by_new_thread) {
        return;
    }
    StoredFact stated;
    stated.fact.kind = FactKind::process_device;
    stated.fact.log = fact.log;
    stated.fact.format_id = fact.format_id;
    stated.fact.device_id = fact.device_id;
    stated.fact.user_device_id = fact.user_device_id;
    stated.tid = set_up.tid;
    stated.time_us = set_up.time_us;
    stated.place = set_up.place;
    stated.from_saved_map = set_up.from_saved_map;
    repeated_.add(process.facts, stated, Need::own);
}

void ProcessCollector::keep(const StoredFact& stored) {
    note(stored.fact.kind);
    if (lines_of_tasks_ != nullptr) {
        lines_of_tasks_->add(stored, number_);
        return;
    }
    const Need need = wanted_.need(stored.fact);
    if (need == Need::none) {
        return;
    }
    if (!lacks_drivers_number(stored.fact)) {
        repeated_.add(process.facts, stored, need);
        return;
    }
    StoredFact with_device = stored;  // a launch: its submit line might have had the driver's number
    take_numbers_for_equal(with_device.fact);
    repeated_.add(process.facts, with_device, need);
}

void ProcessCollector::finish() {
    launches_.finish([this](const StoredFact& decided) { keep(decided); },
                     [this](const StoredFact& open) {
                         if (lines_of_tasks_ != nullptr) {
                             lines_of_tasks_->add_open(open);
                         }
                         keep(open);
                     });
    if (!process.on_device && lines_of_tasks_ == nullptr) {
        for (StoredFact& run : runs_.finish()) {
            process.facts.push_back(std::move(run));
        }
    }
    repeated_.end_all_runs();
    process.without_host_lines = !shows_host_lines_ && !process.states_anything;
}

namespace {

bool is_other_code(const Fact& a, const Fact& b) {
    return a.fault_code && b.fault_code && a.fault_code != b.fault_code;
}

/// A failure may have codes of several kinds.
bool contradict(const Fact& a, const Fact& b) {
    return std::any_of(kNumbers.begin(), kNumbers.end(),
                       [&](const NumberMember& row) {
                           return row.member != &Fact::fault_code && a.*row.member && b.*row.member &&
                                  a.*row.member != b.*row.member;
                       }) ||
           std::any_of(kTexts.begin(), kTexts.end(), [&](const TextMember& row) {
               return !(a.*row.member).empty() && !(b.*row.member).empty() && a.*row.member != b.*row.member;
           });
}

constexpr std::uint64_t kTogetherLines = 50;  // of one file, without times

bool are_together(const StoredFact& line, const StoredFact& later) {
    return later.time_us != 0
               ? later.time_us - line.time_us <= kTogetherUs
               : line.place.file == later.place.file && later.place.line - line.place.line <= kTogetherLines;
}

/// Whether something was added.
bool take_missing(Fact& fact, const Fact& from) {
    const Fact before = fact;
    for (const NumberMember& row : kNumbers) {
        fact.*row.member = fact.*row.member ? fact.*row.member : from.*row.member;
    }
    for (const TextMember& row : kTexts) {
        if ((fact.*row.member).empty() && !(from.*row.member).empty()) {
            fact.*row.member = from.*row.member;
            fact.name_cut = fact.name_cut || from.name_cut;
        }
    }
    return !states_the_same(before, fact);
}

}  // namespace

void ThreadMemory::complete(const FormatDefinition& format, StoredFact& stored) {
    const auto memory = of_thread_.find(stored.tid);
    if (memory == of_thread_.end()) {
        return;
    }
    std::vector<Entry>& entries = memory->second;
    for (const std::string& name : format.completed_by) {
        const auto entry =
            std::find_if(entries.begin(), entries.end(), [&name](const Entry& known) { return known.name == name; });
        if (entry == entries.end() || entry->line.time_us > stored.time_us ||
            (entry->once && !are_together(entry->line, stored)) || contradict(stored.fact, entry->line.fact) ||
            !(take_missing(stored.fact, entry->line.fact) || is_other_code(stored.fact, entry->line.fact))) {
            continue;
        }
        stored.completed_by.push_back(entry->line.place);
        stored.completed_by.back().log = entry->line.fact.log;
        // Several reports on one failure may follow its line, before the one on its model.
        if (entry->once && format.states != FactKind::task_fault && format.states != FactKind::failure) {
            entries.erase(entry);
        }
    }
}

void ThreadMemory::learn(const FormatDefinition& format, const StoredFact& stored) {
    const auto drop = [this, &stored](const std::string& name) {
        if (const auto memory = of_thread_.find(stored.tid); memory != of_thread_.end()) {
            std::vector<Entry>& entries = memory->second;
            entries.erase(std::remove_if(entries.begin(), entries.end(),
                                         [&name](const Entry& known) { return known.name == name; }),
                          entries.end());
        }
    };
    if (!format.forgets.empty()) {
        drop(format.forgets);
    }
    if (format.remembers.empty()) {
        return;
    }
    std::vector<Entry>& entries = of_thread_[stored.tid];
    // Of two codes without time and carrier nothing shows whose each is.
    const bool is_unclear = stored.time_us == 0 && stored.fact.fault_code && stored.tid < 0 &&
                            std::any_of(entries.begin(), entries.end(), [&](const Entry& known) {
                                return known.name == format.remembers && is_other_code(known.line.fact, stored.fact) &&
                                       are_together(known.line, stored);
                            });
    drop(format.remembers);
    entries.push_back({format.remembers, stored, format.once});
    if (is_unclear) {
        entries.back().line.fact.fault_code.reset();
    }
}

}  // namespace opdebug::logs

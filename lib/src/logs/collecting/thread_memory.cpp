#include "logs/collecting/thread_memory.hpp"

#include <algorithm>

#include "logs/facts/launch_lines.hpp"

namespace opdebug::logs {
namespace {

bool contradict(const Fact& a, const Fact& b) {
    return std::any_of(number_members().begin(), number_members().end(),
                       [&](const NumberMember& row) {
                           return a.*row.member && b.*row.member && a.*row.member != b.*row.member;
                       }) ||
           std::any_of(text_members().begin(), text_members().end(), [&](const TextMember& row) {
               return !(a.*row.member).empty() && !(b.*row.member).empty() && a.*row.member != b.*row.member;
           });
}

/// Whether something was added.
bool take_missing(Fact& fact, const Fact& from) {
    bool takes = false;
    for (const NumberMember& row : number_members()) {
        if (!(fact.*row.member) && from.*row.member) {
            fact.*row.member = from.*row.member;
            takes = true;
        }
    }
    for (const TextMember& row : text_members()) {
        if ((fact.*row.member).empty() && !(from.*row.member).empty()) {
            fact.*row.member = from.*row.member;
            fact.name_cut = fact.name_cut || from.name_cut;
            takes = true;
        }
    }
    return takes;
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
            (entry->once && stored.time_us - entry->line.time_us > kTogetherUs) ||
            contradict(stored.fact, entry->line.fact) || !take_missing(stored.fact, entry->line.fact)) {
            continue;
        }
        if (!stored.completed_by) {
            stored.completed_by = entry->line.place;
            stored.completed_by->log = entry->line.fact.log;
        }
        // Several reports on one failure may follow its line, before the one on its model.
        if (entry->once && format.states != FactKind::task_fault) {
            entries.erase(entry);
        }
    }
}

bool ThreadMemory::gives_more_than_names(const FormatDefinition& format, std::int64_t tid) const {
    const auto memory = of_thread_.find(tid);
    return memory != of_thread_.end() &&
           std::any_of(memory->second.begin(), memory->second.end(), [&format](const Entry& entry) {
               const std::vector<std::string>& names = format.completed_by;
               const bool is_used = std::find(names.begin(), names.end(), entry.name) != names.end();
               return is_used && (entry.once || entry.line.fact.address1 || entry.line.fact.address2);
           });
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
    if (!format.remembers.empty()) {
        drop(format.remembers);
        of_thread_[stored.tid].push_back({format.remembers, stored, format.once});
    }
}

}  // namespace opdebug::logs

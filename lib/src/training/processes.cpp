// The lines of a file → those of each process, without torn step numbers.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "training/series.hpp"

namespace opdebug::training {
namespace {

/// Step lines by their index in `facts`, with their steps.
using NumberedLines = std::vector<std::pair<std::size_t, std::uint64_t>>;

NumberedLines numbered_lines(const std::vector<const LineFacts*>& facts) {
    NumberedLines steps;
    StepNumbers numbers;
    for (std::size_t i = 0; i < facts.size(); ++i) {
        const auto step = facts[i]->format->is_step ? numbers.of(*facts[i]) : std::nullopt;
        if (step) {
            steps.emplace_back(i, *step);
        }
    }
    return steps;
}

/// Whether several processes wrote the lines: then the step does not rise again and again. At a restart it does so
/// once.
bool has_several_processes(const std::vector<const LineFacts*>& facts, const NumberedLines& steps) {
    constexpr std::size_t kOneIn = 4;
    std::size_t not_rising = 0;
    for (std::size_t i = 1; i < steps.size(); ++i) {
        const bool is_same_format = facts[steps[i].first]->format == facts[steps[i - 1].first]->format;
        not_rising += is_same_format && steps[i].second <= steps[i - 1].second ? 1U : 0U;
    }
    return not_rising * kOneIn >= steps.size();
}

/// Marks step lines whose number does not fit between their neighbours: the number is torn. `count`: of facts.
std::vector<bool> torn_steps(NumberedLines steps, std::size_t count) {
    std::vector<bool> torn(count);
    for (std::size_t i = 1; i + 1 < steps.size(); ++i) {
        const std::uint64_t before = steps[i - 1].second, here = steps[i].second, after = steps[i + 1].second;
        const bool is_torn = before <= after && (here + kStepsApart < before || here > after + kStepsApart);
        torn[steps[i].first] = is_torn;
        steps[i].second = is_torn ? before : here;
    }
    return torn;
}

/// The words that most guessed lines have. Empty: no line is guessed, or several processes print such lines.
std::string main_words(const std::vector<const LineFacts*>& facts) {
    std::map<std::string_view, std::vector<const LineFacts*>> by_words;
    for (const LineFacts* const fact : facts) {
        if (fact->format->fallback) {
            by_words[fact->words].push_back(fact);
        }
    }
    const auto most = std::max_element(by_words.begin(), by_words.end(), [](const auto& a, const auto& b) {
        return std::pair(a.second.size(), b.second.front()->line) < std::pair(b.second.size(), a.second.front()->line);
    });
    return most == by_words.end() || has_several_processes(most->second, numbered_lines(most->second))
               ? std::string()
               : std::string(most->first);
}

/// Drops guessed lines with the step of a main line next to them, but other words, if they are rare: an evaluation
/// prints the step of the training now and then. A NaN of theirs is a fault that no format reads.
void drop_side_lines(ProcessLines& lines) {
    const std::string words = main_words(lines.facts);
    const auto is_main = [&words](const LineFacts& fact) { return fact.format->fallback && fact.words == words; };
    std::set<const LineFacts*> side;
    const auto mark = [&](auto first, const auto last) {
        for (const LineFacts* main = nullptr; first != last; ++first) {
            const LineFacts& fact = **first;
            main = is_main(fact) ? &fact : main;
            if (main != nullptr && fact.format->fallback && !is_main(fact) &&
                fact.number(Number::step) == main->number(Number::step) &&
                fact.number(Number::epoch) == main->number(Number::epoch)) {
                side.insert(&fact);
            }
        }
    };
    if (!words.empty()) {
        mark(lines.facts.begin(), lines.facts.end());
        mark(lines.facts.rbegin(), lines.facts.rend());
    }
    const auto mains =
        std::count_if(lines.facts.begin(), lines.facts.end(), [&](const LineFacts* fact) { return is_main(*fact); });
    if (side.size() * 2 >= static_cast<std::size_t>(mains)) {
        return;
    }
    for (const LineFacts* const fact : lines.facts) {
        if (!lines.unread_fault && !fact->shown.empty() && side.count(fact) != 0) {
            lines.unread_fault = UnreadFault{fact->line, fact->shown};
        }
    }
    std::erase_if(lines.facts, [&side](const LineFacts* fact) { return side.count(fact) != 0; });
}

/// Rank and local rank.
using Key = std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>>;

Key key_of(const LineFacts& fact) {
    return {fact.rank, fact.rank ? std::nullopt : fact.local_rank};
}

}  // namespace

std::optional<std::uint64_t> StepNumbers::of(const LineFacts& fact) {
    const std::optional<std::uint64_t> printed = fact.count(Number::step);
    if (!printed || !fact.format->in_epoch) {
        return printed ? std::optional(*printed + 1 - fact.format->base) : std::nullopt;
    }
    const std::uint64_t epoch = fact.count(Number::epoch).value_or(1);
    if (const auto total = fact.count(Number::total)) {
        return *printed + (std::max<std::uint64_t>(epoch, 1) - 1) * *total;
    }
    epoch_of_line_ = epoch;
    step_of_line_ = *printed;
    if (const auto known = offsets_.find(epoch); known != offsets_.end()) {
        last_in_epoch_ = epoch == epoch_ ? std::max(last_in_epoch_, *printed) : last_in_epoch_;
        is_zero_based_ = is_zero_based_ || *printed == 0;
        return *printed + known->second;  // also a late line of an earlier epoch
    }
    // Numbers that go on in the next epoch count over all epochs.
    const bool goes_on = offsets_.empty() || epoch != epoch_ + 1 || *printed > last_in_epoch_;
    const std::uint64_t before = offsets_.empty() ? 0 : offsets_[epoch_];
    offsets_[epoch] = before + (goes_on ? 0 : last_in_epoch_ + (is_zero_based_ ? 1U : 0U));
    epoch_ = epoch;
    last_in_epoch_ = *printed;
    is_zero_based_ = is_zero_based_ || *printed == 0;
    return *printed + offsets_[epoch];
}

void StepNumbers::restart() {
    epoch_ = epoch_of_line_;
    last_in_epoch_ = step_of_line_;
    is_zero_based_ = !offsets_.empty() && step_of_line_ == 0;
    offsets_.erase(offsets_.upper_bound(epoch_), offsets_.end());
}

std::vector<ProcessLines> processes_of(const std::vector<LineFacts>& facts, std::uint64_t damaged) {
    std::map<Key, ProcessLines> by_rank;
    for (const LineFacts& fact : facts) {
        if (fact.format->is_step) {
            by_rank[key_of(fact)];
        }
    }
    if (by_rank.empty() && !facts.empty()) {
        by_rank[{}];
    }
    if (by_rank.size() == 2) {
        by_rank.erase(Key{});  // DeepSpeed prints the rank in some lines of a step only
    }
    for (const LineFacts& fact : facts) {
        const auto own = by_rank.find(key_of(fact));
        (own == by_rank.end() ? by_rank.begin() : own)->second.facts.push_back(&fact);
    }
    std::vector<ProcessLines> processes;
    for (auto& [key, lines] : by_rank) {
        drop_side_lines(lines);
        const NumberedLines steps = numbered_lines(lines.facts);
        const std::vector<bool> torn = torn_steps(steps, lines.facts.size());
        lines.rank = key.first;
        lines.are_of_several_processes = has_several_processes(lines.facts, steps);
        lines.damaged = damaged + static_cast<std::uint64_t>(std::count(torn.begin(), torn.end(), true));
        std::size_t index = 0;
        std::erase_if(lines.facts, [&](const LineFacts*) { return torn[index++]; });
        processes.push_back(std::move(lines));
    }
    return processes;
}

}  // namespace opdebug::training

#include "training/step_numbers.hpp"

#include <algorithm>

namespace opdebug::training {

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

bool has_several_processes(const std::vector<const LineFacts*>& facts, const NumberedLines& steps) {
    constexpr std::size_t kOneIn = 4;
    std::size_t not_rising = 0;
    for (std::size_t i = 1; i < steps.size(); ++i) {
        const bool is_same_format = facts[steps[i].first]->format == facts[steps[i - 1].first]->format;
        not_rising += is_same_format && steps[i].second <= steps[i - 1].second ? 1U : 0U;
    }
    return not_rising * kOneIn >= steps.size();
}

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

}  // namespace opdebug::training

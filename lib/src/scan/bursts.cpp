#include "scan/bursts.hpp"

#include <algorithm>

#include "scan/time_difference.hpp"

namespace opdebug::scan_stage {

void Bursts::add(std::uint64_t time) {
    if (runs_.empty() || (time > runs_.back().last && time_difference(time, runs_.back().last) >= kOneSecond)) {
        runs_.push_back({time, time});
    } else if (time >= runs_.back().first) {
        runs_.back().last = std::max(runs_.back().last, time);
    } else {
        late_.push_back({time, time});
        constexpr std::size_t kFew = 64;
        if (late_.size() > runs_.size() / 2 + kFew) {
            fold();
        }
    }
}

void Bursts::add(const Bursts& other) {
    late_.insert(late_.end(), other.runs_.begin(), other.runs_.end());
    late_.insert(late_.end(), other.late_.begin(), other.late_.end());
    fold();
}

std::uint64_t Bursts::count() const {
    if (late_.empty()) {
        return runs_.size();
    }
    Bursts folded = *this;
    folded.fold();
    return folded.runs_.size();
}

/// Puts the late ones among the runs; runs less than a second apart become one.
void Bursts::fold() {
    runs_.insert(runs_.end(), late_.begin(), late_.end());
    late_.clear();
    std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < runs_.size(); ++i) {
        if (time_difference(runs_[i].first, runs_[kept].last) < kOneSecond) {
            runs_[kept].last = std::max(runs_[kept].last, runs_[i].last);
        } else {
            runs_[++kept] = runs_[i];
        }
    }
    runs_.resize(std::min(runs_.size(), kept + 1));
}

}  // namespace opdebug::scan_stage

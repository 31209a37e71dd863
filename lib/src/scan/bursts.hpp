// Bursts: runs of times less than a second apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace opdebug::scan_stage {

/// Times may come in any order; they mostly come in theirs, and then memory grows with the bursts, not with the times.
class Bursts {
public:
    void add(std::uint64_t time);
    void add(const Bursts& other);
    std::uint64_t count() const;

private:
    struct Run {
        std::uint64_t first, last;
    };
    void fold();

    std::vector<Run> runs_;  ///< by time; the last may still grow
    std::vector<Run> late_;  ///< of before the last run, not yet among the runs
};

}  // namespace opdebug::scan_stage

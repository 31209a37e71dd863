// The operator dumps of a folder whose names fit a task, nearest in time first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/result.hpp>
#include <opdebug/tree.hpp>

#include "locate/op_dump_folders.hpp"
#include "locate/query.hpp"

namespace opdebug::locate_stage {

/// The operator's dump is written within milliseconds of the overflow dump; beyond this the ids may have been reused.
constexpr std::uint64_t kNearUs = 60'000'000;
/// Operators of one task that ran so close to the overflow cannot be told apart by their times.
constexpr std::uint64_t kSameExecutionUs = 1'000'000;
constexpr std::uint64_t kUnknownDistance = std::numeric_limits<std::uint64_t>::max();

inline std::uint64_t distance_of(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) noexcept {
    return a && b ? std::max(*a, *b) - std::min(*a, *b) : kUnknownDistance;
}

/// "300 us before the overflow dump".
inline std::string describe_distance(std::optional<std::uint64_t> time, const TaskQuery& query) {
    if (!time || !query.timestamp_us) {
        return "one of the times is unknown";
    }
    return std::to_string(distance_of(time, query.timestamp_us)) +
           (*time < *query.timestamp_us ? " us before" : " us after") + " the overflow dump";
}

/// One execution of an operator, as its files show it.
struct Candidate {
    const OpDumpFile* file = nullptr;        ///< the dump; without one the first of its tensors, or its statistics
    std::vector<const OpDumpFile*> tensors;  ///< its .npy files; empty where `file` holds all
    DumpName name;
    bool context_fits = false;  ///< the name carries the record's context, or neither has one
    std::uint64_t distance_us = kUnknownDistance;

    bool has_values() const noexcept { return !tensors.empty() || file->kind == OpFileKind::dump; }
};

/// Whether a name fits better: the context in it first, then the nearest time.
inline bool is_nearer(const Candidate& a, const Candidate& b) noexcept {
    return a.context_fits != b.context_fits ? a.context_fits : a.distance_us < b.distance_us;
}

struct NearestDumps {
    std::vector<Candidate> dumps;  ///< that fit best, in order of names
    bool leaves_out = false;       ///< files that may be texts were not looked at
};

/// `folder_path`: of `folder`, which must outlive the result.
NearestDumps nearest_dumps(const OpDumpFolder& folder, const std::string& folder_path, const TaskQuery& query,
                           TaskIds ids, const Limits& limits);

}  // namespace opdebug::locate_stage

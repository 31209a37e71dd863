// What of a format's lines tells that nobody asked for their task: found once for each format.
#pragma once

#include <cstdint>
#include <vector>

#include "logs/facts/fact.hpp"
#include "logs/formats/unasked_line.hpp"

namespace opdebug::logs {

struct CompiledFormat;

/// What is done with lines on tasks that nobody asked for.
enum class UnaskedUse : std::uint8_t {
    read,               ///< all that they state is read: other lines are read by them
    noted,              ///< that they were there is all that is needed of them (WriterLines)
    listed,             ///< what earlier lines of the thread left open may still make them needed (UnaskedLine)
    listed_of_kernels,  ///< of a format: submit lines of kernels are listed, others noted
};

/// A number that the lines of a format capture, or that all of them state.
struct IdOfFormat {
    static constexpr std::uint8_t kNone = UINT8_MAX;
    std::uint8_t capture = kNone;
    std::uint8_t constant = kNone;
};

struct UnaskedFormat {
    UnaskedUse use = UnaskedUse::read;
    bool has_plain_ids = false;  ///< and nothing else decides whether somebody asked for the task (unasked_shape.hpp)
    IdOfFormat stream_id, task_id, device_id, task_type, address1, address2;
};

/// Of which kinds a line tells of one task by its stream and task alone (Wanted::is_unasked), but for submit lines that
/// have another number of the task.
bool is_of_one_task(FactKind kind) noexcept;

/// Fills CompiledFormat::unasked of all formats of a set.
void find_unasked(std::vector<CompiledFormat>& formats);

/// `use`: of the format; noted or listed where Wanted::is_unasked() or is_unasked_launch() holds for the line.
/// `task_type`: as in UnaskedIds.
UnaskedUse use_of_line(UnaskedUse use, FactKind kind, std::uint8_t task_type) noexcept;

}  // namespace opdebug::logs

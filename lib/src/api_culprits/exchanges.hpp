// Calls between ranks, put together: which call of one rank belongs to which of another, and the order this gives to
// the findings of a step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "api_culprits/timelines.hpp"

namespace opdebug::api_culprits {

/// Where the group of an exchange is from. assumed: all ranks of the step, for no dump tells it and each of them has as
/// many calls of the API; unknown: neither, so that it has one side only.
enum class GroupSource { dumped, assumed, unknown };

/// One collective call of a group, or one message.
struct Exchange {
    struct Side {
        std::uint32_t line = 0;    ///< in Step::lines
        std::uint32_t event = 0;   ///< in TimeLine::events
        std::uint32_t number = 0;  ///< of the event's transfers
    };
    Flow flow = Flow::everyone;  ///< send: a message from one side to another
    std::optional<std::int64_t> root;
    std::uint32_t group = 0;
    GroupSource group_source = GroupSource::dumped;
    std::vector<Side> sides;
};

struct Exchanges {
    std::vector<Exchange> all;
    /// For each line, event by event, transfer by transfer: its exchange. In the order of Step::lines.
    std::vector<std::vector<std::uint32_t>> of_line;
    std::vector<std::vector<std::int64_t>> group_ranks;      ///< by Exchange::group; empty: not known
    std::vector<std::vector<std::uint32_t>> first_of_event;  ///< where an event's begin in of_line
};

/// Linear in the number of calls. A collective is known by its group, its API and the how manieth call it is in the
/// group on each rank; a message by group, sender, receiver, tag and the how manieth it is.
Exchanges exchanges_of(const Step& step);

inline Transfer& transfer_of(const Step& step, const Exchange::Side& side) {
    const TimeLine& line = step.lines[side.line];
    return line.transfer_at(line.events[side.event], side.number);
}

inline DraftFinding* draft_of(const Step& step, const Exchange::Side& side) {
    const TimeLine& line = step.lines[side.line];
    return line.draft_at(line.events[side.event]);
}

/// Whether a side gives values to others, and whether it gets some.
bool gives(const Step& step, const Exchange& exchange, const Exchange::Side& side);

bool takes(const Step& step, const Exchange& exchange, const Exchange::Side& side);

/// Ranks that take part and whose call is not among the files.
std::vector<std::int64_t> missing_ranks(const Step& step, const Exchanges& exchanges, const Exchange& exchange);

struct Earliest {
    struct LineEvent {
        const TimeLine* line;
        const Event* event;
    };
    std::vector<LineEvent> events;  ///< by rank
    bool contradiction = false;     ///< the ranks' calls wait for each other in a circle: an order is missing
};

/// Linear in the number of events.
Earliest earliest_of(const Step& step, const Exchanges& exchanges, bool (*counts)(const DraftFinding&));

}  // namespace opdebug::api_culprits

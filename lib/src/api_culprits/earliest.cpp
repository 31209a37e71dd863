// The earliest findings of a step. Calls between ranks order its time lines.
#include "api_culprits/exchanges.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

namespace opdebug::api_culprits {
namespace {

bool is_root(const Step& step, const Exchange& exchange, const Exchange::Side& side) {
    const auto& rank = step.lines[side.line].rank;
    return rank && exchange.root && *exchange.root == static_cast<std::int64_t>(*rank);
}

/// The ranks whose call is in the files and gives values; sorted.
std::vector<std::int64_t> givers_of(const Step& step, const Exchange& exchange) {
    std::vector<std::int64_t> ranks;
    for (const Exchange::Side& side : exchange.sides) {
        const auto& rank = step.lines[side.line].rank;
        if (rank && gives(step, exchange, side)) {
            ranks.push_back(static_cast<std::int64_t>(*rank));
        }
    }
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

/// Walks along all time lines, again and again until all are at their end. A line stops at a call that takes values
/// until all givers have reached their call. Everything before the givers' calls is then before the rest of the line.
class Walk {
public:
    Walk(const Step& step, const Exchanges& exchanges, bool (*counts)(const DraftFinding&))
        : step_(step),
          exchanges_(exchanges),
          counts_(counts),
          lines_(step.lines.size()),
          meetings_(exchanges.all.size()) {
        for (std::size_t i = 0; i < exchanges.all.size(); ++i) {
            for (const Exchange::Side& side : exchanges.all[i].sides) {
                meetings_[i].awaited += gives(step, exchanges.all[i], side) ? 1U : 0U;
            }
        }
    }

    Earliest run() {
        Earliest earliest;
        for (bool is_moving = true; is_moving;) {
            is_moving = false;
            for (std::uint32_t line = 0; line < lines_.size(); ++line) {
                is_moving = advance(line) || is_moving;
            }
            if (!is_moving && pass_one()) {
                is_moving = earliest.contradiction = true;
            }
        }
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            const TimeLine& line = step_.lines[i];
            if (const Event* const first = lines_[i].first) {
                earliest.events.push_back({&step_, &line, line.files[first->file], line.draft_at(*first)});
            }
        }
        return earliest;
    }

private:
    struct Line {
        std::size_t event = 0;
        bool entered = false;     ///< the values of the event were given
        bool bad_before = false;  ///< a finding that counts is earlier
        const Event* first = nullptr;
    };
    struct Meeting {
        std::uint32_t awaited = 0;  ///< givers that have not reached their call
        bool bad_before = false;
    };

    const Event& event_of(std::uint32_t number) const { return step_.lines[number].events[lines_[number].event]; }

    void meet(std::uint32_t number) {
        Line& line = lines_[number];
        const DraftFinding* const draft = step_.lines[number].draft_at(event_of(number));
        if (draft != nullptr && counts_(*draft) && !line.bad_before) {
            line.first = &event_of(number);
        }
        line.bad_before = line.bad_before || (draft != nullptr && counts_(*draft));
    }

    bool counts_after(std::uint32_t number) const {
        const DraftFinding* const draft = step_.lines[number].draft_at(event_of(number));
        return draft != nullptr && draft->awaits == Awaits::other_ranks;
    }

    /// Whether `is` holds for an exchange of the event.
    template <class Is>
    bool any_exchange(std::uint32_t number, Is is) {
        const Event& event = event_of(number);
        bool any = false;
        for (std::uint32_t i = 0; i < event.transfers; ++i) {
            const std::uint32_t exchange = step_.lines[number].transfer_at(event, i).exchange;
            const Exchange::Side side{number, static_cast<std::uint32_t>(lines_[number].event), i};
            any = is(exchanges_.all[exchange], side, meetings_[exchange]) || any;
        }
        return any;
    }

    void enter(std::uint32_t number) {
        if (!counts_after(number)) {
            meet(number);
        }
        any_exchange(number, [&](const Exchange& exchange, const Exchange::Side& side, Meeting& meeting) {
            if (gives(step_, exchange, side)) {
                meeting.bad_before = meeting.bad_before || lines_[number].bad_before;
                --meeting.awaited;
            }
            return false;
        });
        lines_[number].entered = true;
    }

    bool waits(std::uint32_t number) {
        return any_exchange(number, [&](const Exchange& exchange, const Exchange::Side& side, const Meeting& meeting) {
            return meeting.awaited != 0 && takes(step_, exchange, side);
        });
    }

    void leave(std::uint32_t number) {
        Line& line = lines_[number];
        const bool takes_bad =
            any_exchange(number, [&](const Exchange& exchange, const Exchange::Side& side, const Meeting& meeting) {
                return meeting.bad_before && takes(step_, exchange, side);
            });
        line.bad_before = line.bad_before || takes_bad;
        if (counts_after(number)) {
            meet(number);
        }
        line.entered = false;
        ++line.event;
    }

    /// Returns whether the line moved.
    bool advance(std::uint32_t number) {
        Line& line = lines_[number];
        bool has_moved = false;
        while (line.event < step_.lines[number].events.size()) {
            if (!line.entered) {
                enter(number);
                has_moved = true;
            }
            if (waits(number)) {
                break;
            }
            leave(number);
            has_moved = true;
        }
        return has_moved;
    }

    /// No line can continue: the first one that waits stops waiting. Returns false if all lines are at their end.
    bool pass_one() {
        for (std::uint32_t number = 0; number < lines_.size(); ++number) {
            if (lines_[number].event < step_.lines[number].events.size()) {
                leave(number);
                return true;
            }
        }
        return false;
    }

    const Step& step_;
    const Exchanges& exchanges_;
    bool (*counts_)(const DraftFinding&);
    std::vector<Line> lines_;
    std::vector<Meeting> meetings_;
};

}  // namespace

bool gives(const Step& step, const Exchange& exchange, const Exchange::Side& side) {
    switch (exchange.flow) {
        case Flow::send: return transfer_of(step, side).flow == Flow::send;
        case Flow::from_root: return !exchange.root || is_root(step, exchange, side);
        default: return true;
    }
}

bool takes(const Step& step, const Exchange& exchange, const Exchange::Side& side) {
    switch (exchange.flow) {
        case Flow::send: return transfer_of(step, side).flow == Flow::receive;
        case Flow::from_root: return !is_root(step, exchange, side);
        case Flow::to_root: return !exchange.root || is_root(step, exchange, side);
        default: return true;
    }
}

std::vector<std::int64_t> missing_ranks(const Step& step, const Exchanges& exchanges, const Exchange& exchange) {
    std::vector<std::int64_t> wanted = exchanges.group_ranks[exchange.group];
    if (exchange.flow == Flow::send || exchange.flow == Flow::from_root) {
        wanted.clear();
        if (exchange.root && *exchange.root >= 0) {
            wanted.push_back(*exchange.root);
        }
    } else if (wanted.empty()) {
        for (const TimeLine& line : step.lines) {
            if (line.rank) {
                wanted.push_back(static_cast<std::int64_t>(*line.rank));
            }
        }
    }
    const std::vector<std::int64_t> here = givers_of(step, exchange);
    std::erase_if(wanted, [&here](std::int64_t rank) { return std::binary_search(here.begin(), here.end(), rank); });
    return wanted;
}

Earliest earliest_of(const Step& step, const Exchanges& exchanges, bool (*counts)(const DraftFinding&)) {
    return Walk(step, exchanges, counts).run();
}

}  // namespace opdebug::api_culprits

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

/// Walks along all time lines at once: linear in the number of events. A line stops at a call that takes values until
/// all givers have reached their call. Everything before the givers' calls is then before the rest of the line.
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
        for (std::uint32_t line = 0; line < lines_.size(); ++line) {
            ready_.push_back(line);
        }
    }

    Earliest run() {
        Earliest earliest;
        while (true) {
            while (!ready_.empty()) {
                const std::uint32_t line = ready_.front();
                ready_.pop_front();
                advance(line);
            }
            if (!pass_one()) {
                break;
            }
            earliest.contradiction = true;
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
        std::uint32_t taken = 0;  ///< transfers of the event that no longer wait
        bool waits = false;
        bool bad_before = false;  ///< a finding that counts is earlier
        const Event* first = nullptr;
    };
    struct Meeting {
        std::uint32_t awaited = 0;  ///< givers that have not reached their call
        bool bad_before = false;
        std::vector<std::uint32_t> waiting;
    };

    void meet(std::uint32_t number, Line& line) {
        const TimeLine& time = step_.lines[number];
        const DraftFinding* const draft = time.draft_at(time.events[line.event]);
        if (draft != nullptr && counts_(*draft) && !line.bad_before) {
            line.first = &time.events[line.event];
        }
        line.bad_before = line.bad_before || (draft != nullptr && counts_(*draft));
    }

    bool counts_after(std::uint32_t number, const Line& line) const {
        const TimeLine& time = step_.lines[number];
        const DraftFinding* const draft = time.draft_at(time.events[line.event]);
        return draft != nullptr && draft->awaits == Awaits::other_ranks;
    }

    template <class Use>
    void for_exchanges(std::uint32_t number, const Line& line, Use use) {
        const Event& event = step_.lines[number].events[line.event];
        for (std::uint32_t i = 0; i < event.transfers; ++i) {
            use(step_.lines[number].transfer_at(event, i).exchange,
                Exchange::Side{number, static_cast<std::uint32_t>(line.event), i});
        }
    }

    void enter(std::uint32_t number, Line& line) {
        if (!counts_after(number, line)) {
            meet(number, line);
        }
        for_exchanges(number, line, [&](std::uint32_t exchange, const Exchange::Side& side) {
            if (!gives(step_, exchanges_.all[exchange], side)) {
                return;
            }
            Meeting& meeting = meetings_[exchange];
            meeting.bad_before = meeting.bad_before || line.bad_before;
            if (--meeting.awaited == 0) {
                for (const std::uint32_t other : meeting.waiting) {
                    wake(other);
                }
                meeting.waiting.clear();
            }
        });
        line.entered = true;
    }

    void wake(std::uint32_t number) {
        if (lines_[number].waits) {
            lines_[number].waits = false;
            ready_.push_back(number);
        }
    }

    /// Whether all givers of the event have reached their call. If not, the line waits for the first missing giver.
    /// Waiting for all of them again and again would take quadratic time.
    bool has_taken(std::uint32_t number, Line& line) {
        const Event& event = step_.lines[number].events[line.event];
        for (; line.taken < event.transfers; ++line.taken) {
            const std::uint32_t exchange = step_.lines[number].transfer_at(event, line.taken).exchange;
            const Exchange::Side side{number, static_cast<std::uint32_t>(line.event), line.taken};
            if (takes(step_, exchanges_.all[exchange], side) && meetings_[exchange].awaited > 0) {
                meetings_[exchange].waiting.push_back(number);
                line.waits = true;
                return false;
            }
        }
        return true;
    }

    void leave(std::uint32_t number, Line& line) {
        bool taken = line.bad_before;
        for_exchanges(number, line, [&](std::uint32_t exchange, const Exchange::Side& side) {
            taken = taken || (takes(step_, exchanges_.all[exchange], side) && meetings_[exchange].bad_before);
        });
        line.bad_before = taken;
        if (counts_after(number, line)) {
            meet(number, line);
        }
        line.entered = false;
        line.taken = 0;
        ++line.event;
    }

    void advance(std::uint32_t number) {
        Line& line = lines_[number];
        while (line.event < step_.lines[number].events.size()) {
            if (!line.entered) {
                enter(number, line);
            }
            if (!has_taken(number, line)) {
                return;
            }
            leave(number, line);
        }
    }

    /// No line can continue: the first waiting line stops waiting. Returns false if all lines are at their end.
    bool pass_one() {
        for (std::uint32_t number = 0; number < lines_.size(); ++number) {
            if (lines_[number].waits) {
                lines_[number].waits = false;
                leave(number, lines_[number]);
                ready_.push_back(number);
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
    std::deque<std::uint32_t> ready_;
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

#include "api_culprits/exchanges.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <unordered_map>

namespace opdebug::api_culprits {
namespace {

constexpr std::int64_t kNobody = -1;

using Key = std::array<std::int64_t, 6>;

struct KeyHash {
    std::size_t operator()(const Key& key) const {
        std::uint64_t hash = 1469598103934665603U;
        for (const std::int64_t part : key) {
            hash = (hash ^ static_cast<std::uint64_t>(part)) * 0x9E3779B97F4A7C15U;
            hash ^= hash >> 31U;
        }
        return static_cast<std::size_t>(hash);
    }
};

/// One number for each group, whether it is called by its id, its ranks or both.
class GroupNumbers {
public:
    explicit GroupNumbers(Exchanges& exchanges) : exchanges_(exchanges) {}

    void learn(const FileFacts& facts) {
        for (const Group& group : facts.groups) {
            if (!group.id.empty() && !group.ranks.empty()) {
                ranks_of_id_.emplace(group.id, group.ranks);
            }
        }
    }

    std::uint32_t number_of(const Group& group) {
        std::vector<std::int64_t> ranks = group.ranks;
        const auto known = ranks_of_id_.find(group.id);
        if (ranks.empty() && known != ranks_of_id_.end()) {
            ranks = known->second;
        }
        std::string name = ranks.empty() ? "id " + group.id : "ranks";
        for (const std::int64_t rank : ranks) {
            name += " " + std::to_string(rank);
        }
        const auto [place, is_new] = numbers_.emplace(name, static_cast<std::uint32_t>(exchanges_.group_ranks.size()));
        if (is_new) {
            exchanges_.group_ranks.push_back(std::move(ranks));
        }
        return place->second;
    }

private:
    Exchanges& exchanges_;
    std::unordered_map<std::string, std::vector<std::int64_t>> ranks_of_id_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
};

class Matching {
public:
    Matching(const Step& step, Exchanges& exchanges) : step_(step), exchanges_(exchanges), groups_(exchanges) {
        for (const TimeLine& line : step.lines) {
            for (const FileFacts* const file : line.files) {
                groups_.learn(*file);
            }
        }
    }

    void add_line(std::uint32_t number) {
        const TimeLine& line = step_.lines[number];
        std::vector<std::vector<std::uint32_t>> groups;  // of each file
        for (const FileFacts* const file : line.files) {
            auto& numbers = groups.emplace_back();
            for (const Group& group : file->groups) {
                numbers.push_back(groups_.number_of(group));
            }
        }
        std::unordered_map<Key, std::int64_t, KeyHash> counts;
        auto& of_line = exchanges_.of_line.emplace_back();
        auto& first = exchanges_.first_of_event.emplace_back();
        for (std::uint32_t event = 0; event < line.events.size(); ++event) {
            first.push_back(static_cast<std::uint32_t>(of_line.size()));
            for (std::uint32_t i = 0; i < line.events[event].transfers; ++i) {
                const Transfer& transfer = line.transfer_at(line.events[event], i);
                const std::uint32_t group = groups[line.events[event].file][transfer.group];
                of_line.push_back(add(transfer, group, {number, event, i}, counts));
            }
        }
    }

private:
    std::int64_t rank_of(const Exchange::Side& side) const {
        const auto& rank = step_.lines[side.line].rank;
        // Lines without a rank are told apart, and match no message.
        return rank ? static_cast<std::int64_t>(*rank) : std::numeric_limits<std::int64_t>::min() + side.line;
    }

    std::uint32_t add(const Transfer& transfer, std::uint32_t group, const Exchange::Side& side,
                      std::unordered_map<Key, std::int64_t, KeyHash>& counts) {
        const bool message = transfer.flow == Flow::send || transfer.flow == Flow::receive;
        Key key{};
        if (message) {
            const std::int64_t partner = transfer.partner.value_or(kNobody - rank_of(side) - 1);
            const bool sends = transfer.flow == Flow::send;
            key = {kNobody, group, sends ? rank_of(side) : partner, sends ? partner : rank_of(side), transfer.tag, 0};
            Key counted = key;
            counted[5] = sends ? 1 : 2;  // a rank may send to itself
            key[5] = counts[counted]++;
        } else {
            key = {0, group, static_cast<std::int64_t>(std::hash<std::string_view>()(transfer.api->function) >> 2U),
                   0, 0,     0};
            key[5] = counts[key]++;
        }
        const auto [place, is_new] = numbers_.emplace(key, static_cast<std::uint32_t>(exchanges_.all.size()));
        if (is_new) {
            Exchange& exchange = exchanges_.all.emplace_back();
            exchange.flow = message ? Flow::send : transfer.flow;
            exchange.group = group;
            exchange.root = message ? std::optional(key[2]) : transfer.partner;
        }
        exchanges_.all[place->second].sides.push_back(side);
        return place->second;
    }

    const Step& step_;
    Exchanges& exchanges_;
    GroupNumbers groups_;
    std::unordered_map<Key, std::uint32_t, KeyHash> numbers_;
};

bool is_root(const Step& step, const Exchange& exchange, const Exchange::Side& side) {
    const auto& rank = step.lines[side.line].rank;
    return rank && exchange.root && *exchange.root == static_cast<std::int64_t>(*rank);
}

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
    std::vector<std::int64_t> missing;
    for (const std::int64_t rank : wanted) {
        const bool here = std::any_of(exchange.sides.begin(), exchange.sides.end(), [&](const Exchange::Side& side) {
            const auto& own = step.lines[side.line].rank;
            return own && static_cast<std::int64_t>(*own) == rank && gives(step, exchange, side);
        });
        if (!here) {
            missing.push_back(rank);
        }
    }
    return missing;
}

Exchanges exchanges_of(const Step& step) {
    Exchanges exchanges;
    Matching matching(step, exchanges);
    for (std::uint32_t line = 0; line < step.lines.size(); ++line) {
        matching.add_line(line);
    }
    return exchanges;
}

}  // namespace opdebug::api_culprits

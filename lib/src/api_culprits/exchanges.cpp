#include "api_culprits/exchanges.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/container_hash/hash.hpp>
#include <boost/crc.hpp>

namespace opdebug::api_culprits {
namespace {

constexpr std::int64_t kNobody = -1;

using Key = std::array<std::int64_t, 6>;

using KeyCounts = std::unordered_map<Key, std::int64_t, boost::hash<Key>>;

bool is_default(const Group& group) {
    return group.id.empty() && group.ranks.empty();
}

/// The ranks of the step; empty if a time line has none.
std::vector<std::int64_t> ranks_of(const Step& step) {
    std::vector<std::int64_t> ranks;
    for (const TimeLine& line : step.lines) {
        if (!line.rank) {
            return {};
        }
        ranks.push_back(static_cast<std::int64_t>(*line.rank));
    }
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

/// msprobe's id of a group since May 2025: the CRC-32 of Python's text of its ranks, "[0, 1]", in eight hexadecimal
/// digits. Before May 2025 it was the MD5 of that text.
std::string id_of(const std::vector<std::int64_t>& ranks) {
    const std::string text = fmt::format("[{}]", fmt::join(ranks, ", "));
    boost::crc_32_type crc;
    crc.process_bytes(text.data(), text.size());
    return fmt::format("{:08x}", crc.checksum());
}

/// One number for each group, identified by id, ranks or both. A group of all ranks is the default group if some ranks
/// name it so and others do not. If every rank uses both, they are two groups. For messages they are always one: a
/// P2POp has an id even if the adjacent call, or the call on the other rank, names no group.
class GroupNumbers {
public:
    GroupNumbers(const Step& step, Exchanges& exchanges) : exchanges_(exchanges) {
        for (const TimeLine& line : step.lines) {
            for (const FileFacts* const file : line.files) {
                learn(*file);
            }
        }
        all_ranks_ = ranks_of(step);
        if (all_ranks_.size() > 1) {
            ranks_of_id_.emplace(id_of(all_ranks_), all_ranks_);  // a P2POp has only the id
        }
        learn_names(step);
        for (const TimeLine& line : step.lines) {
            all_are_default_ = all_are_default_ || !uses_both(line);
        }
    }

    /// Whether a group with only a name consists of the ranks that use the name.
    bool is_known_by_name(const Group& group) const {
        return is_default(group) && ranks_of_name_.count(group.name) != 0;
    }

    std::uint32_t number_of(const Group& group, bool of_message) {
        std::vector<std::int64_t> ranks = ranks_of_group(group);
        const bool as_default =
            ranks.empty() ? is_default(group) : ((of_message || all_are_default_) && are_all(ranks));
        std::string name = as_default ? "default" : ranks.empty() ? "id " + group.id : "ranks";
        if (as_default) {
            ranks.clear();  // all ranks of the step
        }
        for (const std::int64_t rank : ranks) {
            name += " " + std::to_string(rank);
        }
        const auto [slot, is_new] = numbers_.emplace(name, static_cast<std::uint32_t>(exchanges_.group_ranks.size()));
        if (is_new) {
            exchanges_.group_ranks.push_back(std::move(ranks));
        }
        return slot->second;
    }

private:
    void learn(const FileFacts& facts) {
        for (const Group& group : facts.groups) {
            if (!group.id.empty() && !group.ranks.empty()) {
                ranks_of_id_.emplace(group.id, group.ranks);
            }
        }
    }

    /// A name that several ranks use and others do not is the name of one group. A name that all ranks use may belong
    /// to several groups.
    void learn_names(const Step& step) {
        std::map<std::string, std::set<std::int64_t>> users;
        for (const TimeLine& line : step.lines) {
            for (const FileFacts* const file : line.files) {
                for (const Group& group : file->groups) {
                    if (line.rank && is_default(group) && !group.name.empty()) {
                        users[group.name].insert(static_cast<std::int64_t>(*line.rank));
                    }
                }
            }
        }
        for (const auto& [name, ranks] : users) {
            if (ranks.size() > 1 && ranks.size() < all_ranks_.size()) {
                ranks_of_name_.emplace(name, std::vector(ranks.begin(), ranks.end()));
            }
        }
    }

    std::vector<std::int64_t> ranks_of_group(const Group& group) const {
        if (is_known_by_name(group)) {
            return ranks_of_name_.at(group.name);
        }
        const auto known = ranks_of_id_.find(group.id);
        return group.ranks.empty() && known != ranks_of_id_.end() ? known->second : group.ranks;
    }

    bool are_all(const std::vector<std::int64_t>& ranks) const { return ranks.size() > 1 && ranks == all_ranks_; }

    bool uses_both(const TimeLine& line) const {
        bool has_default = false, has_all = false;
        for (const FileFacts* const file : line.files) {
            for (const Group& group : file->groups) {
                has_default = has_default || (is_default(group) && !is_known_by_name(group));
                has_all = has_all || (!is_default(group) && are_all(ranks_of_group(group)));
            }
        }
        return has_default && has_all;
    }

    Exchanges& exchanges_;
    std::vector<std::int64_t> all_ranks_;
    bool all_are_default_ = false;
    std::unordered_map<std::string, std::vector<std::int64_t>> ranks_of_id_;
    std::unordered_map<std::string, std::vector<std::int64_t>> ranks_of_name_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
};

bool is_message(const Transfer& transfer) {
    return transfer.flow == Flow::send || transfer.flow == Flow::receive;
}

/// APIs whose group is in no dump, and their number of calls on each time line.
class MissingGroups {
public:
    MissingGroups(const Step& step, const GroupNumbers& groups) {
        for (std::size_t line = 0; line < step.lines.size(); ++line) {
            for (const FileFacts* const file : step.lines[line].files) {
                for (const Transfer& transfer : file->transfers) {
                    if (transfer.lacks_group && !groups.is_known_by_name(file->groups[transfer.group])) {
                        auto& calls = calls_[transfer.api];
                        calls.resize(step.lines.size());
                        ++calls[line];
                    }
                }
            }
        }
    }

    /// Whether all ranks are assumed as its group: there are several, with equal numbers of calls.
    bool is_assumed(const CommunicationApi* api) const {
        const auto known = calls_.find(api);
        return known != calls_.end() && known->second.size() > 1 &&
               std::equal(std::next(known->second.begin()), known->second.end(), known->second.begin());
    }

private:
    std::unordered_map<const CommunicationApi*, std::vector<std::uint64_t>> calls_;
};

class Matching {
public:
    Matching(const Step& step, Exchanges& exchanges)
        : step_(step), exchanges_(exchanges), groups_(step, exchanges), missing_groups_(step, groups_) {}

    void add_line(std::uint32_t number) {
        const TimeLine& line = step_.lines[number];
        struct Numbers {
            std::uint32_t of_collective, of_message;
        };
        std::vector<std::vector<Numbers>> groups;  // for each file
        for (const FileFacts* const file : line.files) {
            auto& numbers = groups.emplace_back();
            for (const Group& group : file->groups) {
                numbers.push_back({groups_.number_of(group, false), groups_.number_of(group, true)});
            }
        }
        KeyCounts counts;
        for (std::uint32_t event = 0; event < line.events.size(); ++event) {
            for (std::uint32_t i = 0; i < line.events[event].transfers; ++i) {
                Transfer& transfer = line.transfer_at(line.events[event], i);
                const Numbers& group = groups[line.events[event].file][transfer.group];
                const Group& named = line.files[line.events[event].file]->groups[transfer.group];
                const bool lacks_group = transfer.lacks_group && !groups_.is_known_by_name(named);
                transfer.exchange = add(transfer, is_message(transfer) ? group.of_message : group.of_collective,
                                        lacks_group, {number, event, i}, counts);
            }
        }
    }

private:
    std::int64_t rank_of(const Exchange::Side& side) const {
        const auto& rank = step_.lines[side.line].rank;
        // Lines without a rank are distinct and match no message.
        return rank ? static_cast<std::int64_t>(*rank) : std::numeric_limits<std::int64_t>::min() + side.line;
    }

    std::uint32_t add(const Transfer& transfer, std::uint32_t group, bool lacks_group, const Exchange::Side& side,
                      KeyCounts& counts) {
        const bool message = is_message(transfer);
        const GroupSource source = !lacks_group                                           ? GroupSource::dumped
                                   : !message && missing_groups_.is_assumed(transfer.api) ? GroupSource::assumed
                                                                                          : GroupSource::unknown;
        Key key{};
        if (message) {
            const std::int64_t partner = transfer.partner.value_or(kNobody - rank_of(side) - 1);
            const bool sends = transfer.flow == Flow::send;
            key = {kNobody, group, sends ? rank_of(side) : partner, sends ? partner : rank_of(side), transfer.tag, 0};
            Key counted = key;
            counted[5] = sends ? 1 : 2;  // a rank may send to itself
            key[5] = counts[counted]++;
        } else {
            key = {0, group, static_cast<std::int64_t>(std::hash<std::string_view>()(transfer.api->name) >> 2U),
                   0, 0,     0};
            key[5] = counts[key]++;
        }
        if (source == GroupSource::unknown) {
            key[1] = -1 - static_cast<std::int64_t>(side.line);  // distinct from all others
        }
        const auto [slot, is_new] = numbers_.emplace(key, static_cast<std::uint32_t>(exchanges_.all.size()));
        if (is_new) {
            Exchange& exchange = exchanges_.all.emplace_back();
            exchange.flow = message ? Flow::send : transfer.flow;
            exchange.group = group;
            exchange.group_source = source;
            exchange.root = message ? std::optional(key[2]) : transfer.partner;
        }
        exchanges_.all[slot->second].sides.push_back(side);
        return slot->second;
    }

    const Step& step_;
    Exchanges& exchanges_;
    GroupNumbers groups_;
    MissingGroups missing_groups_;
    std::unordered_map<Key, std::uint32_t, boost::hash<Key>> numbers_;
};

}  // namespace

Exchanges exchanges_of(const Step& step) {
    Exchanges exchanges;
    Matching matching(step, exchanges);
    for (std::uint32_t line = 0; line < step.lines.size(); ++line) {
        matching.add_line(line);
    }
    return exchanges;
}

}  // namespace opdebug::api_culprits

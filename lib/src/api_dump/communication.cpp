#include "api_dump/communication.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

namespace opdebug::api_dump {
namespace {

/// Where an API has its ranks when they are not named: positions among the arguments, from 0.
struct RankPlaces {
    std::string_view api;  ///< without "Distributed."
    std::string_view source, destination, tag;
};

// Source: signatures of torch.distributed (distributed_c10d.py); mindspore.mint.distributed has the same.
constexpr RankPlaces kRankPlaces[] = {
    {"send", {}, "1", "3"},
    {"isend", {}, "1", "3"},
    {"recv", "1", {}, "3"},
    {"irecv", "1", {}, "3"},
    {"broadcast", "1", {}, {}},
    {"reduce", {}, "1", {}},
    {"gather", {}, "2", {}},
    {"scatter", "2", {}, {}},
    {"send_object_list", {}, "1", {}},
    {"recv_object_list", "1", {}, {}},
    {"broadcast_object_list", "1", {}, {}},
    {"gather_object", {}, "2", {}},
    {"scatter_object_list", "2", {}, {}},
};

/// The part behind "Distributed." or "MintDistributed."; empty for other APIs.
std::string_view distributed_api(std::string_view api) {
    for (const std::string_view prefix : {"Distributed.", "MintDistributed."}) {
        if (api.substr(0, prefix.size()) == prefix) {
            return api.substr(prefix.size());
        }
    }
    return {};
}

std::optional<std::int64_t> rank_in(const ApiValue& value) {
    constexpr double kMost = 1e15;
    const bool is_rank = value.is_scalar && value.dtype == "int" && value.max && std::abs(*value.max) < kMost;
    return is_rank ? std::optional<std::int64_t>(static_cast<std::int64_t>(*value.max)) : std::nullopt;
}

/// The rank of the group's member of that number. The default group has all ranks; those of a group with an id only are
/// not known.
std::optional<std::int64_t> rank_of_member(const ApiValue& value, const ApiCommunication& group) {
    const std::optional<std::int64_t> member = rank_in(value);
    const auto& ranks = group.group_ranks;
    if (!member || ranks.empty()) {
        return group.group_id.empty() ? member : std::nullopt;
    }
    const bool is_member = *member >= 0 && static_cast<std::size_t>(*member) < ranks.size();
    return is_member ? std::optional(ranks[static_cast<std::size_t>(*member)]) : std::nullopt;
}

void take_rank(const ApiValue& value, const RankPlaces* places, ApiCommunication& communication) {
    const auto is_place = [&value, places](std::string_view RankPlaces::*place) {
        return places != nullptr && value.kind == ApiValueKind::input && !(places->*place).empty() &&
               value.index == places->*place;
    };
    const auto is_named = [&value](std::string_view name) {
        return value.kind == ApiValueKind::keyword && value.index == name;
    };
    if (is_place(&RankPlaces::source) || is_named("src")) {
        communication.source = rank_in(value);
    } else if (is_place(&RankPlaces::destination) || is_named("dst")) {
        communication.destination = rank_in(value);
    } else if (is_named("group_src")) {
        communication.source = rank_of_member(value, communication);
    } else if (is_named("group_dst")) {
        communication.destination = rank_of_member(value, communication);
    } else if (is_place(&RankPlaces::tag) || is_named("tag")) {
        communication.tag = rank_in(value);
    }
}

}  // namespace

void add_communication_of_arguments(const std::optional<ApiCommunication>& group, const std::string& reduction,
                                    ApiEntry& entry) {
    const std::string_view api = distributed_api(entry.api);
    if (api.empty() && !group) {
        return;
    }
    ApiCommunication communication = group.value_or(ApiCommunication());
    if (!api.empty()) {
        communication.reduction = reduction;
        const auto* const places = std::find_if(std::begin(kRankPlaces), std::end(kRankPlaces),
                                                [api](const RankPlaces& row) { return row.api == api; });
        for (const ApiValue& value : entry.values) {
            take_rank(value, places == std::end(kRankPlaces) ? nullptr : places, communication);
        }
    }
    const bool says_something = group || communication.source || communication.destination || communication.tag ||
                                !communication.reduction.empty();
    if (says_something) {
        entry.communication.push_back(std::move(communication));
    }
}

}  // namespace opdebug::api_dump

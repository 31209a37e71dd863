// Evidence in the values of a call.
#include "api_culprits/judge_call.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "remarks/diagnose.hpp"

namespace opdebug::api_culprits {
namespace {

bool is_argument(const ApiValue& value, std::string_view position, std::string_view keyword) {
    return (value.kind == ApiValueKind::input && !position.empty() && first_of(value.index) == position) ||
           (value.kind == ApiValueKind::keyword && !keyword.empty() && first_of(value.index) == keyword);
}

const ApiCommunication* peer_operation_of(const Call& call, std::size_t value) {
    const auto slot = call.messages.find(value);
    return slot == call.messages.end() ? nullptr : slot->second;
}

bool is_named_mask(const ApiValue& value) {
    return value.kind == ApiValueKind::keyword && value.index.find("mask") != std::string::npos;
}

/// Of a bad input: real, deliberate or unwritten.
Meaning meaning_of(const ApiValue& value, const Call& call, const SeenValues& seen) {
    const auto* const earlier = value.is_scalar ? nullptr : seen.find(value);
    if (earlier != nullptr && earlier->meaning != Meaning::received) {
        return earlier->meaning == Meaning::constant ? Meaning::real : earlier->meaning;
    }
    if (!only_negative_is_bad(value, call.rounded)) {
        return Meaning::real;
    }
    if (value.is_scalar) {
        return call.makes_masks ? Meaning::deliberate : Meaning::real;
    }
    // Gradients and weights contain no masks, except masks from a known call.
    const bool may_be_mask = call.entry.phase != ApiPhase::backward && value.kind != ApiValueKind::parameter;
    if (!may_be_mask || seen.was_real_in_any_shape(value)) {
        return Meaning::real;
    }
    // Masks contain 0 and -Inf, or 0 and the negative limit.
    const bool looks_like_mask = value.max && *value.max <= 0 && std::isfinite(*value.max);
    return looks_like_mask || is_named_mask(value) || call.api.takes_masked_values ||
                   seen.was_deliberate_in_any_shape(value)
               ? Meaning::deliberate
               : Meaning::real;
}

void sort_input(std::size_t index, ApiState state, const Call& call, const SeenValues& seen, Evidence& evidence) {
    const ApiValue& value = call.entry.values[index];
    if (call.api.is_not_read(value) || is_received_into(call, index)) {
        return;
    }
    if (!is_bad(state)) {
        if (has_elements(value)) {
            state == ApiState::unknown ? evidence.unknown_inputs.push_back(index) : void(++evidence.known_inputs);
        }
        return;
    }
    ++evidence.known_inputs;
    const Meaning meaning = meaning_of(value, call, seen);
    (meaning == Meaning::deliberate          ? evidence.masks
     : meaning == Meaning::unwritten         ? evidence.unwritten
     : value.kind == ApiValueKind::parameter ? evidence.bad_weights
                                             : evidence.bad_inputs)
        .push_back(index);
}

/// Whether another rank is known as the root.
bool is_off_root(const Call& call) {
    return call.partner && call.rank && static_cast<std::uint64_t>(*call.partner) != *call.rank;
}

/// Sending has no results. The results of a reduction on ranks other than the root are undefined.
bool gives_results(const Call& call, std::size_t index) {
    if (call.communication == nullptr) {
        return true;
    }
    switch (call.communication->flow) {
        case Flow::send: return false;
        case Flow::batch: {
            const ApiCommunication* const peer = peer_operation_of(call, index);
            return peer == nullptr || peer->operation != "isend";
        }
        case Flow::to_root: return !is_off_root(call);
        default: return true;
    }
}

void sort_output(std::size_t index, ApiState state, const Call& call, Evidence& evidence) {
    if (call.api.is_no_result(call.entry.values[index]) || !gives_results(call, index)) {
        return;
    }
    ++evidence.outputs;
    if (state != ApiState::unknown) {
        ++evidence.known_outputs;
    }
    if (is_bad(state)) {
        evidence.bad_outputs.push_back(index);
    }
}

Messages messages_of(const ApiEntry& entry) {
    Messages messages;
    for (const ApiCommunication& communication : entry.communication) {
        if (!communication.operation.empty()) {
            messages.emplace(communication.value, &communication);  // the first one counts
        }
    }
    return messages;
}

/// An integer among the arguments, such as a rank.
std::optional<std::int64_t> integer_in(const ApiEntry& entry, std::string_view position, std::string_view keyword) {
    constexpr double kMost = 1e9;
    const auto value = std::find_if(entry.values.begin(), entry.values.end(), [&](const ApiValue& one) {
        return one.is_scalar && one.max && *one.max >= 0 && *one.max < kMost && is_argument(one, position, keyword);
    });
    return value == entry.values.end() ? std::nullopt : std::optional(static_cast<std::int64_t>(*value->max));
}

/// The global rank of a member of the call's group. The default group has all ranks; the ranks of a group with only an
/// id are unknown.
std::optional<std::int64_t> rank_of_member(std::int64_t member, const ApiEntry& entry) {
    for (const ApiCommunication& group : entry.communication) {
        if (!group.group_ranks.empty()) {
            const auto slot = static_cast<std::size_t>(member);
            return slot < group.group_ranks.size() ? std::optional(group.group_ranks[slot]) : std::nullopt;
        }
        if (!group.group_id.empty()) {
            return std::nullopt;
        }
    }
    return member;
}

/// The root or the peer of a call between ranks.
std::optional<std::int64_t> partner_of(const ApiEntry& entry, const CommunicationApi& api) {
    if (const auto rank = integer_in(entry, api.partner_position, api.partner_keyword)) {
        return rank;
    }
    const std::string of_group = api.partner_keyword.empty() ? "" : "group_" + api.partner_keyword;
    if (const auto member = integer_in(entry, {}, of_group)) {
        return rank_of_member(*member, entry);
    }
    return api.partner_0_by_default ? std::optional<std::int64_t>(0) : std::nullopt;
}

/// torch.distributed's functions have a result buffer next to their inputs. MindSpore's functions of the same names
/// return the result.
bool has_one_tensor(const ApiEntry& entry) {
    return std::count_if(entry.values.begin(), entry.values.end(), [](const ApiValue& value) {
               return value.kind != ApiValueKind::output && !value.is_scalar;
           }) == 1;
}

/// The kind of call between ranks, or null. Backwards communicate only in fused calls: torch.distributed's functions
/// have no backward.
const CommunicationApi* communication_of(const ApiEntry& entry, const KnownApi& api) {
    const bool is_backward = entry.phase == ApiPhase::backward;
    const bool is_call = is_backward || entry.phase == ApiPhase::forward || entry.phase == ApiPhase::kernel;
    const bool communicates = api.communication != nullptr && is_call && !entry.is_module;
    return communicates && (!is_backward || api.communication->computes) ? api.communication : nullptr;
}

bool has_bad_number(const ApiEntry& entry, std::span<const ApiState> states) {
    for (std::size_t i = 0; i < states.size(); ++i) {
        const ApiValue& value = entry.values[i];
        if (is_bad(states[i]) && value.is_scalar && value.kind != ApiValueKind::output) {
            return true;
        }
    }
    return false;
}

}  // namespace

Call call_of(const ApiEntry& entry, const KnownApi& api, std::span<const ApiState> states,
             std::optional<std::uint64_t> rank, bool rounded) {
    const CommunicationApi* const communication = communication_of(entry, api);
    Call call{entry, api, states, communication, rank, rounded, {}, {}, 0, false, false};
    call.makes_masks = api.makes_masks || (api.writes_number && has_bad_number(entry, states));
    if (communication != nullptr) {
        call.gives_only_tensor = communication->flow == Flow::everyone && has_one_tensor(entry);
        call.partner = partner_of(entry, *communication);
        call.tag = integer_in(entry, communication->tag_position, "tag").value_or(0);
        call.messages = communication->flow == Flow::batch ? messages_of(entry) : Messages();
    }
    return call;
}

bool is_received_into(const Call& call, std::size_t value) {
    if (call.communication == nullptr) {
        return false;
    }
    const CommunicationApi& api = *call.communication;
    if (api.flow == Flow::batch) {
        const ApiCommunication* const peer = peer_operation_of(call, value);
        return peer != nullptr && peer->operation == "irecv";
    }
    if (api.received_off_root) {
        return is_off_root(call);
    }
    return !call.gives_only_tensor &&
           is_argument(call.entry.values[value], api.received_position, api.received_keyword);
}

Evidence evidence_of(const Call& call, const SeenValues& seen) {
    Evidence evidence;
    for (std::size_t i = 0; i < call.entry.values.size(); ++i) {
        const ApiValue& value = call.entry.values[i];
        const ApiState state = call.states[i];
        value.kind == ApiValueKind::output ? sort_output(i, state, call, evidence)
                                           : sort_input(i, state, call, seen, evidence);
    }
    return evidence;
}

LocalizedText words_of(const std::vector<std::size_t>& values, const Call& call) {
    constexpr std::size_t kMostNamed = 3;
    std::vector<LocalizedText> texts;
    const std::size_t named = std::min(values.size(), kMostNamed);
    texts.reserve(named);
    for (std::size_t i = 0; i < named; ++i) {
        const ApiValue& value = call.entry.values[values[i]];
        const LocalizedText words = words_of(value, call.rounded);
        texts.push_back(
            {fmt::format("{} {}", name_of(value), words.en), fmt::format("{} {}", name_of(value), words.zh)});
    }
    LocalizedText text = remarks::joined(texts, {", ", "，"});
    return values.size() > named ? remarks::phrase("list_more", {{"list", text}, {"count", values.size() - named}})
                                 : text;
}

std::vector<std::uint64_t> fingerprints(const std::vector<std::size_t>& values, const Call& call) {
    std::vector<std::uint64_t> prints;
    prints.reserve(values.size());
    for (const std::size_t i : values) {
        prints.push_back(fingerprint_of(call.entry.values[i]));
    }
    return prints;
}

}  // namespace opdebug::api_culprits

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
    const auto place = call.messages.find(value);
    return place == call.messages.end() ? nullptr : place->second;
}

/// A result whose lower end may be a written number, with a finite upper end: "pad" with value=-inf writes it, while a
/// multiplication by it would change both ends.
bool may_be_written(const ApiValue& result, bool rounded) {
    return result.min && result.max && std::isfinite(*result.max) && *result.max > *result.min &&
           only_negative_is_bad(result, rounded);
}

/// The lower ends of the bad results, if each of them may be written. Otherwise empty.
std::optional<Bounds> written_ends(const ApiEntry& entry, bool rounded) {
    std::optional<Bounds> ends;
    for (const ApiValue& value : entry.values) {
        if (value.kind != ApiValueKind::output || !is_bad(state_of(value, rounded))) {
            continue;
        }
        if (!may_be_written(value, rounded)) {
            return std::nullopt;
        }
        ends = ends ? Bounds{std::min(ends->lowest, *value.min), std::max(ends->highest, *value.min)}
                    : Bounds{*value.min, *value.min};
    }
    return ends;
}

bool has_bad_number(const ApiEntry& entry, bool rounded) {
    return std::any_of(entry.values.begin(), entry.values.end(), [rounded](const ApiValue& value) {
        return value.is_scalar && value.kind != ApiValueKind::output && is_bad(state_of(value, rounded));
    });
}

/// Whether the call writes the number into its results: every bad result then shows it.
bool is_filled_in(const ApiValue& scalar, const Call& call) {
    return scalar.max && call.written && are_equal(call.written->lowest, *scalar.max, call.rounded) &&
           are_equal(call.written->highest, *scalar.max, call.rounded);
}

/// Meaning of a bad input: a bad value, a mask, or unwritten memory.
enum class InputMeaning { bad, mask, unwritten };

bool is_named_mask(const ApiValue& value) {
    return value.kind == ApiValueKind::keyword && value.index.find("mask") != std::string::npos;
}

InputMeaning meaning_of(const ApiValue& value, const Call& call, const SeenValues& seen) {
    const auto* const earlier = value.is_scalar ? nullptr : seen.find(value);
    if (earlier != nullptr && earlier->meaning != Meaning::received) {
        return earlier->meaning == Meaning::unwritten    ? InputMeaning::unwritten
               : earlier->meaning == Meaning::deliberate ? InputMeaning::mask
                                                         : InputMeaning::bad;
    }
    if (!only_negative_is_bad(value, call.rounded)) {
        return InputMeaning::bad;
    }
    if (value.is_scalar) {
        return makes_masks(call.function) || is_filled_in(value, call) ? InputMeaning::mask : InputMeaning::bad;
    }
    // Gradients and weights contain no masks, except masks from a known call.
    const bool may_be_mask = call.entry.phase != ApiPhase::backward && value.kind != ApiValueKind::parameter;
    if (!may_be_mask || seen.was_real_in_any_shape(value)) {
        return InputMeaning::bad;
    }
    // Masks contain 0 and -Inf, or 0 and the negative limit.
    const bool looks_like_mask = value.max && *value.max <= 0 && std::isfinite(*value.max);
    return looks_like_mask || is_named_mask(value) || takes_masked_values(call.function) ||
                   seen.was_deliberate_in_any_shape(value)
               ? InputMeaning::mask
               : InputMeaning::bad;
}

void sort_input(std::size_t index, ApiState state, const Call& call, const SeenValues& seen, Evidence& evidence) {
    const ApiValue& value = call.entry.values[index];
    if (is_not_read(call.function, value) || is_received_into(call, index)) {
        return;
    }
    if (!is_bad(state)) {
        if (has_elements(value)) {
            state == ApiState::unknown ? evidence.unknown_inputs.push_back(index) : void(++evidence.known_inputs);
        }
        return;
    }
    ++evidence.known_inputs;
    switch (meaning_of(value, call, seen)) {
        case InputMeaning::mask: evidence.masks.push_back(index); return;
        case InputMeaning::unwritten: evidence.unwritten.push_back(index); return;
        case InputMeaning::bad: break;
    }
    (value.kind == ApiValueKind::parameter ? evidence.bad_weights : evidence.bad_inputs).push_back(index);
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
    if (is_no_result(call.function, call.entry.values[index]) || !gives_results(call, index)) {
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

/// The root or the peer of a call between ranks.
std::optional<std::int64_t> partner_of(const ApiEntry& entry, const CommunicationApi& api) {
    for (const ApiCommunication& communication : entry.communication) {
        const bool to = api.flow == Flow::send || api.flow == Flow::to_root;
        const std::optional<std::int64_t>& named = to ? communication.destination : communication.source;
        if (communication.operation.empty() && (named || communication.peer)) {
            return named ? named : communication.peer;
        }
    }
    for (const ApiValue& value : entry.values) {
        if (value.is_scalar && value.max && *value.max >= 0 && *value.max < 1e9 &&
            is_argument(value, api.partner_position, api.partner_keyword)) {
            return static_cast<std::int64_t>(*value.max);
        }
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

}  // namespace

Call call_of(const ApiEntry& entry, const CommunicationApi* communication, std::optional<std::uint64_t> rank,
             bool rounded) {
    Call call{entry, function_of(entry.api), communication, rank, rounded, {}, {}, false, {}};
    if (communication != nullptr) {
        call.gives_only_tensor = communication->flow == Flow::everyone && has_one_tensor(entry);
        call.partner = partner_of(entry, *communication);
        call.messages = communication->flow == Flow::batch ? messages_of(entry) : Messages();
    }
    if (has_bad_number(entry, rounded)) {
        call.written = written_ends(entry, rounded);
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
        const ApiState state = state_of(value, call.rounded);
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

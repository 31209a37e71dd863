// Evidence in the values of a call, and values that it gives to other ranks.
#include "api_culprits/judge_call.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string_view>

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

/// Indices in Evidence are sorted.
bool is_in(const std::vector<std::size_t>& values, std::size_t i) {
    return std::binary_search(values.begin(), values.end(), i);
}

/// The results of a batch are its arguments after the call: the n-th message belongs to the n-th argument. Returns
/// whether each is bad.
std::vector<bool> bad_messages(const Call& call, const Evidence& evidence) {
    std::vector<bool> bad;
    for (const ApiCommunication& communication : call.entry.communication) {
        if (!communication.operation.empty() && communication.is_result) {
            bad.push_back(is_in(evidence.bad_outputs, communication.value));
        }
    }
    return bad;
}

/// Names of torch.distributed.ReduceOp. The default is SUM.
Reduction reduction_of(const CommunicationApi& api, std::string_view name) {
    const bool sums = name.empty() || name == "SUM" || name == "AVG" || name == "PREMUL_SUM";
    return !api.sums                             ? Reduction::none
           : sums                                ? Reduction::sum
           : name == "PRODUCT" || name == "PROD" ? Reduction::product
                                                 : Reduction::none;
}

void add_magnitude(Transfer& transfer, const ApiValue& value) {
    for (const std::optional<double>& number : {value.max, value.min}) {
        if (number && std::isfinite(*number)) {
            transfer.magnitude = std::max(transfer.magnitude, std::fabs(*number));
        }
    }
    transfer.limit = std::max(transfer.limit, limit_of(value.dtype).value_or(0));
}

GroupedTransfer grouped(Transfer transfer, const ApiCommunication& communication) {
    transfer.tag = communication.tag.value_or(0);
    return {transfer, {communication.group_id, communication.group_ranks, communication.group_name}};
}

/// The messages of a batch. `transfer`: their common members.
std::vector<GroupedTransfer> messages(const Call& call, const Evidence& evidence, Transfer transfer) {
    const std::vector<bool> bad_results = bad_messages(call, evidence);
    std::vector<GroupedTransfer> all;
    for (const ApiCommunication& communication : call.entry.communication) {
        if (communication.operation.empty() || communication.is_result) {
            continue;
        }
        const std::size_t number = all.size();
        transfer.flow = communication.operation == "isend" ? Flow::send : Flow::receive;
        transfer.partner = communication.peer;
        transfer.gives_bad = transfer.flow == Flow::send && is_in(evidence.bad_inputs, communication.value);
        transfer.gives_mask = transfer.flow == Flow::send && is_in(evidence.masks, communication.value);
        transfer.takes_bad = transfer.flow == Flow::receive && number < bad_results.size() && bad_results[number];
        transfer.unknown_input =
            communication.value >= call.entry.values.size() || is_in(evidence.unknown_inputs, communication.value);
        all.push_back(grouped(transfer, communication));
    }
    return all;
}

/// The group of a collective, from its arguments: each may contain a part.
ApiCommunication group_of(const Call& call) {
    ApiCommunication group;
    for (const ApiCommunication& communication : call.entry.communication) {
        if (communication.operation.empty()) {
            group.group_id = group.group_id.empty() ? communication.group_id : group.group_id;
            group.group_ranks = group.group_ranks.empty() ? communication.group_ranks : group.group_ranks;
            group.group_name = group.group_name.empty() ? communication.group_name : group.group_name;
            group.tag = group.tag ? group.tag : communication.tag;
            group.reduction = group.reduction.empty() ? communication.reduction : group.reduction;
        }
    }
    return group;
}

void note_inputs(const Call& call, const Evidence& evidence, Transfer& transfer) {
    transfer.gives_bad = !evidence.clean_inputs();
    transfer.gives_mask = !evidence.masks.empty();
    transfer.gives_infinite_mask = std::any_of(evidence.masks.begin(), evidence.masks.end(), [&call](std::size_t i) {
        return state_of(call.entry.values[i], call.rounded) > ApiState::limit;
    });
    transfer.unknown_input = !evidence.unknown_inputs.empty() || !call.entry.inputs_dumped;
    for (std::size_t i = 0; i < call.entry.values.size(); ++i) {
        const ApiValue& value = call.entry.values[i];
        if (value.kind != ApiValueKind::output && has_elements(value) && !is_received_into(call, i)) {
            add_magnitude(transfer, value);
        }
    }
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

std::vector<GroupedTransfer> transfers_of(const Call& call, const Evidence& evidence, const Transfer& common) {
    if (call.communication->flow == Flow::batch) {
        return messages(call, evidence, common);
    }
    Transfer transfer = common;
    transfer.flow = call.communication->flow;
    if (!call.communication->partner_keyword.empty()) {
        transfer.partner = call.partner;
    }
    note_inputs(call, evidence, transfer);
    transfer.takes_bad = !evidence.bad_outputs.empty();
    const ApiCommunication group = group_of(call);
    transfer.reduction = reduction_of(*call.communication, group.reduction);
    transfer.group_is_untold = call.communication->without_group && group.group_id.empty() && group.group_ranks.empty();
    return {grouped(transfer, group)};
}

std::vector<std::uint32_t> bad_pieces(const Call& call, const Evidence& evidence) {
    std::vector<std::uint32_t> pieces;
    for (const std::size_t i : evidence.bad_outputs) {
        const std::string_view index = call.entry.values[i].index;
        const std::string_view list = first_of(index);
        if (list != call.communication->received_position || list.size() == index.size()) {
            continue;
        }
        const std::string_view place = first_of(index.substr(list.size() + 1));
        std::uint32_t piece = 0;
        if (std::from_chars(place.data(), place.data() + place.size(), piece).ec == std::errc()) {
            pieces.push_back(piece);
        }
    }
    return pieces;
}

}  // namespace opdebug::api_culprits

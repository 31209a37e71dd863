#include "api_culprits/call_transfers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace opdebug::api_culprits {
namespace {

/// Evidence has its indices in order.
bool is_in(const std::vector<std::size_t>& values, std::size_t i) {
    return std::binary_search(values.begin(), values.end(), i);
}

/// The results of a batch are its arguments behind the call: the n-th message of them tells of the n-th argument.
/// Whether each is bad.
std::vector<bool> bad_messages(const Call& call, const Evidence& evidence) {
    std::vector<bool> bad;
    for (const ApiCommunication& told : call.entry.communication) {
        if (!told.operation.empty() && told.is_result) {
            bad.push_back(is_in(evidence.bad_outputs, told.value));
        }
    }
    return bad;
}

/// Names of torch.distributed.ReduceOp. Where none is told it is SUM, the default.
Reduction reduction_of(const CommunicationApi& api, std::string_view told) {
    const bool sums = told.empty() || told == "SUM" || told == "AVG" || told == "PREMUL_SUM";
    return !api.sums                             ? Reduction::none
           : sums                                ? Reduction::sum
           : told == "PRODUCT" || told == "PROD" ? Reduction::product
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

GroupedTransfer grouped(Transfer transfer, const ApiCommunication& told) {
    transfer.tag = told.tag.value_or(0);
    return {transfer, {told.group_id, told.group_ranks}};
}

/// Of a batch: `transfer` holds what all have in common.
std::vector<GroupedTransfer> messages(const Call& call, const Evidence& evidence, Transfer transfer) {
    const std::vector<bool> bad_results = bad_messages(call, evidence);
    std::vector<GroupedTransfer> all;
    for (const ApiCommunication& told : call.entry.communication) {
        if (told.operation.empty() || told.is_result) {
            continue;
        }
        const std::size_t number = all.size();
        transfer.flow = told.operation == "isend" ? Flow::send : Flow::receive;
        transfer.partner = told.peer;
        transfer.gives_bad = transfer.flow == Flow::send && is_in(evidence.bad_inputs, told.value);
        transfer.gives_mask = transfer.flow == Flow::send && is_in(evidence.masks, told.value);
        transfer.takes_bad = transfer.flow == Flow::receive && number < bad_results.size() && bad_results[number];
        transfer.unknown_input = told.value >= call.entry.values.size() || is_in(evidence.unknown_inputs, told.value);
        all.push_back(grouped(transfer, told));
    }
    return all;
}

/// What the arguments of a collective tell of its group: each may tell a part.
ApiCommunication group_of(const Call& call) {
    ApiCommunication group;
    for (const ApiCommunication& told : call.entry.communication) {
        if (told.operation.empty()) {
            group.group_id = group.group_id.empty() ? told.group_id : group.group_id;
            group.group_ranks = group.group_ranks.empty() ? told.group_ranks : group.group_ranks;
            group.tag = group.tag ? group.tag : told.tag;
            group.reduction = group.reduction.empty() ? told.reduction : group.reduction;
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

// Values that a call gives to other ranks, and takes from them.
#include "api_culprits/file_judge.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace opdebug::api_culprits {
namespace {

struct GroupedTransfer {
    Transfer transfer;  ///< without the number of its group
    Group group;        ///< with the ranks in the dump
};

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
        transfer.tag = communication.tag.value_or(0);
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
            group.reduction = group.reduction.empty() ? communication.reduction : group.reduction;
        }
    }
    return group;
}

void note_inputs(const Call& call, const Evidence& evidence, Transfer& transfer) {
    transfer.gives_bad = !evidence.clean_inputs();
    transfer.gives_mask = !evidence.masks.empty();
    transfer.gives_infinite_mask = std::any_of(evidence.masks.begin(), evidence.masks.end(),
                                               [&call](std::size_t i) { return call.states[i] > ApiState::limit; });
    transfer.unknown_input = !evidence.unknown_inputs.empty() || !call.entry.inputs_dumped;
    for (std::size_t i = 0; i < call.entry.values.size(); ++i) {
        const ApiValue& value = call.entry.values[i];
        if (value.kind != ApiValueKind::output && has_elements(value) && !is_received_into(call, i)) {
            add_magnitude(transfer, value);
        }
    }
}

/// One transfer, or one for each message of a batch. `common`: common members.
std::vector<GroupedTransfer> transfers_of(const Call& call, const Evidence& evidence, const Transfer& common) {
    if (call.communication->flow == Flow::batch) {
        return messages(call, evidence, common);
    }
    Transfer transfer = common;
    transfer.flow = call.communication->flow;
    if (!call.communication->partner_keyword.empty()) {
        transfer.partner = call.partner;
    }
    transfer.tag = call.tag;
    note_inputs(call, evidence, transfer);
    transfer.takes_bad = !evidence.bad_outputs.empty();
    const ApiCommunication group = group_of(call);
    transfer.reduction = reduction_of(*call.communication, group.reduction);
    transfer.lacks_group = call.communication->without_group && group.group_id.empty() && group.group_ranks.empty();
    return {grouped(transfer, group)};
}

/// The positions of bad values in the list that the call receives.
std::vector<std::uint32_t> bad_pieces(const Call& call, const Evidence& evidence) {
    std::vector<std::uint32_t> pieces;
    for (const std::size_t i : evidence.bad_outputs) {
        const std::string_view index = call.entry.values[i].index;
        const std::string_view list = first_of(index);
        if (list != call.communication->received_position || list.size() == index.size()) {
            continue;
        }
        const std::string_view slot = first_of(index.substr(list.size() + 1));
        std::uint32_t piece = 0;
        if (std::from_chars(slot.data(), slot.data() + slot.size(), piece).ec == std::errc()) {
            pieces.push_back(piece);
        }
    }
    return pieces;
}

/// Adds the values that a rank passed to one call to those of another.
void add_given(const Transfer& more, Transfer& sum) {
    sum.gives_bad = sum.gives_bad || more.gives_bad;
    sum.gives_mask = sum.gives_mask || more.gives_mask;
    sum.gives_infinite_mask = sum.gives_infinite_mask || more.gives_infinite_mask;
    sum.unknown_input = sum.unknown_input || more.unknown_input;
    sum.magnitude = std::max(sum.magnitude, more.magnitude);
    sum.limit = std::max(sum.limit, more.limit);
}

}  // namespace

void FileJudge::note_transfers(const Call& call, const Evidence& evidence, std::optional<std::size_t> draft) {
    if (draft && call.communication->lists_ranks) {
        facts_.drafts[*draft].bad_pieces = bad_pieces(call, evidence);
    }
    Transfer common;
    common.api = call.communication;
    common.call = call.entry.position;
    common.order = order_of(call.entry);
    common.draft = draft;
    for (GroupedTransfer& grouped : transfers_of(call, evidence, common)) {
        grouped.transfer.group = number_of(std::move(grouped.group));
        join_with_waits(grouped.transfer);
        facts_.transfers.push_back(grouped.transfer);
    }
}

/// The index of the group in the list of the file, which it joins.
std::uint32_t FileJudge::number_of(Group group) {
    std::sort(group.ranks.begin(), group.ranks.end());
    const auto next = static_cast<std::uint32_t>(facts_.groups.size());
    const auto [known, is_new] = group_numbers_.emplace(std::move(group), next);
    if (is_new) {
        facts_.groups.push_back(known->first);
    }
    return known->second;
}

/// A wait returns the results of the calls before it. Several waits may belong to one call; the next call starts a new
/// set.
void FileJudge::join_with_waits(Transfer& transfer) {
    Transfer& given = unawaited_.given;
    if (!transfer.api->waits) {
        if (unawaited_.waits >= unawaited_.calls) {
            unawaited_ = {0, 0, transfer};
        }
        ++unawaited_.calls;
        add_given(transfer, given);
    } else if (unawaited_.calls != 0) {
        ++unawaited_.waits;
        add_given(given, transfer);
        transfer.reduction = given.reduction;
    }
}

}  // namespace opdebug::api_culprits

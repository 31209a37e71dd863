// Verdicts that need values of other ranks, or earlier values of the rank.
#include "api_culprits/exchanges.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "remarks/diagnose.hpp"

namespace opdebug::api_culprits {
namespace {

constexpr std::size_t kMostRanks = 16;

LocalizedText rank_name(const TimeLine& line) {
    return line.rank      ? remarks::phrase("rank", {{"rank", *line.rank}})
           : line.process ? remarks::phrase("process", {{"pid", *line.process}})
                          : remarks::phrase("unnamed_rank");
}

LocalizedText list_of(const std::vector<std::int64_t>& ranks) {
    const std::size_t listed = std::min(ranks.size(), kMostRanks);
    const std::string text =
        fmt::format("{}", fmt::join(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(listed), ", "));
    return listed == ranks.size() ? LocalizedText{text, text}
                                  : remarks::phrase("list_more", {{"list", text}, {"count", ranks.size() - listed}});
}

/// Facts of an exchange.
struct Outcome {
    const Exchange::Side* bad_giver = nullptr;   ///< the first
    const Exchange::Side* mask_giver = nullptr;  ///< the first
    double magnitude = 0;                        ///< of all contributions
    double limit = 0;
    bool infinite_mask = false;
    bool unknown_input = false;
    std::vector<std::uint64_t> mask_ranks;  ///< ranks that gave a mask; sorted
    std::vector<std::int64_t> missing;      ///< missing ranks, if no known side gives the bad value
};

/// Computes the facts of all sides once: there may be as many sides as ranks, and each would visit all ranks.
Outcome outcome_of(const Step& step, const Exchanges& exchanges, const Exchange& exchange) {
    Outcome outcome;
    for (const Exchange::Side& side : exchange.sides) {
        const Transfer& transfer = transfer_of(step, side);
        const std::optional<std::uint64_t>& rank = step.lines[side.line].rank;
        if (transfer.gives_mask && rank) {
            outcome.mask_ranks.push_back(*rank);
        }
        if (!gives(step, exchange, side)) {
            continue;
        }
        outcome.magnitude += transfer.magnitude;
        outcome.limit = std::max(outcome.limit, transfer.limit);
        outcome.unknown_input = outcome.unknown_input || transfer.unknown_input;
        outcome.infinite_mask = outcome.infinite_mask || transfer.gives_infinite_mask;
        if (transfer.gives_bad && outcome.bad_giver == nullptr) {
            outcome.bad_giver = &side;
        }
        if (transfer.gives_mask && outcome.mask_giver == nullptr) {
            outcome.mask_giver = &side;
        }
    }
    std::sort(outcome.mask_ranks.begin(), outcome.mask_ranks.end());
    if (outcome.bad_giver == nullptr && exchange.group_source != GroupSource::unknown) {
        outcome.missing = missing_ranks(step, exchanges, exchange);
    }
    return outcome;
}

void inherit(const Step& step, const Exchange::Side& giver, DraftFinding& draft) {
    const TimeLine& line = step.lines[giver.line];
    draft.finding.verdict = ApiVerdict::inherited;
    draft.came_from_rank = true;
    const DraftFinding* const source = draft_of(step, giver);
    if (source == &draft) {
        add_reason(remarks::phrase("reason_add.given_by_itself"), draft.finding);
        return;
    }
    draft.finding.from_rank = line.rank;
    add_reason(source == nullptr ? remarks::phrase("reason_add.from_rank", {{"rank", rank_name(line)}})
                                 : remarks::phrase("reason_add.from_call", {{"rank", rank_name(line)},
                                                                            {"api", source->finding.api},
                                                                            {"position", source->finding.position}}),
               draft.finding);
}

/// Ranks send -Inf and the negative limit unchanged: a mask stays a mask.
void take_mask(const Step& step, const Exchange::Side& giver, DraftFinding& draft) {
    draft.finding.verdict = ApiVerdict::deliberate;
    add_reason(remarks::phrase("reason_add.mask_given", {{"rank", rank_name(step.lines[giver.line])}}), draft.finding);
    draft.strong = false;
}

bool only_limits(const DraftFinding& draft) {
    return std::all_of(draft.finding.values.begin(), draft.finding.values.end(),
                       [](const ApiFindingValue& shown) { return shown.state <= ApiState::limit; });
}

/// The call itself made the bad value.
void set_origin(std::string_view reason, DraftFinding& draft) {
    draft.finding.verdict = only_limits(draft) ? ApiVerdict::saturated : ApiVerdict::born_here;
    add_reason(remarks::phrase(reason), draft.finding);
}

/// Whether the piece at that position of a gathered list is from a rank that gave a mask. Pieces are in the order of
/// the group's `ranks`. In the group of all ranks (none) the position is the rank.
bool is_mask_piece(const std::vector<std::int64_t>& ranks, const Outcome& outcome, std::uint32_t piece) {
    if (!ranks.empty() && piece >= ranks.size()) {
        return false;
    }
    const auto giver = static_cast<std::uint64_t>(ranks.empty() ? std::int64_t{piece} : ranks[piece]);
    return std::binary_search(outcome.mask_ranks.begin(), outcome.mask_ranks.end(), giver);
}

/// Whether given masks explain the bad results. A mask with the negative limit never explains -Inf in a sum. It
/// explains the limit only if the sum cannot exceed it.
bool is_given_mask(const std::vector<std::int64_t>& ranks, const Outcome& outcome, Reduction reduction,
                   const DraftFinding& draft) {
    if (outcome.mask_giver == nullptr || !draft.negative_only) {
        return false;
    }
    if (!draft.bad_pieces.empty()) {
        return std::all_of(draft.bad_pieces.begin(), draft.bad_pieces.end(),
                           [&](std::uint32_t piece) { return is_mask_piece(ranks, outcome, piece); });
    }
    if (reduction == Reduction::none || outcome.infinite_mask) {
        return true;
    }
    return reduction == Reduction::sum && !outcome.unknown_input && only_limits(draft) &&
           outcome.magnitude <= outcome.limit;
}

void report_missing(const std::vector<std::int64_t>& missing, bool from_one, DraftFinding& draft) {
    if (from_one) {
        draft.finding.verdict = ApiVerdict::inherited;
        add_reason(remarks::phrase("reason_add.missing", {{"ranks", list_of(missing)}}), draft.finding);
    }
    draft.finding.remarks.push_back(
        remarks::diagnose("ranks_missing", {{"ranks", list_of(missing)}, {"count", missing.size()}}));
}

/// The values of other ranks are unknown. A call that computes may have made the value itself.
void report_unknown_group(bool computes, DraftFinding& draft) {
    draft.finding.verdict = computes ? ApiVerdict::in_collective : ApiVerdict::inherited;
    add_reason(remarks::phrase("reason_add.unknown_ranks"), draft.finding);
    draft.finding.remarks.push_back(remarks::diagnose("group_not_dumped"));
}

void report_origin_in_collective(const Exchange& exchange, const Outcome& outcome, const Transfer& transfer,
                                 DraftFinding& draft) {
    const Reduction reduction = transfer.reduction;
    if (outcome.unknown_input) {
        draft.finding.remarks.push_back(remarks::diagnose("input_without_statistics.ranks"));
    } else if (transfer.api->computes) {
        draft.finding.verdict = only_limits(draft) ? ApiVerdict::saturated : ApiVerdict::born_here;
        add_reason(remarks::phrase("reason_add.computes", {{"count", exchange.sides.size()}}), draft.finding);
    } else if (reduction == Reduction::sum && outcome.limit > 0 && outcome.magnitude > outcome.limit) {
        add_reason(
            remarks::phrase("reason_add.sum",
                            {{"count", exchange.sides.size()}, {"sum", outcome.magnitude}, {"limit", outcome.limit}}),
            draft.finding);
        draft.finding.remarks.push_back(remarks::diagnose("sum_overflow"));
    } else if (reduction == Reduction::product) {
        add_reason(remarks::phrase("reason_add.ranks_clean", {{"count", exchange.sides.size()}}), draft.finding);
        draft.finding.remarks.push_back(remarks::diagnose("product_overflow"));
    } else {
        add_reason(remarks::phrase("reason_add.ranks_clean", {{"count", exchange.sides.size()}}), draft.finding);
        draft.finding.remarks.push_back(
            remarks::diagnose(reduction == Reduction::sum ? "communication_fault.sum" : "communication_fault"));
    }
}

void settle_side(const Step& step, const Exchanges& exchanges, const Exchange& exchange, const Outcome& outcome,
                 const Exchange::Side& side) {
    DraftFinding* const draft = draft_of(step, side);
    const Transfer& transfer = transfer_of(step, side);
    if (draft == nullptr || draft->awaits != Awaits::other_ranks || !transfer.takes_bad || draft->came_from_rank) {
        return;
    }
    if (exchange.group_source == GroupSource::unknown) {
        report_unknown_group(transfer.api->computes, *draft);
        return;
    }
    if (exchange.group_source == GroupSource::assumed) {
        draft->finding.remarks.push_back(remarks::diagnose("group_assumed"));
    }
    if (outcome.bad_giver != nullptr) {
        inherit(step, *outcome.bad_giver, *draft);
        return;
    }
    const std::vector<std::int64_t>& missing = outcome.missing;
    const bool from_one = exchange.flow == Flow::send || exchange.flow == Flow::from_root;
    const bool whole = missing.empty() || !draft->bad_pieces.empty();  // the giver of a piece is known
    if (whole && is_given_mask(exchanges.group_ranks[exchange.group], outcome, transfer.reduction, *draft)) {
        take_mask(step, *outcome.mask_giver, *draft);
    } else if (!missing.empty()) {
        report_missing(missing, from_one, *draft);
    } else if (exchange.flow == Flow::send && exchange.sides.size() < 2) {
        draft->finding.verdict = ApiVerdict::inherited;
        add_reason(remarks::phrase("reason_add.no_sender"), draft->finding);
        draft->finding.remarks.push_back(remarks::diagnose("sender_unknown"));
    } else {
        report_origin_in_collective(exchange, outcome, transfer, *draft);
    }
}

void settle_after_call(DraftFinding& draft, bool bad_before) {
    draft.finding.remarks.push_back(remarks::diagnose(bad_before ? "input_after_call.bad_before" : "input_after_call"));
    if (!bad_before) {
        set_origin("reason_add.after_call", draft);
        forget_missing_source(draft);
    }
}

}  // namespace

void settle_exchanges(const Step& step, const Exchanges& exchanges) {
    for (const Exchange& exchange : exchanges.all) {
        const bool any_bad =
            std::any_of(exchange.sides.begin(), exchange.sides.end(),
                        [&step](const Exchange::Side& side) { return transfer_of(step, side).takes_bad; });
        if (!any_bad) {
            continue;
        }
        const Outcome outcome = outcome_of(step, exchanges, exchange);
        for (const Exchange::Side& side : exchange.sides) {
            settle_side(step, exchanges, exchange, outcome, side);
        }
    }
}

void settle_by_earlier(const Step& step) {
    for (const TimeLine& line : step.lines) {
        bool bad_before = false;
        for (const Event& event : line.events) {
            DraftFinding* const draft = line.draft_at(event);
            if (draft == nullptr) {
                continue;
            }
            if (draft->awaits == Awaits::earlier) {
                settle_after_call(*draft, bad_before);
            } else if (draft->awaits == Awaits::gradient && !bad_before) {
                set_origin("reason_add.none_before", *draft);
            }
            bad_before = bad_before || is_culprit(*draft) || has_bad_input(*draft);
        }
    }
}

}  // namespace opdebug::api_culprits

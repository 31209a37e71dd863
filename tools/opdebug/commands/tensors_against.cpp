// opdebug tensors A --against B: how two dumps of one tensor differ.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "difference/difference.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "report/pages/pages.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

using difference::Verdict;

void read_slots(const std::string& text, difference::CompareOptions& options) {
    const std::size_t comma = text.find(',');
    options.slot_a = difference::parse_slot(text.substr(0, comma));
    options.slot_b = comma == std::string::npos ? options.slot_a : difference::parse_slot(text.substr(comma + 1));
    if (!options.slot_a || !options.slot_b) {
        throw UsageError(sentence("tensors.slot_form", {{"value", text}}));
    }
}

void refuse_arguments(const ParsedArguments& arguments) {
    if (!arguments.has("against")) {
        throw UsageError(sentence("tensors.against_only"));
    }
    if (arguments.has("npy")) {
        throw UsageError(sentence("tensors.no_npy"));
    }
    if (arguments.positionals.size() != 1) {
        throw UsageError(sentence("tensors.against_expected"));
    }
}

bool is_lone(const difference::Difference& one) {
    return !one.a || !one.b;
}

/// Less is worse: differences, noise, what cannot be compared, what has no partner, identical tensors. Of these NaN and
/// Inf that only A has, then the largest share of elements.
auto weight_of(const difference::Difference& one) {
    const auto& measures = one.measures;
    const Verdict verdict = one.finding.verdict;
    const int group = verdict == Verdict::identical        ? 4
                      : is_lone(one)                       ? 3
                      : verdict == Verdict::not_comparable ? 2
                      : verdict == Verdict::noise          ? 1
                                                           : 0;
    const bool is_bad = measures && measures->nan_only_a + measures->inf_only_a != 0;
    const double share = measures ? static_cast<double>(measures->differ) /
                                        static_cast<double>(std::max<std::uint64_t>(measures->elements, 1))
                                  : 0;
    return std::tuple(group, !is_bad, -share);
}

std::string summary_of(const std::vector<difference::Difference>& pairs) {
    const auto count = [&pairs](auto counts) { return std::count_if(pairs.begin(), pairs.end(), counts); };
    const auto lone = count(is_lone);
    const auto is = [&count](Verdict verdict) {
        return count([verdict](const difference::Difference& one) { return one.finding.verdict == verdict; });
    };
    const auto equal = is(Verdict::identical), not_comparable = is(Verdict::not_comparable);
    const auto all = static_cast<std::ptrdiff_t>(pairs.size());
    return sentence("tensors.compared", {{"equal", equal},
                                         {"differ", all - equal - not_comparable},
                                         {"not_comparable", not_comparable - lone},
                                         {"lone", lone}}) +
           "\n";
}

/// The worst first, after a summary.
std::string text_of(std::vector<difference::Difference> pairs, const ReportOptions& report) {
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const auto& a, const auto& b) { return weight_of(a) < weight_of(b); });
    std::string text = pairs.size() == 1 ? std::string() : summary_of(pairs);
    for (const difference::Difference& one : pairs) {
        text += text.empty() ? "" : "\n";
        text += report::difference_to_text(one, report);
    }
    return text;
}

std::string documents_of(const difference::Comparison& comparison, const std::string& form, ReportOptions report) {
    report.one_line = form == "jsonl" || comparison.pairs.size() != 1;
    if (form == "text") {
        return text_of(comparison.pairs, report);
    }
    std::string text;
    for (const difference::Difference& one : comparison.pairs) {
        text += report::difference_to_json(one, report) + '\n';
    }
    return text;
}

bool has_verdict_of(const difference::Comparison& comparison, bool comparable) {
    return std::any_of(comparison.pairs.begin(), comparison.pairs.end(), [comparable](const auto& one) {
        const Verdict verdict = one.finding.verdict;
        return comparable ? verdict > Verdict::not_comparable : verdict == Verdict::not_comparable;
    });
}

}  // namespace

std::optional<int> compare_against(const ParsedArguments& arguments, const ReportOptions& report,
                                   const Limits& limits) {
    if (!arguments.has("against") && !arguments.has("slot") && !arguments.has("fail-on")) {
        return std::nullopt;
    }
    refuse_arguments(arguments);
    difference::CompareOptions options;
    if (arguments.has("slot")) {
        read_slots(arguments.text("slot"), options);
    }
    options.limits = limits;
    options.stop = interrupted;
    catch_interrupts();
    const Result<difference::Comparison> comparison =
        difference::compare_dumps(arguments.positionals.front(), arguments.text("against"), options);
    if (!comparison) {
        print_phrase("tensors.compare_stopped");
        return interrupted_status();
    }
    print_failures(comparison->failures);
    if (!comparison->found_both) {
        return kUsage;
    }
    if (comparison->slot_needed) {
        throw UsageError(sentence("tensors.slot_needed"));
    }
    if (comparison->pairs.empty()) {
        print_phrase("tensors.none_compared");
        return kSomethingDamaged;
    }
    const int status = arguments.has("fail-on") && has_verdict_of(*comparison, true)         ? kOverflowFound
                       : has_verdict_of(*comparison, false) || !comparison->failures.empty() ? kSomethingDamaged
                                                                                             : kEverythingHandled;
    return show_result(arguments.output, documents_of(*comparison, arguments.form, report), status);
}

}  // namespace opdebug::tool

#include "locate/fit.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

template <Agreement Fit::*kFact>
bool contradicts(const Fit& fit) {
    return fit.*kFact == Agreement::contradicts;
}

template <Agreement Fit::*kFact>
bool is_against(const Fit& fit) {
    return fit.*kFact == Agreement::contradicts || fit.*kFact == Agreement::doubtful;
}

template <Agreement Fit::*kFact>
bool agrees(const Fit& fit) {
    return fit.*kFact == Agreement::agrees;
}

template <auto kFact>
std::int64_t value_of(const Fit& fit) {
    return static_cast<std::int64_t>(fit.*kFact);
}

/// Each row needs a line or a folder that was seen. A missing line proves nothing, because lines are lost and files
/// rotated (docs/internals/logs.md). The order of the rows affects only the reported reason.
constexpr std::array<ExcludeRow, 11> kExclude{{
    // Next to uses at the time of the dump, those of logs that no zone brings near it are of other runs.
    {"not comparable", [](const Fit& fit) { return fit.has_lines && fit.time == Inside::not_comparable; },
     [](const Fit& fit) { return fit.has_lines && fit.time != Inside::not_comparable; }},
    // Logs and dumps of one host are below folders of the same name. Only folders that distinguish the logs' hosts
    // count.
    {"host", contradicts<&Fit::host>, nullptr},
    // A process knows its devices by lines on their numbers, or by streams on the folder's device next to others.
    {"device", contradicts<&Fit::device>, nullptr},
    // A record of a single execution has no model: its stream is not one that a model is bound to.
    {"model or none", contradicts<&Fit::is_of_model>, nullptr},
    // For no possible offset of the clocks the dump falls in the use.
    {"time", [](const Fit& fit) { return fit.time == Inside::never; }, nullptr},
    // A stream's use without a line on the task counts next to others only for its model.
    {"no line", [](const Fit& fit) { return !fit.has_lines && !agrees<&Fit::model_id>(fit); },
     [](const Fit& fit) { return fit.has_lines; }},
    // Without such lines, containers may number devices again: only where another use has the folder's number.
    {"device number", is_against<&Fit::device>, agrees<&Fit::device>},
    // HCCL numbers the processes of a job as launchers do, as far as documents show: only next to an equal rank, among
    // those whose device fits.
    {"rank", is_against<&Fit::rank>, agrees<&Fit::rank>},
    // Traces are of single executions, as far as logs show: only next to a use of the record's kind.
    {"kind of task", is_against<&Fit::is_of_model>, agrees<&Fit::is_of_model>},
    // The runtime's and GE's numbers differ, and which one a record has is inferred: only next to an equal one.
    {"model id", is_against<&Fit::model_id>, agrees<&Fit::model_id>},
    // A process that names its time folders writes into these.
    {"folder", is_against<&Fit::folder>, agrees<&Fit::folder>},
}};

/// Uses without a name come last; uncertain ids come after the others. Then from rows that were always right when
/// measured (they decide) to rows that are right in three of five cases. The latter only put candidates in order.
constexpr std::array<RankRow, 18> kRank{{
    {"name", [](const Fit& fit) -> std::int64_t { return fit.naming == Naming::none ? 1 : 0; }, Weight::prefers},
    {"id", value_of<&Fit::number>, Weight::prefers},
    // Device and dump have one clock: the device's line on the dump of these ids names the operator.
    {"device line", value_of<&Fit::device_line>, Weight::decides},
    {"host", value_of<&Fit::host>, Weight::prefers},
    {"device", value_of<&Fit::device>, Weight::prefers},
    {"folder", value_of<&Fit::folder>, Weight::prefers},
    {"model id", value_of<&Fit::model_id>, Weight::prefers},
    // The folder is called by the model since 2020; a moved dump has another.
    {"model name", value_of<&Fit::model_name>, Weight::decides},
    // Folders have GE's number of the model or the runtime's.
    {"model number", value_of<&Fit::model_number>, Weight::prefers},
    {"task type", value_of<&Fit::task_type>, Weight::prefers},
    // A log may be a copy of an early part, so one that ended before the folder was made excludes nothing.
    {"folder time", value_of<&Fit::folder_time>, Weight::prefers},
    {"zone", value_of<&Fit::is_zone_inferred>, Weight::orders},
    {"report", [](const Fit& fit) -> std::int64_t { return fit.is_reported ? 0 : 1; }, Weight::orders},
    {"time", value_of<&Fit::time>, Weight::orders},
    {"likely offset", [](const Fit& fit) -> std::int64_t { return fit.is_at_best_offset ? 0 : 1; }, Weight::orders},
    {"kind of name", value_of<&Fit::naming>, Weight::orders},
    // No evidence: uses of one process stay together.
    {"process", value_of<&Fit::process>, Weight::orders},
    {"newest", [](const Fit& fit) { return -fit.begin_us; }, Weight::orders},
}};

}  // namespace

std::span<const ExcludeRow> exclude_rows() noexcept {
    return kExclude;
}

std::span<const RankRow> rank_rows() noexcept {
    return kRank;
}

FitFacts facts_of(const Fit& fit) {
    constexpr std::array<std::string_view, 4> kWords{"agrees", "", "differs", "contradicts"};
    constexpr std::array<std::string_view, 4> kTimes{"inside", "inside for some offsets", "not comparable", "outside"};
    FitFacts facts;
    const auto add = [&](std::string_view fact, Agreement agreement) {
        if (agreement != Agreement::unknown) {
            facts.emplace_back(fact, kWords.at(static_cast<std::size_t>(agreement)));
        }
    };
    add("device line", fit.device_line);
    add("host", fit.host);
    add("rank", fit.rank);
    add("device", fit.device);
    add("kind of task", fit.is_of_model);
    add("task type", fit.task_type);
    add("folder", fit.folder);
    add("folder time", fit.folder_time);
    add("model id", fit.model_id);
    add("model name", fit.model_name);
    add("model number", fit.model_number);
    facts.emplace_back("time", kTimes.at(static_cast<std::size_t>(fit.time)));
    if (fit.is_at_best_offset) {
        facts.emplace_back("likely offset", "inside");
    }
    if (fit.is_reported) {
        facts.emplace_back("report", "agrees");
    }
    if (fit.is_zone_inferred) {
        facts.emplace_back("zone", "inferred");
    }
    return facts;
}

namespace {

LocalizedText phrase_on(std::string_view beginning, std::string_view name) {
    std::string id = fmt::format("{}{}", beginning, name);
    std::replace(id.begin(), id.end(), ' ', '_');
    return remarks::phrase(id);
}

}  // namespace

LocalizedText fit_word(std::string_view name) {
    return phrase_on("fit_", name);
}

LocalizedText why_likelier(const RankRow& row) {
    return phrase_on("likelier_by_", row.name);
}

LocalizedText describe(const FitFacts& facts) {
    std::vector<LocalizedText> texts;
    texts.reserve(facts.size());
    for (const auto& [fact, finding] : facts) {
        texts.push_back(remarks::phrase("fact_of_fit", {{"fact", fit_word(fact)}, {"finding", fit_word(finding)}}));
    }
    return remarks::joined(texts, {", ", "，"});
}

}  // namespace opdebug::locate_stage

#include "locate/fit.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include <fmt/format.h>

#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

constexpr bool contradicts(Agreement agreement) {
    return agreement == Agreement::contradicts;
}

constexpr bool is_against(Agreement agreement) {
    return agreement == Agreement::contradicts || agreement == Agreement::doubtful;
}

constexpr bool agrees(Agreement agreement) {
    return agreement == Agreement::agrees;
}

/// Each row needs something that was seen, a line or a folder: that a line is missing proves nothing, for lines are
/// lost and files rotated (docs/internals/logs.md). Their order has no effect on what remains, only on what is told.
constexpr std::array<ExcludeRow, 9> kExclude{{
    // Logs and dumps of one host lie below folders of the same name. Only folders that tell the logs' hosts apart
    // count.
    {"host", [](const Fit& fit) { return contradicts(fit.host); }, nullptr},
    // A process knows its devices by lines on their numbers, or by streams on the folder's device beside others.
    {"device", [](const Fit& fit) { return contradicts(fit.device); }, nullptr},
    // Without such lines, containers may number devices anew: only where another use has the folder's number.
    {"device number", [](const Fit& fit) { return is_against(fit.device); },
     [](const Fit& fit) { return agrees(fit.device); }},
    // A record of a single execution has no model: its stream is not one that a model is bound to.
    {"model or none", [](const Fit& fit) { return contradicts(fit.is_of_model); }, nullptr},
    // Traces are of single executions, as far as logs show: only beside a use of the record's kind.
    {"kind of task", [](const Fit& fit) { return is_against(fit.is_of_model); },
     [](const Fit& fit) { return agrees(fit.is_of_model); }},
    // The runtime's and GE's numbers differ, and which one a record has is inferred: only beside an equal one.
    {"model id", [](const Fit& fit) { return is_against(fit.model_id); },
     [](const Fit& fit) { return agrees(fit.model_id); }},
    // A process that names its time folders writes into these.
    {"folder", [](const Fit& fit) { return is_against(fit.folder); },
     [](const Fit& fit) { return agrees(fit.folder); }},
    // The folder is called by the host's clock: a use that was over when it was made wrote nothing into it.
    {"folder time", [](const Fit& fit) { return contradicts(fit.folder_time); }, nullptr},
    // For no possible offset of the clocks the dump lies in the use.
    {"time", [](const Fit& fit) { return fit.time == Inside::never; }, nullptr},
}};

/// From what was always right where it was measured (it decides) to what is right in three of five cases (it only puts
/// candidates in order).
constexpr std::array<RankRow, 11> kRank{{
    // Device and dump have one clock: the device's line on the dump of these ids names the operator.
    {"device line", [](const Fit& fit) { return static_cast<int>(fit.device_line); }, true},
    {"host", [](const Fit& fit) { return static_cast<int>(fit.host); }, false},
    {"device", [](const Fit& fit) { return static_cast<int>(fit.device); }, false},
    {"folder", [](const Fit& fit) { return static_cast<int>(fit.folder); }, false},
    {"model id", [](const Fit& fit) { return static_cast<int>(fit.model_id); }, false},
    // The folder is called by the model since 2020; a moved dump has another.
    {"model name", [](const Fit& fit) { return static_cast<int>(fit.model_name); }, true},
    {"zone", [](const Fit& fit) { return fit.is_zone_inferred ? 1 : 0; }, false},
    {"report", [](const Fit& fit) { return fit.is_reported ? 0 : 1; }, false},
    {"time", [](const Fit& fit) { return static_cast<int>(fit.time); }, false},
    {"likely offset", [](const Fit& fit) { return fit.is_at_best_offset ? 0 : 1; }, false},
    {"folder time", [](const Fit& fit) { return static_cast<int>(fit.folder_time); }, false},
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
    add("device", fit.device);
    add("kind of task", fit.is_of_model);
    add("folder", fit.folder);
    add("model id", fit.model_id);
    add("model name", fit.model_name);
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
    add("folder time", fit.folder_time);
    return facts;
}

LocalizedText fit_word(std::string_view name) {
    std::string id = fmt::format("fit_{}", name);
    std::replace(id.begin(), id.end(), ' ', '_');
    return remarks::phrase(id);
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

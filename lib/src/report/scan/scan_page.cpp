// What text and HTML pages share of a scan, and dumps and groups in one line each.
#include "report/scan/scan_page.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

#include "remarks/diagnose.hpp"
#include "remarks/word.hpp"
#include "report/parts/part_lines.hpp"
#include "report/text/answer_words.hpp"
#include "report/text/joined_lists.hpp"
#include "report/text/numbers_and_times.hpp"
#include "report/text/page.hpp"
#include "status/catalogue.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kOtherCandidates = 3;  ///< next to the best
constexpr Unit kUnits[] = {Unit::ai_core, Unit::dha_atomic, Unit::l2_atomic, Unit::aic,
                           Unit::aiv,     Unit::aicpu,      Unit::sdma};

/// "AI Core" for the part of a cause's id before the point; empty for what is no unit.
std::string_view unit_of_cause(std::string_view id) {
    std::string key(id.substr(0, id.find('.')));
    std::replace(key.begin(), key.end(), '_', '-');
    const std::optional<Unit> unit = unit_from_key(key);
    return unit ? unit_name(*unit) : std::string_view();
}

/// "AI Core status 0x120: floating-point overflow", for the first units.
std::vector<std::string> causes_of(const Dump& dump, Language language) {
    constexpr std::size_t kUnitsShown = 2;
    const auto word = [language](std::string_view id) { return remarks::word(id, language); };
    std::vector<std::string> causes;
    for (const UnitStatus& unit : overflowed_units(dump)) {
        if (causes.size() == kUnitsShown) {
            break;
        }
        const std::string names =
            joined(unit.record->status.causes, word("page.comma"),
                   [language](const Cause& cause) { return printable(cause.definition->name.in(language)); });
        causes.push_back(fmt::format("{} {} {}{}{}", unit_name(unit.record->unit), word("page.status"),
                                     hex_words(unit.record->status.words), word("page.colon"),
                                     names.empty() ? word("page.no_cause") : names));
    }
    return causes;
}

}  // namespace

std::string scan_title(const ScanContents& page, Language language) {
    const ScanCounts& counts = page.scan.counts;
    if (page.scan.dumps_found == 0 && counts.dumps == 0 && page.api) {
        return remarks::phrase("scan_page.api_only", {{"count", page.api->report->counts.files}}).in(language);
    }
    const bool all_read = page.scan.dumps_found <= counts.dumps;
    return remarks::phrase(
               all_read ? "scan_page.title" : "scan_page.stopped",
               {{"overflowed", counts.overflowed}, {"dumps", counts.dumps}, {"found", page.scan.dumps_found}})
        .in(language);
}

std::string_view no_overflow_words(const ScanCounts& counts, Language language) {
    return remarks::word(counts.failed == 0              ? "scan_page.none"
                         : counts.failed == counts.dumps ? "scan_page.none_read"
                                                         : "scan_page.none_readable",
                         language);
}

void each_entry(const ScanContents& page, const std::function<bool(const ScanEntry&)>& use) {
    // A reading error already appeared when the dumps were counted; a page cannot report a later one.
    (void)each_dump(page, [&use](const DumpInOrder& dump) { return use(dump.entry); });
}

std::vector<ScanEntry> failed_of(const ScanContents& page, std::size_t most) {
    std::vector<ScanEntry> failed;
    const std::size_t wanted = std::min<std::uint64_t>(most, page.scan.counts.failed);
    if (wanted != 0) {
        each_entry(page, [&](const ScanEntry& entry) {
            if (entry.item.state == DumpState::failed) {
                failed.push_back(entry);
            }
            return failed.size() < wanted;
        });
    }
    return failed;
}

FirstWords first_words_of(const ScanContents& page, Language language) {
    if (page.first_text) {
        return page.first_text(language);
    }
    const std::optional<ScannedDump>& first = page.first;
    if (!first || !first->dump) {
        return {};
    }
    ReportOptions in_language = page.options.report;
    in_language.language = language;
    in_language.verbose = true;
    FirstWords words{answer_words_of(*first->dump, first->location, language),
                     record_to_text(*first->dump, first->location, first->tensors, in_language),
                     {},
                     causes_of(*first->dump, language)};
    if (const std::optional<LocatedOperator>& located = first->location.op) {
        const bool is_certain = located->candidates.size() < 2 && located->best.confidence == Confidence::exact;
        words.confidence = is_certain ? std::string() : confidence_text(first->location, language);
        for (std::size_t i = 1; i < std::min<std::size_t>(located->candidates.size(), 1 + kOtherCandidates); ++i) {
            const std::string other = operator_text(located->candidates[i]);
            words.confidence +=
                fmt::format("{}{}", remarks::word("scan_page.or", language), other.empty() ? "?" : other);
        }
    }
    return words;
}

const CauseDefinition* cause_definition(std::string_view id) {
    for (const Unit unit : kUnits) {
        const status::Register* description = built_in_status_catalogue()->find(unit);
        if (description == nullptr) {
            continue;
        }
        for (const auto& entry : description->entries) {
            if (entry->id == id) {
                return entry.get();
            }
        }
    }
    return nullptr;
}

std::string cause_name(std::string_view id, Language language) {
    const std::string_view unit = unit_of_cause(id);
    std::string_view name;
    if (const CauseDefinition* definition = cause_definition(id)) {
        name = definition->name.in(language);
        if (unit == unit_name(Unit::ai_core)) {
            return std::string(name);
        }
    } else if (id.size() > 13 && id.substr(id.size() - 13) == ".undocumented") {
        name = remarks::word("page.no_cause", language);
    }
    if (name.empty() || unit.empty()) {
        return printable(name.empty() ? id : name);
    }
    return fmt::format("{}{}{}", unit, remarks::word("page.colon", language), name);
}

std::string show_operator(std::string_view name, std::string_view type) {
    if (name.empty()) {
        return type.empty() ? std::string() : fmt::format("({})", printable(type));
    }
    return type.empty() ? printable(name) : fmt::format("{} ({})", printable(name), printable(type));
}

}  // namespace opdebug::report

std::string opdebug::item_to_line(const ScanItem& item, Language language) {
    const std::string text = report::KnownValues("  ")
                                 .add(item.timestamp_us ? report::show_time(*item.timestamp_us)
                                                        : remarks::word("scan_page.unknown_time", language))
                                 .add("step", item.path_ids.data_index)
                                 .add("rank", item.path_ids.rank)
                                 .add("device", item.path_ids.device_id)
                                 .text();
    const std::string causes = item.state == DumpState::clean
                                   ? std::string(remarks::word("page.clean", language))
                                   : report::joined(cause_ids(item), ", ", [language](const std::string& cause) {
                                         return report::cause_name(cause, language);
                                     });
    const std::string op = report::show_operator(item.operator_name, item.operator_type);
    const std::string origin =
        item.origin ? fmt::format("  {}", report::verdict_label(item.origin->verdict, language)) : std::string();
    return fmt::format("{}  {}{}{}{}  {}", text, causes, op.empty() ? "" : "  ", op, origin, printable(item.file));
}

std::string opdebug::group_to_line(const ScanGroup& group, Language language) {
    return report::KnownValues("   ")
        .add(report::show_operator(group.operator_name, group.operator_type))
        .add(report::cause_name(group.cause, language))
        .add(remarks::word("page.path_model", language),
             group.model.empty() ? std::nullopt : std::optional(printable(group.model)))
        .text();
}

namespace opdebug {

struct FirstOverflows::Dumps {
    std::multimap<ScanItem, ScannedDump, decltype(&comes_before)> overflows{&comes_before};
};

FirstOverflows::FirstOverflows(std::uint64_t count) : count_(count), dumps_(std::make_unique<Dumps>()) {}
FirstOverflows::~FirstOverflows() = default;

void FirstOverflows::add(ScannedDump&& dump) {
    auto& overflows = dumps_->overflows;
    if (dump.state == DumpState::overflowed) {
        ScanItem item = scan_item_of(dump);
        overflows.emplace(std::move(item), std::move(dump));
    }
    if (overflows.size() > count_) {
        overflows.erase(std::prev(overflows.end()));
    }
}

std::vector<ScannedDump> FirstOverflows::take() {
    std::vector<ScannedDump> dumps;
    for (auto& [item, dump] : dumps_->overflows) {
        dumps.push_back(std::move(dump));
    }
    dumps_->overflows.clear();
    return dumps;
}

}  // namespace opdebug

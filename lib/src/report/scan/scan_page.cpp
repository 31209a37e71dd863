// What text and HTML pages share of a scan, and dumps and groups in one line each.
#include "report/scan/scan_page.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

#include "report/parts/part_lines.hpp"
#include "report/text/answer_words.hpp"
#include "report/text/labels.hpp"
#include "report/text/numbers_and_times.hpp"
#include "report/text/shown_remarks.hpp"
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
    const Labels& labels = labels_in(language);
    const std::vector<UnitStatus> units = overflowed_units(dump);
    std::vector<std::string> causes;
    for (const UnitStatus& unit : units) {
        if (causes.size() == kUnitsShown) {
            break;
        }
        std::vector<std::string> names;
        for (const Cause& cause : unit.record->status.causes) {
            names.push_back(printable(cause.definition->name.in(language)));
        }
        causes.push_back(fmt::format(
            "{} {} {}{}{}", unit_name(unit.record->unit), labels.status, hex_words(unit.record->status.words),
            labels.colon,
            names.empty() ? std::string(labels.no_cause) : fmt::format("{}", fmt::join(names, labels.comma))));
    }
    return causes;
}

}  // namespace

ScanPage page_of(const ScanReport::Contents& contents) {
    return {contents.options,
            contents.scan,
            contents.merged ? nullptr : &contents.entries,
            contents.merged.get(),
            contents.overview,
            contents.chains,
            contents.first_text ? contents.first_text : first_text_of(contents.first, contents.options.report),
            contents.api ? &*contents.api : nullptr,
            contents.training ? &*contents.training : nullptr};
}

std::string scan_title(const ScanPage& page, Language language) {
    const ScanCounts& counts = page.scan.counts;
    const ScanLabels& words = scan_labels_in(language);
    if (page.scan.dumps_found == 0 && counts.dumps == 0 && page.api != nullptr) {
        const std::uint64_t files = page.api->report->counts.files;
        return fmt::format(fmt::runtime(words.api_only_format), files, files == 1 ? "" : "s");
    }
    const bool all_read = page.scan.dumps_found <= counts.dumps;
    return fmt::format(fmt::runtime(all_read ? words.title_format : words.stopped_format), counts.overflowed,
                       counts.dumps, counts.dumps == 1 ? "" : "s", page.scan.dumps_found);
}

std::string_view no_overflow_words(const ScanCounts& counts, Language language) {
    const ScanLabels& words = scan_labels_in(language);
    return counts.failed == 0 ? words.none : counts.failed == counts.dumps ? words.none_read : words.none_readable;
}

void each_entry(const ScanPage& page, const std::function<bool(const ScanEntry&)>& use) {
    if (page.entries == nullptr) {
        // A reading error already appeared when the dumps were counted; a page cannot report a later one.
        (void)page.merged->each([&use](const DumpInOrder& dump) { return use(dump.entry); });
        return;
    }
    for (const ScanEntry& entry : *page.entries) {
        if (!use(entry)) {
            return;
        }
    }
}

std::vector<ScanEntry> failed_of(const ScanPage& page, std::size_t most) {
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

FirstText first_text_of(const std::optional<ScannedDump>& first, const ReportOptions& options) {
    return [&first, &options](Language language) {
        FirstWords words;
        if (!first || !first->dump) {
            return words;
        }
        ReportOptions in_language = options;
        in_language.language = language;
        in_language.verbose = true;
        words.record = record_to_text(*first->dump, first->location, first->tensors, in_language);
        std::string_view reason;
        words.causes = causes_of(*first->dump, language);
        if (const std::optional<LocatedOperator>& located = first->location.op) {
            words.op = operator_text(located->best);
            const bool is_certain = located->candidates.size() < 2 && located->best.confidence == Confidence::exact;
            words.confidence = is_certain ? std::string() : confidence_text(first->location, language);
            for (std::size_t i = 1; i < std::min<std::size_t>(located->candidates.size(), 1 + kOtherCandidates); ++i) {
                const std::string other = operator_text(located->candidates[i]);
                words.confidence +=
                    fmt::format("{}{}", language == Language::chinese ? "；或 " : "; or ", other.empty() ? "?" : other);
            }
        }
        if (words.op.empty()) {
            UnknownOperator unknown = why_unknown(*first->dump, first->location, language);
            words.reason = std::move(unknown.reason);
            words.next = std::move(unknown.next);
            reason = unknown.code;
        }
        AnswerLimits limits = limits_of_answer(*first->dump, first->location, reason, language);
        words.failure = std::move(limits.failure);
        words.failure_next = std::move(limits.failure_next);
        words.warnings = std::move(limits.warnings);
        words.statistics = statistics_of_inputs(first->location);
        return words;
    };
}

std::string show_numbers(const std::vector<std::uint64_t>& numbers) {
    constexpr int kParts = 6;
    std::string text;
    int parts = 0;
    for (std::size_t i = 0; i < numbers.size();) {
        if (parts++ == kParts) {
            return text + fmt::format(",... ({})", numbers.size());
        }
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) {
            ++last;
        }
        text += text.empty() ? "" : ",";
        text += last == i ? fmt::to_string(numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
        i = last + 1;
    }
    return text;
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
        name = labels_in(language).no_cause;
    }
    if (name.empty() || unit.empty()) {
        return printable(name.empty() ? id : name);
    }
    return fmt::format("{}{}{}", unit, language == Language::chinese ? "：" : ": ", name);
}

std::string show_operator(std::string_view name, std::string_view type) {
    if (name.empty()) {
        return type.empty() ? std::string() : fmt::format("({})", printable(type));
    }
    return type.empty() ? printable(name) : fmt::format("{} ({})", printable(name), printable(type));
}

}  // namespace opdebug::report

namespace opdebug {
inline namespace v0 {

std::string item_to_line(const ScanItem& item, Language language) {
    const report::Labels& labels = report::labels_in(language);
    const report::ScanLabels& words = report::scan_labels_in(language);
    std::string text = item.timestamp_us ? report::show_time(*item.timestamp_us) : std::string(words.unknown_time);
    const auto add = [&text](std::string_view name, const std::optional<std::uint64_t>& value) {
        text += value ? fmt::format("  {} {}", name, *value) : std::string();
    };
    add("step", item.path_ids.data_index);
    add("rank", item.path_ids.rank);
    add("device", item.path_ids.device_id);
    std::string causes;
    for (const std::string& cause : cause_ids(item)) {
        causes += (causes.empty() ? "" : ", ") + report::cause_name(cause, language);
    }
    if (item.state == DumpState::clean) {
        causes = labels.clean;
    }
    const std::string op = report::show_operator(item.operator_name, item.operator_type);
    const std::string origin =
        item.origin ? fmt::format("  {}", report::verdict_label(item.origin->verdict, labels)) : std::string();
    return fmt::format("{}  {}{}{}{}  {}", text, causes, op.empty() ? "" : "  ", op, origin, printable(item.file));
}

std::string group_to_line(const ScanGroup& group, Language language) {
    std::string text;
    const std::string model =
        group.model.empty() ? std::string()
                            : fmt::format("{} {}", report::labels_in(language).path_model, printable(group.model));
    for (const std::string& part : {report::show_operator(group.operator_name, group.operator_type),
                                    report::cause_name(group.cause, language), model}) {
        text += (text.empty() || part.empty() ? "" : "   ") + part;
    }
    return text;
}

namespace {

/// An overflow with the values that decide its position in the order.
struct OrderedOverflow {
    ScanItem item;
    ScannedDump dump;
};

bool is_before(const OrderedOverflow& a, const OrderedOverflow& b) {
    return comes_before(a.item, b.item);
}

}  // namespace

struct FirstOverflows::Kept {
    std::vector<OrderedOverflow> heap;  ///< the one that comes last is in front
};

FirstOverflows::FirstOverflows(std::uint64_t count) : count_(count), kept_(std::make_unique<Kept>()) {}
FirstOverflows::~FirstOverflows() = default;

void FirstOverflows::add(ScannedDump&& dump) {
    if (dump.state != DumpState::overflowed || count_ == 0) {
        return;
    }
    std::vector<OrderedOverflow>& heap = kept_->heap;
    ScanItem item = scan_item_of(dump);
    if (heap.size() >= count_) {
        if (!comes_before(item, heap.front().item)) {
            return;
        }
        std::pop_heap(heap.begin(), heap.end(), is_before);
        heap.pop_back();
    }
    heap.push_back({std::move(item), std::move(dump)});
    std::push_heap(heap.begin(), heap.end(), is_before);
}

std::vector<ScannedDump> FirstOverflows::take() {
    std::vector<OrderedOverflow> kept = std::exchange(kept_->heap, {});
    std::sort_heap(kept.begin(), kept.end(), is_before);
    std::vector<ScannedDump> dumps;
    dumps.reserve(kept.size());
    for (OrderedOverflow& overflow : kept) {
        dumps.push_back(std::move(overflow.dump));
    }
    return dumps;
}

}  // namespace v0
}  // namespace opdebug

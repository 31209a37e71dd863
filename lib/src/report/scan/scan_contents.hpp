// Inside of a scan report: dumps in report order, what they show together, training logs, documents of the single
// dumps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

#include "report/json/json_parts.hpp"
#include "report/json/json_writer.hpp"
#include "report/parts/document_store.hpp"
#include "report/parts/part_lines.hpp"
#include "report/scan/scan_api.hpp"
#include "training/step_times.hpp"

namespace opdebug::report {

/// Overflowed dumps by what became of the update of their step.
struct StepCounts {
    std::uint64_t skipped = 0, applied = 0, unknown = 0;
};

struct ScanTraining {
    explicit ScanTraining(training::StepTimes of_logs) : times(std::move(of_logs)) {}

    training::StepTimes times;
    TrainingReport report;
    std::optional<int> utc_offset_minutes;  ///< of the logs, given by the user
    training::StepAlignment alignment;
    StepCounts counts;
    std::optional<training::TrainingStep> first;  ///< of the first overflow in report order
};

/// Aligns the times of the logs and the overflows, then finds the steps.
void align_training(const ScanEntries& entries, const ReportOptions& options, ScanTraining& training);

/// The step of a dump; nothing if the dump has no time.
std::optional<training::TrainingStep> training_step_of(const ScanItem& item, const ScanTraining& training);

/// A record document in one line, with the member "training_step" if there are training logs.
std::string with_training_step(std::string_view document, const ScanItem& item,
                               const std::optional<ScanTraining>& training);

/// Sentences for people: the step of the first overflow, how many overflows were in skipped steps, the zone of the log.
std::vector<std::string> training_lines(const ScanTraining& training, Language language);

/// The member "training".
void write_members(const ScanTraining& training, JsonWriter& json);

/// The rows of a dump and its item, each with a line break. One that failed, or holds no record, has one row.
std::string scan_rows(const ScannedDump& scanned, const ScanItem& item, std::string_view failure_code, bool tensors);

/// A cell that holds any text. Control characters and bytes that are not UTF-8 are written as \xNN, so a row is one
/// line. Text that a spreadsheet would read as a formula gets a ' in front. Such text has = + - @, a tab or CR, or the
/// wide forms of these signs, at the begin of the cell or after a semicolon. Spaces and quotation marks may precede the
/// sign. Quoted where it holds a comma, a semicolon or a quote.
std::string csv_cell(std::string_view text);

/// Appends the cell to a row.
void add_csv_cell(std::string_view text, std::string& row);

/// Hands out every dump of a finished report in report order. Errors: read_failed, those of `use`.
std::optional<Error> each_dump(const ScanReport::Contents& contents, const UseDump& use);

/// The first overflow in words of a language; empty if there is none.
using FirstText = std::function<FirstWords(Language)>;

}  // namespace opdebug::report

struct opdebug::ScanReport::Contents {
    explicit Contents(ScanReportOptions given) : options(std::move(given)), documents(options.temporary_folder) {}

    ScanReportOptions options;
    Scan scan;
    report::ScanEntries entries;  ///< all dumps, in report order once finished
    report::EachDump merged;      ///< of a merged report instead of the entries
    ScanOverview overview;
    OverflowChains chains;             ///< with options.report.tensors
    std::optional<ScannedDump> first;  ///< the first overflow, whole: text shows it with its evidence
    ScanItem first_item;
    report::FirstText first_text;        ///< of a merged report instead of `first`
    report::PartFacts facts;             ///< for the lines of a partial report
    std::optional<report::ScanApi> api;  ///< nothing: no part saw an API dump
    std::optional<report::ScanTraining> training;
    report::DocumentStore documents;
    std::optional<Error> lost;  ///< the first error of the store: documents are missing
};

namespace opdebug::report {

using ScanContents = ScanReport::Contents;

/// The members that both JSON forms begin with. `type`: of a line; null: the report is one document.
void write_head(const ScanReport::Contents& contents, ReportWriter& object, const char* type);

void write_members(const ScanCounts& counts, JsonWriter& json);

/// The lists that end both forms. Error: read_failed, of a merged report.
std::optional<Error> write_lists(const ScanReport::Contents& contents, ReportWriter& object);

/// Why the texts of the single dumps are not there: `kept` is false, or they were lost. Nothing: they are there.
inline std::optional<Error> why_missing(const ScanReport::Contents& contents, bool kept) {
    if (!kept) {
        return Error{ErrorCode::invalid_argument,
                     "the options of the report do not keep what this form shows of each dump", "", std::nullopt};
    }
    return contents.lost;
}

/// Reads what is kept of the dumps that `takes` chooses and hands it on, until it states that no more are wanted.
template <class Takes, class Use>
std::optional<Error> read_each(const ScanReport::Contents& contents, StoredText kept, const SinkWriter& out,
                               Takes takes, Use use) {
    return each_dump(contents, [&](const DumpInOrder& dump) -> Result<bool> {
        bool is_last = false;
        if (takes(dump.entry, is_last)) {
            const Result<std::string_view> text = dump.text(kept);
            if (!text) {
                return text.error();
            }
            if (!text->empty()) {
                use(dump.entry, *text);
            }
        }
        return !is_last && out.is_open();
    });
}

/// The same of the dumps that the options show, in report order.
template <class Use>
std::optional<Error> read_timeline(const ScanReport::Contents& contents, StoredText kept, const SinkWriter& out,
                                   Use use) {
    TimelineChoice choice(contents.options);
    const auto takes = [&choice](const ScanEntry& entry, bool& is_last) {
        const bool is_chosen = choice.takes(entry);
        is_last = choice.is_full();
        return is_chosen;
    };
    return read_each(contents, kept, out, takes, use);
}

}  // namespace opdebug::report

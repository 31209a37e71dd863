// What the pages for people, text and HTML, take from a scan report, and the texts that both show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/report.hpp>

#include "report/scan/scan_contents.hpp"

namespace opdebug::report {

/// A scan report without its documents. Everything belongs to the caller and must outlive the page.
struct ScanPage {
    const ScanReportOptions& options;
    const Scan& scan;
    const ScanEntries* entries;  ///< all dumps in report order; null: they are read from other reports
    const DumpsInOrder* merged;  ///< from here
    const ScanOverview& overview;
    const OverflowChains& chains;  ///< empty without options.report.tensors
    FirstText first;
    const ScanApi* api = nullptr;            ///< null: the scan saw no API dump
    const ScanTraining* training = nullptr;  ///< null: no training log
};

ScanPage page_of(const ScanReport::Contents& contents);

/// How many dumps overflowed; where the scan was stopped, also how many were found.
std::string scan_title(const ScanPage& page, Language language);

/// That there is no overflow, as far as the dumps could be read.
std::string_view no_overflow_words(const ScanCounts& counts, Language language);

/// Hands out every dump in report order until `use` returns false.
void each_entry(const ScanPage& page, const std::function<bool(const ScanEntry&)>& use);

/// The first `most` of the dumps that failed, in order; scan.counts.failed is how many there are.
std::vector<ScanEntry> failed_of(const ScanPage& page, std::size_t most);

/// The words of an overflow. `first` and `options` must outlive the function.
FirstText first_text_of(const std::optional<ScannedDump>& first, const ReportOptions& options);

/// Numbers in short form: "0-3,8"; after six parts "... (N)" with how many numbers there are in all. `numbers`: sorted,
/// each once.
std::string show_numbers(const std::vector<std::uint64_t>& numbers);

/// The cause of the built-in catalogue; null: it has none of this id. Static storage.
const CauseDefinition* cause_definition(std::string_view id);

/// The name of a cause for people: that of the built-in catalogue, with the unit in front where it is not an AI Core.
/// "UNIT.undocumented" is expressed in words; any other unknown id stays as it is.
std::string cause_name(std::string_view id, Language language);

/// "name (type)", with what is known, made printable; empty: nothing is.
std::string show_operator(std::string_view name, std::string_view type);

}  // namespace opdebug::report

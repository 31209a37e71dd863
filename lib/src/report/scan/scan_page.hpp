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

/// How many dumps overflowed; where the scan was stopped, also how many were found.
std::string scan_title(const ScanContents& page, Language language);

/// That there is no overflow, as far as the dumps could be read.
std::string_view no_overflow_words(const ScanCounts& counts, Language language);

/// Hands out every dump in report order until `use` returns false.
void each_entry(const ScanContents& page, const std::function<bool(const ScanEntry&)>& use);

/// The first `most` of the dumps that failed, in order; scan.counts.failed is how many there are.
std::vector<ScanEntry> failed_of(const ScanContents& page, std::size_t most);

/// The first overflow in words of a language; empty if there is none.
FirstWords first_words_of(const ScanContents& page, Language language);

/// The cause of the built-in catalogue; null: it has none of this id. Static storage.
const CauseDefinition* cause_definition(std::string_view id);

/// The name of a cause for people: that of the built-in catalogue, with the unit in front where it is not an AI Core.
/// "UNIT.undocumented" is expressed in words; any other unknown id stays as it is.
std::string cause_name(std::string_view id, Language language);

/// "name (type)", with what is known, made printable; empty: nothing is.
std::string show_operator(std::string_view name, std::string_view type);

}  // namespace opdebug::report

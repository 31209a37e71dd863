// A scan as one self-contained HTML file that opens offline. The head and the first operators are HTML; a script
// (lib/data/report/page.js) draws the rest from data in the page.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <opdebug/dump.hpp>
#include <opdebug/result.hpp>

#include "report/json/json_writer.hpp"
#include "report/scan/scan_page.hpp"

namespace opdebug::report {

/// Writes the page piece by piece; ends early when the sink wants no more.
void scan_html(const ScanContents& page, const TextSink& sink);

}  // namespace opdebug::report

namespace opdebug::report::html_page {

/// What the head of the page states of the dumps.
struct PageFacts {
    ScanAnswer answer;
    std::set<std::uint64_t> ranks, steps;                     ///< of the overflows that the page lists
    std::set<std::pair<std::string, std::uint64_t>> devices;  ///< of hosts
};

/// The overflowed dumps for the script: one JSON object of columns, which contains each operator, folder, cause and
/// model once. It has no '<', so that no text of it ends the element that holds it.
struct PageData {
    PageFacts facts;
    std::string json;
};

PageData page_data_of(const ScanContents& page);

/// Its member "tables": API dumps, chains, failures and clean dumps. A table without rows is left out. The others have
/// a name, columns (keys of words.json), and rows of numbers, texts, and pairs of an English and a Chinese text.
/// `more`: rows left out.
void write_page_tables(const ScanContents& page, JsonWriter& json);

/// The text as HTML text or as an attribute's value in double quotes: printable(), with & < > " ' escaped.
std::string html(std::string_view text);

/// A file of lib/data/report.
std::string_view page_file(std::string_view name);

/// A word of the page; the key itself where the file has none.
const std::string& page_word(const std::string& key, Language language);

/// A word with its placeholders replaced by values: {} is the next value, {1} the second, and {one|many} a word for the
/// last value.
std::string filled_word(std::string_view word, const std::vector<std::string>& values);
/// A word with its placeholders replaced by values.
template <class... Values>
std::string page_words(const std::string& key, Language language, const Values&... values) {
    return filled_word(page_word(key, language), {fmt::to_string(values)...});
}

/// The message of a remark, safe for a page.
std::string remark_in(const Diagnostic& remark, Language language);

}  // namespace opdebug::report::html_page

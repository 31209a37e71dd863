// Texts of the HTML page: escaping, and its words in both languages (lib/data/report/words.json).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <opdebug/dump.hpp>
#include <opdebug/result.hpp>

namespace opdebug::report::html_page {

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

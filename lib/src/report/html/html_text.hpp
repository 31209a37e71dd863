// Pieces of HTML that the report's page is made of.
#pragma once

#include <string>
#include <string_view>

#include <opdebug/origin.hpp>

namespace opdebug::report {

/// The text as HTML text or as an attribute's value in double quotes: what printable() makes of it, with & < > " '
/// escaped.
std::string html(std::string_view text);

/// The same for a text of several lines, in a <pre>: its line breaks stay, and columns of Chinese letters stay columns.
std::string html_lines(std::string_view text);

/// Both texts, escaped; the page shows the one of its language (page.css).
std::string in_both_languages(std::string_view english, std::string_view chinese);

std::string both_verdicts(OriginVerdict verdict);

}  // namespace opdebug::report

#include "report/html/html_text.hpp"

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "report/text/labels.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

/// The length of the character that a text begins with, which printable() made safe.
std::size_t character_at(std::string_view text) {
    std::size_t length = 1;
    while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80) {
        ++length;
    }
    return length;
}

/// A line whose wide letters are marked. Text in columns counts two for each, which few fonts of browsers keep: figures
/// would stand below the heading of another column. page.css gives them the room.
std::string with_wide_letters(std::string_view line) {
    std::string marked;
    bool wide = false;
    while (!line.empty()) {
        const std::string_view letter = line.substr(0, character_at(line));
        const bool is_wide = display_columns(letter) == 2;
        marked += is_wide == wide ? "" : is_wide ? "<span class=\"wide\">" : "</span>";
        wide = is_wide;
        marked += letter;
        line.remove_prefix(letter.size());
    }
    return marked + (wide ? "</span>" : "");
}

}  // namespace

std::string html(std::string_view text) {
    const std::string safe = printable(text);
    std::string escaped;
    escaped.reserve(safe.size());
    for (const char c : safe) {
        switch (c) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            case '"': escaped += "&quot;"; break;
            case '\'': escaped += "&#39;"; break;
            default: escaped += c;
        }
    }
    return escaped;
}

std::string html_lines(std::string_view text) {
    std::string lines;
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        lines += with_wide_letters(html(text.substr(0, end))) + "\n";
        text.remove_prefix(end + 1);
    }
    return lines + with_wide_letters(html(text));
}

std::string in_both_languages(std::string_view english, std::string_view chinese) {
    return fmt::format("<span class=\"en\" lang=\"en\">{}</span><span class=\"zh\" lang=\"zh\">{}</span>",
                       html(english), html(chinese));
}

std::string both_verdicts(OriginVerdict verdict) {
    return in_both_languages(verdict_label(verdict, labels_in(Language::english)),
                             verdict_label(verdict, labels_in(Language::chinese)));
}

}  // namespace opdebug::report

#include "report/html/html_table.hpp"

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "bytes/counted.hpp"
#include "report/scan/scan_page.hpp"
#include "report/text/labels.hpp"
#include "report/text/numbers_and_times.hpp"
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

namespace {

std::string remark_item(const Diagnostic& remark) {
    return fmt::format(
        "<li class=\"{0}\"><span class=\"severity\">{1}</span> <span lang=\"en\">{2}</span> <code>{3}</code></li>\n",
        to_string(remark.severity),
        in_both_languages(severity_label(remark.severity, labels_in(Language::english)),
                          severity_label(remark.severity, labels_in(Language::chinese))),
        html(remark.message), html(remark.code));
}

}  // namespace

std::string keyed_cell(std::string_view key, std::string_view content, std::string_view style) {
    return fmt::format("<td{}{}{} data-key=\"{}\">{}</td>", style.empty() ? "" : " class=\"", style,
                       style.empty() ? "" : "\"", html(key), content);
}

std::string number_cell(const std::optional<std::uint64_t>& value) {
    const std::string text = value ? fmt::to_string(*value) : std::string();
    return keyed_cell(text, text, "number");
}

std::string time_cell(const std::optional<std::uint64_t>& value) {
    return keyed_cell(value ? fmt::to_string(*value) : std::string(), value ? show_utc(*value) : std::string(), "time");
}

std::string numbers_cell(const std::vector<std::uint64_t>& values) {
    std::string content;
    for (const char letter : show_numbers(values)) {
        content += letter;
        content += letter == ',' ? "<wbr>" : "";
    }
    return keyed_cell(values.empty() ? std::string() : fmt::to_string(values.front()), content, "numbers");
}

std::string text_cell(std::string_view text, std::string_view style) {
    return fmt::format("<td class=\"{}\">{}</td>", style, html(text));
}

std::string heading_cells(std::initializer_list<std::pair<const char*, const char*>> names) {
    std::string cells;
    for (const auto& [english, chinese] : names) {
        cells += fmt::format("<th scope=\"col\">{}</th>", in_both_languages(english, chinese));
    }
    return cells;
}

std::string table(std::string_view id, const std::string& headings, const std::string& rows) {
    return fmt::format(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-labelledby=\"{0}-heading\">\n"
        "<table id=\"{0}\" data-sortable>\n<thead><tr>{1}</tr></thead>\n<tbody>\n{2}</tbody>\n"
        "</table>\n</div>\n",
        id, headings, rows);
}

std::string left_out(std::size_t all, std::size_t shown) {
    if (all <= shown) {
        return {};
    }
    return fmt::format(
        "<p class=\"note\">{}</p>\n",
        in_both_languages(fmt::format("The first {} are shown; {} more {} left out (opdebug scan "
                                      "--format json has all).",
                                      shown, all - shown, bytes::is_or_are(all - shown)),
                          fmt::format("只显示前 {} 项，另有 {} 项未显示（opdebug scan --format json 包含全部）。",
                                      shown, all - shown)));
}

std::string remark_list(const std::vector<Diagnostic>& remarks) {
    std::string items;
    for (const Diagnostic& remark : remarks) {
        items += remark_item(remark);
    }
    return items.empty() ? items : "<ul class=\"remarks\">\n" + items + "</ul>\n";
}

}  // namespace opdebug::report

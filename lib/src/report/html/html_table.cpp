#include "report/html/html_table.hpp"

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "report/html/html_text.hpp"
#include "report/scan/scan_page.hpp"
#include "report/text/labels.hpp"
#include "report/text/text_time.hpp"

namespace opdebug::report {
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

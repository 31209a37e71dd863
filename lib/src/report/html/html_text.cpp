#include "report/html/html_text.hpp"

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "report/text/labels.hpp"

namespace opdebug::report {

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
        lines += html(text.substr(0, end)) + "\n";
        text.remove_prefix(end + 1);
    }
    return lines + html(text);
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

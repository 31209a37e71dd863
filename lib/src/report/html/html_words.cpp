#include "report/html/scan_html.hpp"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

#include "embedded/report_data.hpp"
#include "json/document.hpp"

namespace opdebug::report::html_page {
namespace {

using Words = std::map<std::string, LocalizedText>;

Words read_page_words() {
    Words words;
    const nlohmann::json document = json_stage::parse_data(page_file("words.json"));
    for (const auto& [key, both] : document.items()) {
        words[key] = {both[0], both[1]};
    }
    return words;
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

std::string_view page_file(std::string_view name) {
    for (const embedded::File& file : embedded::report_files()) {
        if (file.name == name) {
            return file.text;
        }
    }
    return {};
}

const std::string& page_word(const std::string& key, Language language) {
    static const Words words = read_page_words();
    const auto found = words.find(key);
    return found != words.end() ? found->second.in(language) : key;
}

std::string filled_word(std::string_view word, const std::vector<std::string>& values) {
    std::string text;
    std::size_t next = 0, last = 0;
    while (!word.empty()) {
        const std::size_t begin = std::min(word.find('{'), word.size());
        const std::size_t end = std::min(word.find('}', begin), word.size());
        text += word.substr(0, begin);
        if (end < word.size()) {
            const std::string_view inside = word.substr(begin + 1, end - begin - 1);
            const std::size_t bar = inside.find('|');
            if (bar != std::string_view::npos) {
                text += last < values.size() && values[last] == "1" ? inside.substr(0, bar) : inside.substr(bar + 1);
            } else {
                last = inside.empty() ? next++ : static_cast<std::size_t>(inside.front() - '0');
                text += last < values.size() ? values[last] : std::string();
            }
        }
        word.remove_prefix(std::min(end + 1, word.size()));
    }
    return text;
}

std::string remark_in(const Diagnostic& remark, Language language) {
    return printable(remark.message_in(language));
}

}  // namespace opdebug::report::html_page

#include "report/html/html_words.hpp"

#include <map>

#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

#include "embedded/report_data.hpp"

namespace opdebug::report::html_page {
namespace {

using Words = std::map<std::string, LocalizedText>;

Words read_page_words() {
    Words words;
    const nlohmann::json document = nlohmann::json::parse(page_file("words.json"));
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

std::string remark_in(const Diagnostic& remark, Language language) {
    return printable(remark.message_in(language));
}

}  // namespace opdebug::report::html_page

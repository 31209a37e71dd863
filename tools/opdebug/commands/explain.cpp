// opdebug explain: the meaning of a code in a result or log.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "report/json/json_parts.hpp"
#include "report/text/code_texts.hpp"

namespace opdebug::tool {
namespace {

using report::CodeText;
using Codes = std::vector<CodeText>;

struct Catalogue {
    Codes codes;
    std::vector<report::CodeFamily> families;
};

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
/// Results of HCCL are small numbers. Their codes are "hccl.4".
constexpr std::string_view kHcclPrefix = "hccl.";
/// A number of a log line is a code only after one of these words, or after a word that ends with one ("rtCode").
constexpr std::array<std::string_view, 6> kKeys = {"code", "ret", "result", "status", "error", "failed"};

std::string with_case(std::string_view text, int (*change)(int)) {
    std::string changed(text);
    std::transform(changed.begin(), changed.end(), changed.begin(),
                   [change](unsigned char c) { return static_cast<char>(change(c)); });
    return changed;
}

bool is_number(std::string_view word) {
    return kDigits.find(word.front()) != std::string_view::npos;
}

/// The names and numbers of a text, without the dots around them.
std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::size_t begin = std::min(text.find_first_of(kLetters), text.size());
        const std::size_t end = std::min(text.find_first_not_of(kLetters, begin), text.size());
        std::string_view word = text.substr(begin, end - begin);
        word.remove_prefix(std::min(word.find_first_not_of('.'), word.size()));
        word.remove_suffix(word.size() - (word.find_last_not_of('.') + 1));
        if (!word.empty()) {
            words.emplace_back(word);
        }
        text.remove_prefix(end);
    }
    return words;
}

/// All meanings of a code, of the name of a return code, or of a number.
Codes meanings_of_word(const std::string& word, const Catalogue& catalogue) {
    Codes meanings;
    const std::string upper = with_case(word, std::toupper);
    const auto add = [&](const auto& is_wanted) {
        if (meanings.empty()) {
            std::copy_if(catalogue.codes.begin(), catalogue.codes.end(), std::back_inserter(meanings), is_wanted);
        }
    };
    add([&](const CodeText& one) { return one.code == word; });
    add([&](const CodeText& one) { return one.kind == "return_code" && !upper.empty() && one.name == upper; });
    if (const CodeText* const number = report::find_return_code(catalogue.codes, word);
        number != nullptr && meanings.empty()) {
        meanings.push_back(*number);
    }
    add([&](const CodeText& one) { return one.kind == "log_code" && one.code == upper; });
    for (const std::string& spelling : {word, upper}) {
        auto family = report::find_family(catalogue.families, spelling);
        if (family && meanings.empty()) {
            meanings.push_back(*std::move(family));
        }
    }
    return meanings;
}

bool is_key(const std::string& word) {
    return std::any_of(kKeys.begin(), kKeys.end(), [&word](std::string_view key) { return word.ends_with(key); });
}

/// The codes of return values and messages in a log line. Other words of it are no codes: "unknown error" is no
/// verdict.
Codes meanings_of_line(const std::vector<std::string>& words, const Catalogue& catalogue) {
    Codes meanings;
    const bool has_hccl = std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return with_case(word, std::tolower).find("hccl") != std::string::npos;
    });
    bool is_code_expected = !has_hccl;  // else only after a key, and after a code or 0: "errcode:(0, 0x8000, 0)"
    for (const std::string& word : words) {
        Codes found;
        if (!is_number(word)) {
            const std::string lower = with_case(word, std::tolower);
            is_code_expected =
                (is_code_expected && lower == "is") || is_key(lower) || (words.size() == 2 && lower == "hccl");
            found = meanings_of_word(word, catalogue);
        } else if (is_code_expected) {
            found = has_hccl ? meanings_of_word(std::string(kHcclPrefix) + word, catalogue) : Codes();
            found = found.empty() ? meanings_of_word(word, catalogue) : std::move(found);
            is_code_expected = !found.empty() || word == "0";
        }
        for (CodeText& one : found) {
            const bool is_of_logs = one.kind == "return_code" || one.kind == "log_code";
            if (is_of_logs && std::none_of(meanings.begin(), meanings.end(),
                                           [&one](const CodeText& other) { return other.code == one.code; })) {
                meanings.push_back(std::move(one));
            }
        }
    }
    return meanings;
}

/// The meanings of an argument: a code, also with marks around it as in "[507015],", or a log line.
Codes meanings_of(const std::string& argument, const Catalogue& catalogue) {
    Codes meanings = meanings_of_word(argument, catalogue);
    if (meanings.empty()) {
        const std::vector<std::string> words = words_of(argument);
        meanings = words.size() == 1 ? meanings_of_word(words.front(), catalogue) : meanings_of_line(words, catalogue);
    }
    return meanings;
}

/// What the user can do about an unknown code. Codes with similar digits have other meanings, so none is suggested.
std::string hint_for(const std::string& unknown, const Catalogue& catalogue) {
    if (!meanings_of_word(std::string(kHcclPrefix) + unknown, catalogue).empty()) {
        return sentence("explain.hccl", {{"code", unknown}});
    }
    std::vector<std::string> names;
    if (unknown.find_first_of(kDigits) == std::string::npos) {
        std::transform(catalogue.codes.begin(), catalogue.codes.end(), std::back_inserter(names),
                       [](const CodeText& code) { return code.code; });
    }
    const auto near = nearest_word(unknown, names);
    return near ? sentence("usage.did_you_mean", {{"word", *near}}) : sentence("explain.list");
}

}  // namespace

int explain_command(const ParsedArguments& parsed) {
    const ReportOptions report = read_report_options(parsed);
    const Catalogue catalogue = {report::code_texts(report.language), report::code_families(report.language)};
    Codes chosen = parsed.positionals.empty() ? catalogue.codes : Codes();
    std::vector<std::string> unknown;
    for (const std::string& argument : parsed.positionals) {
        Codes meanings = meanings_of(argument, catalogue);
        if (meanings.empty()) {
            unknown.push_back(
                sentence("explain.no_code", {{"code", argument}, {"hint", hint_for(argument, catalogue)}}));
        }
        std::move(meanings.begin(), meanings.end(), std::back_inserter(chosen));
    }
    if (chosen.empty()) {
        std::for_each(unknown.begin(), unknown.end() - 1, [](const std::string& message) { print_message(message); });
        throw UsageError(unknown.back());
    }
    std::string text;
    for (const CodeText& code : chosen) {
        text += (text.empty() ? "" : "\n") + report::code_to_text(code, report);
    }
    const int status = show_result(parsed.output, parsed.form == "json" ? report::codes_to_json(chosen) + "\n" : text);
    std::for_each(unknown.begin(), unknown.end(), [](const std::string& message) { print_message(message); });
    return status == kEverythingHandled && !unknown.empty() ? kUsage : status;
}

}  // namespace opdebug::tool

#include "command_line/command_line.hpp"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "embedded/commands_data.hpp"
#include "json/document.hpp"
#include "output/messages.hpp"
#include "remarks/edit_distance.hpp"
#include "report/text/text_table.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

using nlohmann::json;

/// The files are part of the program and checked by its tests.
std::string_view file_named(std::string_view name) {
    for (const embedded::File& file : embedded::commands_files()) {
        if (file.name == name) {
            return file.text;
        }
    }
    return {};
}

LocalizedText text_of(const json& entry) {
    return {entry.at("en"), entry.at("zh")};
}

ValueKind kind_of(const json& entry) {
    constexpr std::pair<std::string_view, ValueKind> kKinds[] = {
        {"number", ValueKind::number},           {"file", ValueKind::file},
        {"folder", ValueKind::folder},           {"file_or_folder", ValueKind::file_or_folder},
        {"result_file", ValueKind::result_file}, {"log_format", ValueKind::log_format}};
    const std::string name = entry.value("kind", std::string());
    for (const auto& [known, kind] : kKinds) {
        if (known == name) {
            return kind;
        }
    }
    return entry.contains("words") ? ValueKind::word : ValueKind::text;
}

Value value_of(const json& entry) {
    return {kind_of(entry),
            entry.at("value"),
            entry.value("words", std::vector<std::string>()),
            entry.value("repeated", false),
            entry.value("refusal", std::string()),
            entry.value("least", std::uint64_t{0}),
            entry.value("most", UINT64_MAX)};
}

Positionals positionals_of(const json& entry) {
    Positionals positionals{{}, entry.value("expected", std::string())};
    for (const json& one : entry.value("arguments", json::array())) {
        positionals.values.push_back(value_of(one));
    }
    return positionals;
}

Option option_of(const json& entry) {
    Option option;
    std::istringstream names(entry.at("names").get<std::string>());
    for (std::string name; std::getline(names, name, ',');) {
        option.key = option.key.empty() ? name : option.key;
        const bool is_letter = name.size() == 1;
        option.spellings.insert(is_letter ? option.spellings.begin() : option.spellings.end(),
                                (is_letter ? "-" : "--") + name);
    }
    option.value = entry.contains("value") ? std::optional(value_of(entry)) : std::nullopt;
    option.summary = text_of(entry);
    option.is_advanced = entry.value("advanced", false);
    return option;
}

}  // namespace

CommandLine command_line_of(std::string_view name) {
    static const json common = json_stage::parse_data(file_named("common.json"));
    const json document = json_stage::parse_data(file_named(std::string(name) + ".json"));
    CommandLine line;
    line.about = text_of(document.at("about"));
    line.usage = document.at("usage");
    line.summary = text_of(document.at("summary"));
    for (const json& option : document.at("options")) {  // a text is the name of an option of several commands
        line.options.push_back(option_of(option.is_string() ? common.at(option.get<std::string>()) : option));
    }
    for (const json& example : document.at("examples")) {
        line.examples.push_back({example.at("call"), text_of(example)});
    }
    line.positionals = positionals_of(document);
    for (const json& action : document.value("actions", json::array())) {
        line.actions.push_back({action.at("name"), positionals_of(action)});
    }
    line.no_positional = document.value("no_positional", "usage.option_expected");
    line.single_dash_long = document.value("single_dash_long", false);
    return line;
}

std::string filled_file(std::string_view name, const std::vector<std::pair<std::string, std::string>>& values) {
    std::string text(file_named(name));
    for (const auto& [key, value] : values) {
        const std::string mark = "{{" + key + "}}";
        text.replace(text.find(mark), mark.size(), value);
    }
    return text;
}

LocalizedText choice_of(const std::vector<std::string>& words) {
    LocalizedText text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool is_last = i + 1 == words.size();
        text.en += (i == 0 ? "" : is_last ? " or " : ", ") + words[i];
        text.zh += (i == 0 ? "" : is_last ? " 或 " : "、") + words[i];
    }
    return text;
}

std::optional<std::string> nearest_word(const std::string& word, const std::vector<std::string>& words) {
    std::optional<std::string> nearest;
    std::size_t least = std::min<std::size_t>(2, word.size() / 2) + 1;
    for (const std::string& known : words) {
        const bool begins = word.size() >= 3 && known.starts_with(word);
        const std::size_t distance = begins ? 0 : remarks::edit_distance(word, known);
        if (distance < least) {
            nearest = known;
            least = distance;
        }
    }
    return nearest;
}

namespace {

constexpr std::size_t kHelpColumns = 100;

std::string options_text(const std::vector<Option>& described, std::string_view title, Language language) {
    constexpr std::size_t kColumn = 26;
    std::string text = fmt::format("\n{}\n", title);
    for (const Option& option : described) {
        const std::string names = fmt::format("  {}{}", fmt::join(option.spellings, ", "),
                                              option.value ? " " + option.value->name : std::string());
        const bool fits = names.size() < kColumn;
        text += fits ? "" : names + "\n";
        text += report::wrapped(report::padded(fits ? names : "", kColumn), option.summary.in(language), kColumn,
                                kHelpColumns);
    }
    return text;
}

}  // namespace

Language help_language(const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const bool is_next = arguments[i] == "--lang" && i + 1 < arguments.size();
        const std::string value = is_next ? "--lang=" + arguments[i + 1] : arguments[i];
        if (value == "--lang=zh" || value == "--lang=en") {
            return value == "--lang=zh" ? Language::chinese : Language::english;
        }
    }
    return language_of_environment();
}

std::string usage_in(Language language, const std::string& usage) {
    std::string text = usage;
    for (const auto& [english, chinese] : {std::pair("[options]", "[选项]"), std::pair("[arguments]", "[参数]")}) {
        const std::size_t place = language == Language::chinese ? text.find(english) : std::string::npos;
        text = place == std::string::npos ? text : text.replace(place, std::string_view(english).size(), chinese);
    }
    return text;
}

std::string help_of(const CommandLine& line) {
    const Language language = message_language();
    const bool is_chinese = language == Language::chinese;
    std::string text =
        fmt::format("{}{}\n\n{}", is_chinese ? "用法：" : "Usage: ", usage_in(language, line.usage),
                    is_chinese ? report::wrapped("", line.summary.zh, 0, kHelpColumns) : line.summary.en + "\n");
    for (const bool is_advanced : {false, true}) {
        std::vector<Option> described = line.options;
        std::erase_if(described, [is_advanced](const Option& one) { return one.is_advanced != is_advanced; });
        if (!described.empty()) {
            text += options_text(described, sentence(is_advanced ? "help.advanced" : "help.options"), language);
        }
    }
    text += line.single_dash_long ? fmt::format("\n{}\n", sentence("help.single_dash")) : "";
    text += is_chinese ? "\n示例：\n" : "\nExamples:\n";
    for (const Example& example : line.examples) {
        text += fmt::format("  {}\n      {}\n", example.call, example.meaning.in(language));
    }
    return text;
}

}  // namespace opdebug::tool

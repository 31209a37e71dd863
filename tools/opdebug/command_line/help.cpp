// The help of a command in both languages.
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/command_line.hpp"
#include "output/messages.hpp"
#include "report/text/text_table.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
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
    const Language language = spoken_language();
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

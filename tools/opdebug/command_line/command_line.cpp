#include "command_line/command_line.hpp"

#include <sstream>
#include <utility>

namespace opdebug::tool {
namespace {

std::vector<std::string> names_of(const Option& option) {
    std::vector<std::string> names;
    std::istringstream parts(option.names);
    for (std::string name; std::getline(parts, name, ',');) {
        names.push_back(name);
    }
    return names;
}

/// Boost.Program_options takes the last name for the letter of the option when it has one character.
bool is_letter(const std::string& name) {
    return name.size() == 1;
}

}  // namespace

Value text_value(std::string name) {
    return {ValueKind::text, std::move(name), {}, false};
}

Value number_value(std::string name) {
    return {ValueKind::number, std::move(name), {}, false};
}

Value file_value(std::string name) {
    return {ValueKind::file, std::move(name), {}, false};
}

Value folder_value(std::string name) {
    return {ValueKind::folder, std::move(name), {}, false};
}

Value result_file_value(std::string name) {
    return {ValueKind::result_file, std::move(name), {}, false};
}

Value file_or_folder_value(std::string name) {
    return {ValueKind::file_or_folder, std::move(name), {}, false};
}

Value word_value(std::string name, std::vector<std::string> words) {
    return {ValueKind::word, std::move(name), std::move(words), false};
}

Value log_format_value(std::string name) {
    return {ValueKind::log_format, std::move(name), {}, false};
}

Value repeated(Value value) {
    value.repeated = true;
    return value;
}

Value action_value(const CommandLine& line) {
    std::vector<std::string> names;
    for (const Action& action : line.actions) {
        names.push_back(action.name);
    }
    return word_value("ACTION", std::move(names));
}

Option help_option() {
    return {"help,h", {}, "show this help"};
}

Option quiet_option(std::string summary) {
    return {"quiet,q", {}, std::move(summary)};
}

std::string key_of(const Option& option) {
    return names_of(option).front();
}

std::vector<std::string> spellings(const Option& option) {
    std::vector<std::string> letters;
    std::vector<std::string> long_names;
    for (const std::string& name : names_of(option)) {
        is_letter(name) ? letters.push_back("-" + name) : long_names.push_back("--" + name);
    }
    letters.insert(letters.end(), long_names.begin(), long_names.end());
    return letters;
}

std::vector<std::string> further_long_names(const Option& option) {
    std::vector<std::string> further;
    for (const std::string& name : names_of(option)) {
        if (!is_letter(name) && name != key_of(option)) {
            further.push_back("--" + name);
        }
    }
    return further;
}

std::vector<std::string> single_dash_spellings(const Option& option) {
    std::vector<std::string> spelled;
    for (const std::string& name : names_of(option)) {
        if (!is_letter(name)) {
            spelled.push_back("-" + name);
        }
    }
    return spelled;
}

std::string choice_of(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    }
    return text;
}

std::string on_one_line(const std::string& text) {
    std::istringstream words(text);
    std::string line;
    for (std::string word; words >> word;) {
        line += (line.empty() ? "" : " ") + word;
    }
    return line;
}

}  // namespace opdebug::tool

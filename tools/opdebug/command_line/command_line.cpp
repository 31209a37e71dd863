#include "command_line/command_line.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "remarks/edit_distance.hpp"

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

/// Boost.Program_options treats the last name as the letter of the option if it has one character.
bool is_letter(const std::string& name) {
    return name.size() == 1;
}

}  // namespace

Value action_value(const CommandLine& line) {
    std::vector<std::string> names;
    for (const Action& action : line.actions) {
        names.push_back(action.name);
    }
    return word_value("ACTION", std::move(names));
}

Option form_option(const std::vector<std::string>& forms) {
    std::string summary = "text (default on a terminal)";
    for (const std::string& form : forms) {
        const bool is_last = form == forms.back();
        summary += form == "text"    ? ""
                   : form == "json"  ? std::string(is_last ? " or " : ", ") + "json (default elsewhere)"
                   : form == "jsonl" ? std::string(is_last ? " or " : ", ") + "jsonl (one line each)"
                                     : (is_last ? " or " : ", ") + form;
    }
    return {"format", word_value("FORM", forms), summary};
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
        const bool begins = word.size() >= 3 && known.compare(0, word.size(), word) == 0;
        const std::size_t distance = begins ? 0 : remarks::edit_distance(word, known);
        if (distance < least) {
            nearest = known;
            least = distance;
        }
    }
    return nearest;
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

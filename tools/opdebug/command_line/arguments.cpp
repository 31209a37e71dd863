#include "command_line/command_line.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "output/messages.hpp"
#include "output/output.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

/// "opdebug decode" in "opdebug decode FILE... [options]", "opdebug" in "opdebug COMMAND [arguments]".
std::string command_of(const std::string& usage) {
    const std::size_t space = usage.find(' ');
    const bool names_command = std::islower(static_cast<unsigned char>(usage[space + 1])) != 0;
    return usage.substr(0, names_command ? usage.find(' ', space + 1) : space);
}

/// "; did you mean '--logs'?" for a name with the same first letter that is similar to an option.
std::string suggestion_for(const std::string& name, const CommandLine& line) {
    std::vector<std::string> names;
    for (const Option& option : line.options) {
        names.push_back("--" + option.key);
    }
    const auto near = nearest_word(name, names);
    return near && near->substr(0, 3) == name.substr(0, 3) ? sentence("usage.did_you_mean", {{"word", *near}}) : "";
}

/// The format of a suffix; empty for others.
std::string form_of_suffix(const std::string& path) {
    constexpr std::pair<const char*, const char*> kForms[] = {
        {".json", "json"}, {".jsonl", "jsonl"}, {".csv", "csv"}, {".html", "html"}, {".txt", "text"}};
    const std::string suffix = std::filesystem::path(path).extension().string();
    for (const auto& [known, form] : kForms) {
        if (suffix == known) {
            return form;
        }
    }
    return {};
}

/// The format of a result: the value of the option, otherwise the suffix of -o, otherwise text on a terminal and JSON
/// elsewhere. Throws UsageError if the suffix contradicts the option, or names a format that it does not have.
std::string form_of(const Option& option, const ParsedArguments& parsed, bool to_file) {
    const std::vector<std::string>& forms = option.value->words;
    const auto is_written = [&forms](const std::string& one) {
        return std::find(forms.begin(), forms.end(), one) != forms.end();
    };
    const std::string suffix = to_file ? form_of_suffix(*parsed.output) : "";
    const bool is_html = suffix == "html";
    if (!suffix.empty() && !is_written(suffix)) {
        throw UsageError(sentence(is_html ? "usage.output_no_html" : "usage.output_form",
                                  {{"file", *parsed.output}, {"choice", choice_of(forms)}, {"form", suffix}}));
    }
    if (!suffix.empty() && parsed.has(option.key) && parsed.text(option.key) != suffix) {
        throw UsageError(
            sentence("usage.output_contradicts",
                     {{"file", *parsed.output}, {"option", option.key}, {"form", parsed.text(option.key)}}));
    }
    const bool on_terminal = !to_file && ::isatty(STDOUT_FILENO) == 1;
    return parsed.has(option.key) ? parsed.text(option.key)
           : !suffix.empty()      ? suffix
           : on_terminal          ? "text"
           : is_written("json")   ? "json"
                                  : "jsonl";
}

/// Sets the formats of the results.
void read_forms(const CommandLine& line, ParsedArguments& parsed) {
    const auto option_named = [&line](std::string_view key) {
        const auto option = std::find_if(line.options.begin(), line.options.end(),
                                         [key](const Option& known) { return known.key == key; });
        return option != line.options.end() ? &*option : nullptr;
    };
    const Option* const format = option_named("format");
    const Option* const report = option_named("report");
    if (report != nullptr && parsed.output) {
        parsed.report_form = form_of(*report, parsed, true);
    }
    if (format != nullptr) {
        parsed.form = form_of(*format, parsed, parsed.output && report == nullptr);
    }
}

bool is_input(const Value& value) {
    return value.kind == ValueKind::file || value.kind == ValueKind::file_or_folder;
}

void refuse(const std::optional<std::string>& message) {
    if (message) {
        throw UsageError(*message);
    }
}

/// Refuses an empty path, as "$LOGS" is in a shell without LOGS: the message of the system would not name the option.
void check_paths(const std::string& name, const Value& value, const std::vector<std::string>& texts) {
    const bool is_path = is_input(value) || value.kind == ValueKind::folder;
    if (is_path && std::find(texts.begin(), texts.end(), "") != texts.end()) {
        throw UsageError(sentence("usage.empty_path", {{"name", name}}));
    }
}

/// Refuses an unknown word, or a location that is not writable.
void check_value(const Option& option, const std::string& text) {
    const std::vector<std::string>& words = option.value->words;
    if (option.value->kind == ValueKind::word && std::find(words.begin(), words.end(), text) == words.end()) {
        throw UsageError(
            sentence("usage.option_word", {{"option", option.key}, {"choice", choice_of(words)}, {"value", text}}));
    }
    if (option.value->kind == ValueKind::folder) {
        refuse(refuse_output_folder("--" + option.key, text));
    }
}

/// Refuses a wrong number of positional arguments, which are those of the action, if there is one.
void check_positionals(const CommandLine& line, const std::vector<std::string>& given) {
    const auto action = std::find_if(line.actions.begin(), line.actions.end(), [&given](const Action& known) {
        return !given.empty() && known.name == given.front();
    });
    const bool has_action = action != line.actions.end();
    const auto& [known, expected] = has_action ? action->positionals : line.positionals;
    const std::size_t count = given.size() - (has_action ? 1 : 0);
    const bool fits = count >= known.size() && (count == known.size() || (!known.empty() && known.back().repeated));
    if (!known.empty()) {
        check_paths(known.back().name, known.back(), given);
    }
    if (!expected.empty() && !fits) {
        throw UsageError(sentence(expected, {{"name", count == 0 ? "" : given[given.size() - count]}}));
    }
}

/// Refuses a file of -o that is an input or below one, or not writable.
void check_output(const CommandLine& line, const ParsedArguments& parsed) {
    std::vector<std::string> inputs = parsed.positionals;
    for (const Option& option : line.options) {
        const std::vector<std::string> texts = parsed.texts(option.key);
        if (option.value && is_input(*option.value)) {
            inputs.insert(inputs.end(), texts.begin(), texts.end());
        }
    }
    refuse(parsed.output ? refuse_output(*parsed.output, inputs) : std::nullopt);
}

/// Throws UsageError for an invalid value or unexpected argument.
void check(const CommandLine& line, const ParsedArguments& parsed) {
    if (line.positionals.values.empty() && !parsed.positionals.empty()) {
        throw UsageError(sentence(line.no_positional,
                                  {{"argument", parsed.positionals.front()}, {"command", command_of(line.usage)}}));
    }
    for (const Option& option : line.options) {
        const std::vector<std::string> texts = parsed.texts(option.key);
        for (const std::string& text : option.value ? texts : std::vector<std::string>()) {
            check_paths("--" + option.key, *option.value, {text});
            check_value(option, text);
        }
    }
    check_output(line, parsed);
    check_positionals(line, parsed.positionals);
}

/// Refuses a text that is no number, or a number out of range.
void check_numbers(const CommandLine& line, const ParsedArguments& parsed) {
    for (const Option& option : line.options) {
        if (!option.value || option.value->refusal.empty() || !parsed.has(option.key)) {
            continue;
        }
        const std::optional<std::uint64_t> number = parsed.number(option.key);
        if (!number || *number < option.value->least || *number > option.value->most) {
            throw UsageError(
                sentence(option.value->refusal, {{"option", option.key}, {"value", parsed.text(option.key)}}));
        }
    }
}

bool is_dashed(const std::string& argument) {
    return argument.size() > 1 && argument.front() == '-';
}

/// The option of a spelling. With `single_dash_long`, "-out" means "--out". Null: none.
const Option* option_named(const std::string& name, const CommandLine& line) {
    const auto option = std::find_if(line.options.begin(), line.options.end(), [&](const Option& known) {
        return std::any_of(known.spellings.begin(), known.spellings.end(), [&](const std::string& spelling) {
            return spelling == name || (line.single_dash_long && spelling == "-" + name);
        });
    });
    return option != line.options.end() ? &*option : nullptr;
}

void add_value(const Option& option, const std::string& value, ParsedArguments& parsed) {
    const bool may_repeat = option.value && option.value->repeated;
    std::vector<std::string>& values = parsed.values[option.key];
    if (!may_repeat && !values.empty()) {
        throw UsageError(sentence("usage.repeated_option", {{"option", "--" + option.key}}));
    }
    values.push_back(value);
}

/// Reads options and other arguments: "--name value", "--name=value", "-n value", "-nvalue", "-n=value", and switches
/// in one word, "-qv". After "--" all arguments are no options.
class ArgumentReader {
public:
    ArgumentReader(const CommandLine& line, const std::vector<std::string>& arguments, ParsedArguments& parsed)
        : line_(line), arguments_(arguments), parsed_(parsed) {}

    void read() {
        for (bool has_options = true; next_ < arguments_.size();) {
            const std::string& argument = arguments_[next_++];
            if (has_options && argument == "--") {
                has_options = false;
            } else if (has_options && is_dashed(argument)) {
                read_option(argument);
            } else {
                parsed_.positionals.push_back(argument);
            }
        }
    }

private:
    void read_option(const std::string& argument) {
        const std::size_t equals = argument.find('=');
        const std::string name = argument.substr(0, equals), letter = argument.substr(0, 2);
        if (const Option* const option = option_named(name, line_)) {
            read_value(*option,
                       equals == std::string::npos ? std::nullopt : std::optional(argument.substr(equals + 1)));
            return;
        }
        const Option* const option = letter == "--" ? nullptr : option_named(letter, line_);
        if (option == nullptr) {
            throw UsageError(
                sentence("usage.unknown_option", {{"option", name}, {"hint", suggestion_for(name, line_)}}));
        }
        read_value(*option, option->value ? std::optional(argument.substr(2)) : std::nullopt);
        if (!option->value) {
            read_option("-" + argument.substr(2));
        }
    }

    void read_value(const Option& option, std::optional<std::string> value) {
        const auto refuse = [&option](const char* message) {
            throw UsageError(sentence(message, {{"option", "--" + option.key}}));
        };
        if (!option.value) {
            value ? refuse("usage.extra_value") : add_value(option, "", parsed_);
            return;
        }
        if (value && value->empty()) {
            refuse("usage.empty_value");
        }
        if (!value && (next_ == arguments_.size() || option_named(arguments_[next_], line_) != nullptr)) {
            refuse("usage.missing_value");
        }
        add_value(option, value ? *value : arguments_[next_++], parsed_);
    }

    const CommandLine& line_;
    const std::vector<std::string>& arguments_;
    ParsedArguments& parsed_;
    std::size_t next_ = 0;
};

}  // namespace

std::optional<std::uint64_t> parse_count(std::string_view text) {
    std::uint64_t count = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), count);
    return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() ? std::optional(count) : std::nullopt;
}

int usage_error(const std::string& usage, const std::string& message) {
    print_message(message);
    const std::string hint =
        sentence("usage.hint", {{"usage", usage_in(message_language(), usage)}, {"command", command_of(usage)}});
    std::fwrite(hint.data(), 1, hint.size(), stderr);
    return kUsage;
}

ParsedArguments parse_arguments(const CommandLine& line, const std::vector<std::string>& arguments) {
    ParsedArguments parsed;
    ArgumentReader(line, arguments, parsed).read();
    // "-" is standard output; among inputs it is standard input. Opening /dev/stdout would not append to a file there.
    if (parsed.has("output") && parsed.text("output") != "-" && parsed.text("output") != "/dev/stdout") {
        parsed.output = parsed.text("output");
    }
    if (!parsed.has("help")) {
        check(line, parsed);
        read_forms(line, parsed);
        check_numbers(line, parsed);
    }
    return parsed;
}

}  // namespace opdebug::tool

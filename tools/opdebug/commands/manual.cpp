// opdebug manual: the manual page in man(7) macros, generated from the table of commands.
#include <algorithm>
#include <cctype>
#include <csignal>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/result.hpp>
#include <opdebug/version.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"

namespace opdebug::tool {
namespace {

// Text for roff: requests and escapes in it become literal.
namespace roff {

bool is_word_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

bool is_upper_case(std::string_view word) {
    return std::all_of(word.begin(), word.end(),
                       [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; });
}

/// For a line or an argument of a macro. Dashes stay the character that can be copied into a shell.
std::string escaped(std::string_view text) {
    // \& at the start: a leading dot would make the line a request.
    std::string result = !text.empty() && text.front() == '.' ? "\\&" : "";
    for (const char c : text) {
        switch (c) {
            case '\\': result += "\\e"; break;
            case '-': result += "\\-"; break;
            case '\'': result += "\\(aq"; break;
            case '`': result += "\\(ga"; break;
            case '"': result += "\\(dq"; break;
            case '~': result += "\\(ti"; break;
            case '^': result += "\\(ha"; break;
            default: result += c;
        }
    }
    return result;
}

std::string bold(std::string_view text) {
    return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(std::string_view text) {
    return "\\fI" + escaped(text) + "\\fR";
}

/// A usage line: names and options bold, placeholders in italics.
std::string usage(std::string_view text) {
    std::string result;
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
        for (end = begin; end < text.size() && is_word_character(text[end]);) {
            ++end;
        }
        if (end == begin) {
            ++end;
            result += escaped(text.substr(begin, 1));
            continue;
        }
        const std::string_view word = text.substr(begin, end - begin);
        const bool in_brackets = begin > 0 && text[begin - 1] == '[' && end < text.size() && text[end] == ']';
        const bool is_placeholder = is_upper_case(word) || (in_brackets && word.front() != '-');  // DIR, [options]
        result += is_placeholder ? italic(word) : bold(word);
    }
    return result;
}

}  // namespace roff

/// A term and its meaning.
struct Entry {
    std::string term;
    const char* meaning;
};

std::string section(const char* title) {
    return fmt::format(".SH {}\n", title);
}

/// `term` is roff text.
std::string entry(const std::string& term, std::string_view meaning) {
    return fmt::format(".TP\n{}\n{}\n", term, roff::escaped(meaning));
}

std::string options_of(const std::vector<Option>& options) {
    std::string text;
    for (const Option& option : options) {
        std::string term;
        for (const std::string& spelling : option.spellings) {
            term += (term.empty() ? "" : ", ") + roff::bold(spelling);
        }
        text += entry(option.value ? term + " " + roff::italic(option.value->name) : term, option.summary.en);
    }
    return text;
}

std::string synopsis() {
    std::string text = section("SYNOPSIS");
    for (const std::string_view name : command_names()) {
        text += roff::usage(command_line_of(name).usage) + "\n.br\n";
    }
    return text + roff::usage("opdebug PATH... [options]") + "\n.br\n" + roff::usage("opdebug --help | --version") +
           "\n";
}

std::string description() {
    return section("DESCRIPTION") +
           roff::escaped(
               "When a number overflows on an Ascend NPU, CANN writes a small binary dump, named Opdebug.*. opdebug "
               "reports the cause, the operator and the model. It joins the dump with the dumps next to it and with "
               "the logs of the run, and shows the lines that support the answer.") +
           "\n.PP\n" +
           roff::escaped(
               "With paths alone, opdebug runs the command that fits them and names it on standard error. A result is "
               "text on a terminal and JSON elsewhere; the suffix of -o or --format selects another format.") +
           "\n.PP\n" +
           roff::escaped(
               "Results go to standard output or to the file of -o; everything else goes to standard error, and each "
               "message starts with \"opdebug: \". Long options are never abbreviated. -- ends the options.") +
           "\n" + options_of(command_line_of("program").options);
}

std::string commands() {
    std::string text = section("COMMANDS");
    for (const std::string_view name : command_names()) {
        const CommandLine line = command_line_of(name);
        std::string summary = line.summary.en;
        std::replace(summary.begin(), summary.end(), '\n', ' ');
        text +=
            fmt::format(".SS {}\n{}\n.PP\n{}\n", roff::escaped(name), roff::usage(line.usage), roff::escaped(summary));
        if (line.single_dash_long) {
            text += ".PP\n" + roff::escaped(remarks::phrase("help.single_dash").en) + "\n";
        }
        text += options_of(line.options);
    }
    return text;
}

std::string limits() {
    std::string text =
        section("LIMITS") +
        roff::escaped(
            "All inputs are limited, because files may come from crashing processes and unknown sources. --limit "
            "NAME=NUMBER changes a limit. The code in brackets reports that a limit was exceeded.") +
        "\n";
    const Limits defaults;
    for (const LimitInfo& limit : known_limits()) {
        text += entry(roff::bold(fmt::format("{}={}", limit.name, defaults.*limit.member)),
                      fmt::format("{} ({})", limit.bounds, limit.code));
    }
    return text;
}

std::string exit_statuses() {
    const Entry entries[] = {
        {std::to_string(kEverythingHandled), "every input was handled; an overflow does not change that"},
        {std::to_string(kSomethingDamaged),
         "some input was damaged or unreadable, logs included, or a result could not be written; the rest is complete"},
        {std::to_string(kUsage), "wrong usage, or nothing to do: no such file, no dump found"},
        {std::to_string(kOverflowFound),
         "with --fail-on overflow: scan, merge, watch or api found an overflow; scan, merge and api: also a culprit in "
         "API dumps"},
        {fmt::format("{}, {}, {}", kInterrupted + SIGHUP, kInterrupted + SIGINT, kInterrupted + SIGTERM),
         "stopped by SIGHUP (the terminal was closed), SIGINT (Ctrl-C) or SIGTERM: 128 and the number of the signal"},
    };
    std::string text = section("EXIT STATUS");
    for (const Entry& status : entries) {
        text += entry(roff::bold(status.term), status.meaning);
    }
    return text;
}

std::string environment() {
    const Entry variables[] = {
        {"LC_ALL, LC_MESSAGES, LANG",
         "the first variable that is set selects the language: Chinese if its value starts with zh, else English; "
         "--lang overrides it"},
        {"TZ", "time zone of this machine, a candidate for the time zone of the logs"},
        {"TMPDIR", "folder for temporary files of scan and merge (default: /tmp)"},
        {"NO_COLOR", "no colour if it is set and not empty"},
        {"TERM", "dumb: no colour and no progress line"},
    };
    std::string text = section("ENVIRONMENT");
    for (const Entry& variable : variables) {
        text += entry(roff::bold(variable.term), variable.meaning);
    }
    return text;
}

std::string examples() {
    std::string text = section("EXAMPLES");
    text += entry(roff::bold("opdebug DUMP_PATH ~/ascend/log"),
                  "Run the command that fits the paths: here scan, with the logs.");
    for (const std::string_view name : command_names()) {
        for (const Example& example : command_line_of(name).examples) {
            text += entry(roff::bold(example.call), example.meaning.en);
        }
    }
    return text;
}

std::string see_also() {
    return section("SEE ALSO") + roff::bold("bash") + "(1)\n.PP\n" +
           roff::escaped(
               "The folder docs in the source of opdebug, for example docs/quickstart.md and docs/reference/json.md.") +
           "\n";
}

/// One page for all commands. It contains the version but no date, so all builds of a version are equal.
std::string manual_page() {
    return fmt::format(".\\\" Written by 'opdebug manual'.\n.TH OPDEBUG 1 \"\" \"opdebug {}\" \"User Commands\"\n",
                       roff::escaped(version())) +
           ".nh\n.ad l\n" + section("NAME") + "opdebug \\- " + roff::escaped(command_line_of("program").about.en) +
           "\n" + synopsis() + description() + commands() + limits() + exit_statuses() + environment() + examples() +
           see_also();
}

}  // namespace

int manual_command(const ParsedArguments& parsed) {
    return show_result(output_path(parsed), manual_page());
}

}  // namespace opdebug::tool

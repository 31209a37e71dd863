// opdebug manual: the manual page in man(7) macros. lib/data/commands/manual.roff has its text; the rest is generated
// from the table of commands.
#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <opdebug/result.hpp>
#include <opdebug/version.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "output/output.hpp"

namespace opdebug::tool {
namespace {

// Text for roff: requests and escapes in it become literal.
namespace roff {

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

}  // namespace roff

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
    std::string text;
    for (const std::string_view name : command_names()) {
        text += roff::bold(command_line_of(name).usage) + "\n.br\n";
    }
    return text;
}

std::string commands() {
    std::string text;
    for (const std::string_view name : command_names()) {
        const CommandLine line = command_line_of(name);
        std::string summary = line.summary.en;
        std::replace(summary.begin(), summary.end(), '\n', ' ');
        text +=
            fmt::format(".SS {}\n{}\n.PP\n{}\n", roff::escaped(name), roff::bold(line.usage), roff::escaped(summary));
        if (line.single_dash_long) {
            text += ".PP\n" + roff::escaped(remarks::phrase("help.single_dash").en) + "\n";
        }
        text += options_of(line.options);
    }
    return text;
}

std::string limits() {
    std::string text;
    const Limits defaults;
    for (const LimitInfo& limit : known_limits()) {
        text += entry(roff::bold(fmt::format("{}={}", limit.name, defaults.*limit.member)),
                      fmt::format("{} ({})", limit.bounds, limit.code));
    }
    return text;
}

std::string examples() {
    std::string text;
    for (const std::string_view name : command_names()) {
        for (const Example& example : command_line_of(name).examples) {
            text += entry(roff::bold(example.call), example.meaning.en);
        }
    }
    return text;
}

}  // namespace

/// One page for all commands. It contains the version but no date, so all builds of a version are equal.
int manual_command(const ParsedArguments& parsed) {
    const CommandLine program = command_line_of("program");
    return show_result(parsed.output, filled_file("manual.roff", {{"version", roff::escaped(version())},
                                                                  {"about", roff::escaped(program.about.en)},
                                                                  {"synopsis", synopsis()},
                                                                  {"program_options", options_of(program.options)},
                                                                  {"commands", commands()},
                                                                  {"limits", limits()},
                                                                  {"examples", examples()}}));
}

}  // namespace opdebug::tool

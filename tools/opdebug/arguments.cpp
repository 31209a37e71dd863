#include "arguments.hpp"

#include <charconv>
#include <cstdio>
#include <sstream>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "exit_status.hpp"

namespace opdebug::tool {
namespace {

std::string help_text(const CommandLine& line) {
    std::ostringstream described;
    described << line.visible;
    return fmt::format("Usage: {}\n\n{}\n\n{}", line.usage, line.summary, described.str());
}

/// "opdebug decode" of "opdebug decode FILE... [options]".
std::string command_of(const std::string& usage) {
    const std::size_t second_space = usage.find(' ', usage.find(' ') + 1);
    return usage.substr(0, second_space);
}

}  // namespace

void say(const std::string& message) {
    const std::string line = fmt::format("opdebug: {}\n", printable(message));
    std::fwrite(line.data(), 1, line.size(), stderr);
}

std::optional<std::uint64_t> parse_count(const std::string& text) {
    std::uint64_t count = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), count);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) {
        return std::nullopt;
    }
    return count;
}

int usage_error(const std::string& usage, const std::string& message) {
    say(message);
    const std::string hint = fmt::format("Usage: {}\nTry '{} --help'.\n", usage, command_of(usage));
    std::fwrite(hint.data(), 1, hint.size(), stderr);
    return kUsage;
}

ParsedArguments parse_arguments(const CommandLine& line, const std::vector<std::string>& arguments) {
    ParsedArguments parsed;
    options::options_description all;
    all.add(line.visible);
    options::positional_options_description positions;
    if (!line.positional_name.empty()) {
        all.add_options()(line.positional_name.c_str(), options::value<std::vector<std::string>>());
        positions.add(line.positional_name.c_str(), -1);
    }
    namespace style = options::command_line_style;
    const int flags =
        (style::unix_style & ~style::allow_guessing) | (line.single_dash_long ? style::allow_long_disguise : 0);
    try {
        options::store(options::command_line_parser(arguments).options(all).positional(positions).style(flags).run(),
                       parsed.values);
        if (parsed.has("help")) {
            const std::string text = help_text(line);
            std::fwrite(text.data(), 1, text.size(), stdout);
            parsed.exit_status = kEverythingHandled;
            return parsed;
        }
        options::notify(parsed.values);
    } catch (const options::error& error) {
        parsed.exit_status = usage_error(line.usage, error.what());
    }
    return parsed;
}

}  // namespace opdebug::tool

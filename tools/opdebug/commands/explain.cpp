// opdebug explain: the meaning of a code in a result or log.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
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

/// The most similar code; empty if none is similar. A number with similar digits has another meaning.
std::optional<std::string> near_code(const std::string& wanted, const std::vector<report::CodeText>& codes) {
    if (!wanted.empty() && wanted.front() >= '0' && wanted.front() <= '9') {
        return std::nullopt;
    }
    std::vector<std::string> names;
    std::transform(codes.begin(), codes.end(), std::back_inserter(names),
                   [](const report::CodeText& code) { return code.code; });
    return nearest_word(wanted, names);
}

}  // namespace

int explain_command(const ParsedArguments& parsed) {
    const ReportOptions report = read_report_options(parsed);
    const std::vector<report::CodeText> known = report::code_texts(report.language);
    std::vector<report::CodeText> chosen = parsed.positionals.empty() ? known : std::vector<report::CodeText>();
    for (const std::string& code : parsed.positionals) {
        const std::size_t before = chosen.size();
        std::copy_if(known.begin(), known.end(), std::back_inserter(chosen),
                     [&code](const report::CodeText& one) { return one.code == code; });
        if (const report::CodeText* const number = report::find_return_code(known, code);
            number != nullptr && chosen.size() == before) {
            chosen.push_back(*number);
        }
        if (chosen.size() == before) {
            const auto near = near_code(code, known);
            const std::string hint =
                near ? sentence("usage.did_you_mean", {{"word", *near}}) : sentence("explain.list");
            throw UsageError(sentence("explain.no_code", {{"code", code}, {"hint", hint}}));
        }
    }
    std::string text;
    for (const report::CodeText& code : chosen) {
        text += (text.empty() ? "" : "\n") + report::code_to_text(code, report);
    }
    return show_result(output_path(parsed), parsed.form == "json" ? report::codes_to_json(chosen) + "\n" : text);
}

}  // namespace opdebug::tool

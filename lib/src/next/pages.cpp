// The settings of a next run as text, and as the document "opdebug.next/1".
#include <fmt/format.h>

#include "next/next.hpp"
#include "remarks/diagnose.hpp"
#include "report/text/page.hpp"

namespace opdebug::next {
namespace {

using nlohmann::ordered_json;

LocalizedText reason_of(const MissingFile& missing) {
    return remarks::phrase(fmt::format("next_need_{}", missing.needs));
}

/// With escapes for all but ASCII: names cannot disturb terminals.
std::string json_text(const ordered_json& document) {
    return document.dump(2, ' ', true, ordered_json::error_handler_t::replace);
}

ordered_json text_or_null(const std::string& text) {
    return text.empty() ? ordered_json() : ordered_json(text);
}

}  // namespace

std::string next_to_text(const NextRun& run, const ReportOptions& options) {
    const report::Page page{options};
    const std::string_view colon = page.word("page.colon");
    std::string text = fmt::format("{}{}{}   {}\n", page.word("next_page.run"), colon, page.bold(run.purpose),
                                   run.purpose_text.in(options.language));
    for (const SettingsFile& file : run.files) {
        text += fmt::format("\n{}   {}\n", page.bold(file.name), file.tool);
        text += page.lines(fmt::format("  {}{}", page.word("next_page.answers"), colon),
                           file.answers.in(options.language), 4);
        text += page.lines(fmt::format("  {}{}", page.word("next_page.use"), colon), file.put.in(options.language), 4);
        text += json_text(file.body) + "\n";
    }
    for (const Variable& variable : run.environment) {
        text += fmt::format("\nexport {}={}\n", page.bold(variable.name), variable.value) +
                page.lines("  ", variable.why.in(options.language), 2);
    }
    for (const MissingFile& missing : run.missing) {
        text += "\n" + page.lines(fmt::format("{}{}", page.word("next_not_written"), colon),
                                  fmt::format("{} ({}){}{}", missing.name, missing.tool, colon,
                                              reason_of(missing).in(options.language)),
                                  2);
    }
    return text;
}

std::string next_to_json(const NextRun& run) {
    ordered_json document{{"schema", "opdebug.next/1"},
                          {"report", text_or_null(run.facts.schema)},
                          {"for", run.purpose},
                          {"culprits",
                           {{"calls", run.facts.calls},
                            {"operators", run.facts.operators},
                            {"model", text_or_null(run.facts.model)},
                            {"steps", run.facts.steps},
                            {"iterations", run.facts.iterations},
                            {"ranks", run.facts.ranks}}},
                          {"files", ordered_json::array()},
                          {"environment", ordered_json::array()},
                          {"missing", ordered_json::array()}};
    for (const SettingsFile& file : run.files) {
        document["files"].push_back({{"name", file.name},
                                     {"tool", file.tool},
                                     {"answers", file.answers.en},
                                     {"answers_zh", file.answers.zh},
                                     {"put", file.put.en},
                                     {"put_zh", file.put.zh},
                                     {"source", file.source},
                                     {"body", file.body}});
    }
    for (const Variable& variable : run.environment) {
        document["environment"].push_back({{"name", variable.name},
                                           {"value", variable.value},
                                           {"why", variable.why.en},
                                           {"why_zh", variable.why.zh}});
    }
    for (const MissingFile& missing : run.missing) {
        const LocalizedText reason = reason_of(missing);
        document["missing"].push_back({{"name", missing.name},
                                       {"tool", missing.tool},
                                       {"needs", missing.needs},
                                       {"message", reason.en},
                                       {"message_zh", reason.zh}});
    }
    return document.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace opdebug::next

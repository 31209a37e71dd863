#include "report/text/api_next_step.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded/api_next_steps_data.hpp"
#include "json/data_file.hpp"
#include "json/node.hpp"
#include "status/localized_text.hpp"

namespace opdebug::report {
namespace {

using json_stage::Node;

constexpr std::string_view kSchema = "opdebug.api_next_steps/1";

/// The text of a row, whose source must be given.
LocalizedText next_of(const Node& row, std::string_view key) {
    row.only({key, "next", "source"});
    row.member("source").text();
    return status::read_localized(row.member("next"));
}

ApiVerdict verdict_of(const Node& row) {
    constexpr ApiVerdict kVerdicts[] = {ApiVerdict::born_here, ApiVerdict::inherited,     ApiVerdict::weight,
                                        ApiVerdict::saturated, ApiVerdict::in_collective, ApiVerdict::process,
                                        ApiVerdict::unknown};
    return kVerdicts[row.member("verdict").choice(
        {"born_here", "inherited", "weight", "saturated", "in_collective", "process", "unknown"})];
}

ApiNextSteps read_document(const nlohmann::json& document, json_stage::Fault& fault) {
    const Node root(document, "", fault);
    root.only({"schema", "remarks", "calls", "verdicts"});
    if (root.member("schema").text() != kSchema) {
        root.member("schema").report("the schema is another one", fmt::format("write \"{}\"", kSchema));
    }
    ApiNextSteps steps;
    for (const Node& row : root.member("remarks").some_items()) {
        steps.of_remarks.emplace_back(row.member("code").identifier(), next_of(row, "code"));
    }
    for (const Node& row : root.member("calls").some_items()) {
        steps.of_calls.emplace_back(row.member("part_of_name").text(), next_of(row, "part_of_name"));
    }
    for (const Node& row : root.member("verdicts").some_items()) {
        if (!steps.of_verdicts.emplace(verdict_of(row), next_of(row, "verdict")).second) {
            row.member("verdict").report("the verdict has another row", "put both into one of them");
        }
    }
    return steps;
}

const ApiNextSteps& built_in_steps() {
    static const ApiNextSteps* const steps = [] {
        const embedded::File& file = embedded::api_next_steps_files().front();
        // The file is part of the library and checked by its tests.
        Result<ApiNextSteps> read = read_api_next_steps(std::string(file.name), std::string(file.text));
        return new ApiNextSteps(read ? std::move(*read) : ApiNextSteps());
    }();
    return *steps;
}

bool tells(const ApiFinding& finding, std::string_view code) {
    return std::any_of(finding.remarks.begin(), finding.remarks.end(),
                       [code](const Diagnostic& remark) { return remark.code == code; });
}

}  // namespace

Result<ApiNextSteps> read_api_next_steps(const std::string& name, const std::string& text) {
    return json_stage::read_data_file(name, text, read_document);
}

std::string_view api_next_step(const ApiFinding& finding, Language language) {
    const ApiNextSteps& steps = built_in_steps();
    for (const auto& [code, next] : steps.of_remarks) {
        if (tells(finding, code)) {
            return next.in(language);
        }
    }
    const bool made_it = finding.verdict == ApiVerdict::born_here || finding.verdict == ApiVerdict::saturated;
    for (const auto& [part, next] : steps.of_calls) {
        if (made_it && finding.api.find(part) != std::string::npos) {
            return next.in(language);
        }
    }
    const auto known = steps.of_verdicts.find(finding.verdict);
    return known == steps.of_verdicts.end() ? std::string_view() : known->second.in(language);
}

}  // namespace opdebug::report

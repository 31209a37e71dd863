#include "api_run.hpp"

#include <doctest/doctest.h>

namespace opdebug::test {
namespace {

std::string number_or_none(const std::optional<std::uint64_t>& number) {
    return number ? std::to_string(*number) : "-";
}

}  // namespace

void ApiRun::add(std::uint64_t step, std::uint64_t rank, std::vector<MadeCall> calls, MsprobeVersion version,
                 const std::string& task) {
    MadeDump dump;
    dump.task = task;
    dump.calls = std::move(calls);
    add_file("step" + std::to_string(step) + "/rank" + std::to_string(rank) + "/dump.json", dump_json(dump, version));
}

ApiReport ApiRun::report(const ApiOptions& options) const {
    Result<ApiReport> report = find_api_culprits({path()}, options);
    REQUIRE(report.ok());
    return std::move(report).value();
}

std::string verdicts_of(std::vector<MadeCall> calls, MsprobeVersion version) {
    ApiRun run;
    run.add(0, 0, std::move(calls), version);
    std::string text;
    for (const ApiFinding& finding : run.report().findings) {
        text += finding.api + " " + std::string(to_string(finding.verdict)) + "\n";
    }
    return text;
}

std::string first_api_of(std::vector<MadeCall> calls, MsprobeVersion version) {
    ApiRun run;
    run.add(0, 0, std::move(calls), version);
    const ApiReport report = run.report();
    return report.first.size() == 1 ? report.first[0].api : lines_of(report.first);
}

std::string lines_of(const std::vector<ApiFinding>& findings) {
    std::string text;
    for (const ApiFinding& finding : findings) {
        text += "step " + number_or_none(finding.step) + " rank " + number_or_none(finding.rank) + " " + finding.api +
                " " + std::string(to_string(finding.verdict)) + "\n";
    }
    return text;
}

std::string codes_of(const std::vector<Diagnostic>& remarks) {
    std::string text;
    for (const Diagnostic& remark : remarks) {
        text += remark.code + " ";
    }
    return text;
}

}  // namespace opdebug::test

#include "api_run.hpp"

#include <doctest/doctest.h>

#include "text.hpp"

namespace opdebug::test {
namespace {

std::string number_or_none(const std::optional<std::uint64_t>& number) {
    return number ? std::to_string(*number) : "-";
}

/// "Functional.linear" of "Functional.linear.0.forward".
std::string short_name(std::string name) {
    for (const std::string_view ending : {".forward", ".0"}) {
        if (!name.ends_with(ending)) {
            break;
        }
        name.resize(name.size() - ending.size());
    }
    return name;
}

std::string said_by(const ApiReport& report, int number) {
    const std::size_t count = report.findings.size();
    const std::size_t finding = static_cast<std::size_t>(number) + (number < 0 ? count : 0);
    REQUIRE((finding < count || number == RanksCase::kReport));
    std::string text = finding < count ? report.findings[finding].because : "";
    for (const Diagnostic& remark : finding < count ? report.findings[finding].remarks : report.diagnostics) {
        text += " [" + remark.code + "] " + remark.message;
    }
    return text;
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

std::string with_ranks(const std::vector<ApiFinding>& findings) {
    std::string text;
    for (const ApiFinding& finding : findings) {
        text += (text.empty() ? "" : ", ") + number_or_none(finding.rank) + " " + short_name(finding.api) + " " +
                std::string(to_string(finding.verdict));
    }
    return text;
}

std::string verdicts_of(std::string_view calls, MsprobeVersion version) {
    ApiRun run;
    run.add(0, 0, calls_of(calls), version);
    std::string text;
    for (const ApiFinding& finding : run.report().findings) {
        text += (text.empty() ? "" : ", ") + short_name(finding.api) + " " + std::string(to_string(finding.verdict));
    }
    return text;
}

std::string first_bad_of(std::string_view calls, MsprobeVersion version) {
    ApiRun run;
    run.add(0, 0, calls_of(calls), version);
    std::string text;
    for (const ApiFinding& finding : run.report().first) {
        text += (text.empty() ? "" : ", ") + short_name(finding.api);
    }
    return text;
}

void check_ranks(const std::vector<RanksCase>& cases) {
    for (const RanksCase& one : cases) {
        CAPTURE(one.what);
        ApiRun run;
        for (std::size_t rank = 0; rank < one.ranks.size(); ++rank) {
            run.add(0, rank, calls_of(one.ranks[rank]));
        }
        const ApiReport report = run.report();
        if (one.first) {
            CHECK(with_ranks(report.first) == *one.first);
        }
        if (one.findings) {
            CHECK(with_ranks(report.findings) == *one.findings);
        }
        for (const RanksCase::Part& part : one.said) {
            const std::string said = said_by(report, part.finding);
            CHECK_MESSAGE(contains(said, part.text) == part.is_there, part.text, " in: ", said);
        }
    }
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

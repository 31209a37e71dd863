// The API dumps of a run in a folder of their own, and what the library states about them in short lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>

#include "api_calls.hpp"
#include "api_dump_builder.hpp"
#include "temporary_directory.hpp"

namespace opdebug::test {

inline MadeCall made_call(std::string name, std::vector<MadeValue> inputs, std::vector<MadeValue> outputs) {
    MadeCall call;
    call.name = std::move(name);
    call.inputs = std::move(inputs);
    call.outputs = std::move(outputs);
    return call;
}

inline MadeValue nan_tensor(std::vector<std::int64_t> shape = {4, 8}) {
    return made_tensor("NaN", "NaN", "float16", std::move(shape));
}

/// A call that turns clean values into NaN.
inline MadeCall born(std::string name = "Functional.linear.0.forward") {
    return made_call(std::move(name), {made_tensor()}, {nan_tensor()});
}

inline MadeCall clean_call(std::string name) {
    return made_call(std::move(name), {made_tensor()}, {made_tensor()});
}

/// A call of torch.distributed with its group.
inline MadeCall collective(const std::string& api, std::uint64_t count, std::vector<MadeValue> inputs,
                           std::vector<MadeValue> outputs, std::vector<std::int64_t> ranks = {0, 1}) {
    MadeCall call = made_call("Distributed." + api + "." + std::to_string(count) + ".forward", std::move(inputs),
                              std::move(outputs));
    call.named_inputs.emplace_back("group", made_group(ranks, "group_of_" + std::to_string(ranks.size())));
    return call;
}

class ApiRun {
public:
    /// Writes step{step}/rank{rank}/dump.json.
    void add(std::uint64_t step, std::uint64_t rank, std::vector<MadeCall> calls,
             MsprobeVersion version = MsprobeVersion::june_2025, const std::string& task = "statistics");

    /// Any text at any location below the folder.
    void add_file(std::string_view path, std::string_view text) { write_file(folder_ / path, text); }

    std::string path() const { return folder_.path().string(); }
    ApiReport report(const ApiOptions& options = {}) const;

private:
    TemporaryDirectory folder_;
};

/// "Functional.linear born_here, Torch.add.1 inherited": the findings on one rank's calls, in the notation of
/// api_calls.hpp.
std::string verdicts_of(std::string_view calls, MsprobeVersion version = MsprobeVersion::june_2025);

/// "Functional.linear": the first bad call of one rank's calls.
std::string first_bad_of(std::string_view calls, MsprobeVersion version = MsprobeVersion::june_2025);

/// "0 Functional.linear born_here, ...": the same with the ranks.
std::string with_ranks(const std::vector<ApiFinding>& findings);

/// A step of several ranks, and what is found there: a row of a table.
struct RanksCase {
    /// A part of a finding's text: its reason, then "[code] message" of each remark. -1 is the last finding.
    struct Part {
        int finding;
        const char* text;
        bool is_there = true;
    };
    static constexpr int kReport = 1000;  ///< the remarks of the report instead of a finding's

    const char* what;
    std::vector<std::string> ranks;            ///< the calls of rank 0, 1, ...
    std::optional<std::string> first;          ///< with_ranks() of the first culprits
    std::optional<std::string> findings = {};  ///< of all findings
    std::vector<Part> said = {};
};
void check_ranks(const std::vector<RanksCase>& cases);

/// "step 0 rank 1 Functional.linear.0.forward born_here", one line each.
std::string lines_of(const std::vector<ApiFinding>& findings);

/// The codes of remarks, with a blank after each.
std::string codes_of(const std::vector<Diagnostic>& remarks);

}  // namespace opdebug::test

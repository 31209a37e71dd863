// The API dumps of a run in a folder of their own, and what the library states about them in short lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>

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

/// "Functional.linear.0.forward born_here" of each finding of one rank's calls, one line each.
std::string verdicts_of(std::vector<MadeCall> calls, MsprobeVersion version = MsprobeVersion::june_2025);

/// The one first bad call of one rank's calls; all of them by lines_of() where there are more, or none.
std::string first_api_of(std::vector<MadeCall> calls, MsprobeVersion version = MsprobeVersion::june_2025);

/// "step 0 rank 1 Functional.linear.0.forward born_here", one line each.
std::string lines_of(const std::vector<ApiFinding>& findings);

/// The codes of remarks, with a blank after each.
std::string codes_of(const std::vector<Diagnostic>& remarks);

}  // namespace opdebug::test

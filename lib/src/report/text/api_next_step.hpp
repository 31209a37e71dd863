// What to do next about a bad value that API dumps show. The texts: lib/data/api/next_steps.json.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/api.hpp>
#include <opdebug/dump.hpp>
#include <opdebug/result.hpp>

namespace opdebug::report {

/// The advice of a data file. A remark knows better what is next than the API, and that better than the verdict.
struct ApiNextSteps {
    std::vector<std::pair<std::string, LocalizedText>> of_remarks;  ///< by the remark's code
    std::vector<std::pair<std::string, LocalizedText>> of_calls;    ///< by a part of the call's name
    std::map<ApiVerdict, LocalizedText> of_verdicts;                ///< those after which there is something to do
};

/// Reads a data file. Error: as for all data files of the library (json/data_file.hpp).
Result<ApiNextSteps> read_api_next_steps(const std::string& name, const std::string& text);

/// What the built-in file advises; empty: nothing. Static storage. Thread-safe.
std::string_view api_next_step(const ApiFinding& finding, Language language);

}  // namespace opdebug::report

// Which call a finding is: the name that it was dumped with, taken apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <opdebug/api_culprits.hpp>

namespace opdebug::api_ties {

struct FindingCall {
    std::string function;  ///< "linear" of Functional.linear.4.forward; a module's class; a kernel's operator type
    bool is_backward = false;
    bool is_module = false;
    bool is_kernel = false;              ///< a row group of a statistic.csv
    std::optional<std::uint64_t> count;  ///< which call of its API
};

FindingCall call_of(const ApiFinding& finding);

}  // namespace opdebug::api_ties

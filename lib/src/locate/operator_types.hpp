// The operator types that are known: lib/data/operator-types/known.json.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace opdebug::locate_stage {

/// The known type that is written so in lower case, where it has one spelling: "GatherV2" of "gatherv2".
std::optional<std::string> type_in_lower_case(std::string_view lower);

}  // namespace opdebug::locate_stage

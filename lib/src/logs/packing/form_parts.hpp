// Which parts of a line its fact tells as well.
#pragma once

#include <string_view>
#include <vector>

#include "logs/packing/line_form.hpp"

namespace opdebug::logs {

/// One behind the other. Where a part may be told by several members it is a guess, made from this line alone, for all
/// lines of its kind: a wrong one costs some bytes for each of them.
std::vector<FormPart> form_parts(std::string_view line, const KnownValues& known);

}  // namespace opdebug::logs

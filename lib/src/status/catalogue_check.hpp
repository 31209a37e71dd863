// What must hold between the parts of one register description.
#pragma once

#include "json/document.hpp"
#include "status/catalogue.hpp"

namespace opdebug::status {

/// Checks ids, masks and values against one another; parts must still stand in the order of the file, because places
/// are told by index.
void check_register(const Register& description, json_stage::Fault& fault);

}  // namespace opdebug::status

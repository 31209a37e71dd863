// An item of "failures", in every document that has them: file, code, message.
#pragma once

#include <string>
#include <string_view>

#include <opdebug/result.hpp>

#include "report/json/json_writer.hpp"

namespace opdebug::report {

void write_failure(const std::string& file, std::string_view code, const std::string& message, JsonWriter& json);
/// The message tells the place in the file as well.
void write_failure(const Error& error, JsonWriter& json);

}  // namespace opdebug::report

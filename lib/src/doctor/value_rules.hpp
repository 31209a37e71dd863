// Rules for one value of dump settings, as rows of lib/data/doctor/settings.json write them.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include <opdebug/result.hpp>

namespace opdebug::doctor {

/// The items of a list, or the value itself. Nothing for null.
nlohmann::json values_of(const nlohmann::json& value);

/// Whether a value is true in Python: not null, false, 0, "", [] or {}.
bool is_set(const nlohmann::json& value);

/// Whether a condition holds: "set", "list", a list of which the value has one, or {"contains": parts of texts}.
bool holds(const nlohmann::json& condition, const nlohmann::json& value);

/// What the row needs of the value of its member, if the value does not meet it. A row without a need: an empty text.
///
///   type: type in JSON         only: all values are among these    ranges: "3", "all", or "0-3|7"
///   set, unset: as is_set()    none: no value is one of these      begins: texts begin with this
///   count: number of values    any, all: one, or all, are there    characters: letters, digits and these
std::optional<LocalizedText> unmet_need(const nlohmann::json& row, const std::string& member,
                                        const nlohmann::json& value);

}  // namespace opdebug::doctor

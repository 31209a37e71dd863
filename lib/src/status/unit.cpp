// Names of the hardware units: the documents' spelling and the command line's.
#include "status/unit.hpp"

#include <array>

namespace opdebug {
inline namespace v0 {
namespace {

struct UnitNames {
    Unit unit;
    std::string_view name;
    std::string_view key;
};

constexpr std::array<UnitNames, 7> kUnitNames{{
    {Unit::ai_core, "AI Core", "ai-core"},
    {Unit::dha_atomic, "DHA Atomic Add", "dha-atomic"},
    {Unit::l2_atomic, "L2 Atomic Add", "l2-atomic"},
    {Unit::aic, "AIC", "aic"},
    {Unit::aiv, "AIV", "aiv"},
    {Unit::aicpu, "AICPU", "aicpu"},
    {Unit::sdma, "SDMA", "sdma"},
}};

}  // namespace

std::string_view unit_name(Unit unit) noexcept {
    for (const UnitNames& row : kUnitNames) {
        if (row.unit == unit) {
            return row.name;
        }
    }
    return {};
}

std::string_view unit_key(Unit unit) noexcept {
    for (const UnitNames& row : kUnitNames) {
        if (row.unit == unit) {
            return row.key;
        }
    }
    return {};
}

std::optional<Unit> unit_from_key(std::string_view key) noexcept {
    for (const UnitNames& row : kUnitNames) {
        if (row.key == key) {
            return row.unit;
        }
    }
    return std::nullopt;
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::status {

std::string unit_keys() {
    std::string keys;
    for (const UnitNames& row : kUnitNames) {
        keys += keys.empty() ? "" : &row == &kUnitNames.back() ? " or " : ", ";
        keys += row.key;
    }
    return keys;
}

}  // namespace opdebug::status

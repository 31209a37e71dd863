#include "logs/formats/module_formats.hpp"

#include <algorithm>

#include "logs/formats/format_match.hpp"
#include "logs/patterns/hex_numbers.hpp"
#include "logs/patterns/masked_digits.hpp"

namespace opdebug::logs {
namespace {

/// Fallbacks come last, behind the user's own formats as well, which know more of a wording than its keys.
ModuleFormats module_formats(const Formats& all) {
    Formats stating, of_nothing;
    for (const CompiledFormat* format : all) {
        (states_something(format) ? stating : of_nothing).push_back(format);
    }
    std::stable_partition(stating.begin(), stating.end(),
                          [](const CompiledFormat* format) { return !format->definition.fallback; });
    const std::vector<std::string> literals = literals_of(stating);
    ModuleFormats formats{std::move(stating), std::move(of_nothing), LiteralSearch(literals), {}};
    for (const std::string& literal : literals) {
        const bool tells_digits = tells_digits_apart(literal);
        formats.tells_hex_numbers_apart = formats.tells_hex_numbers_apart || tells_hex_numbers_apart(literal);
        if (tells_digits) {
            formats.literals_of_digits.push_back(masked_part(literal));
            formats.tells_hex_numbers_apart =
                formats.tells_hex_numbers_apart || tells_hex_numbers_apart(formats.literals_of_digits.back());
        }
    }
    return formats;
}

}  // namespace

bool states_something(const CompiledFormat* format) noexcept {
    return format->definition.states != FactKind::nothing;
}

const ModuleFormats* AskedModule::formats() {
    std::call_once(is_made_, [this] { made_.emplace(module_formats(all_)); });
    return &*made_;
}

}  // namespace opdebug::logs

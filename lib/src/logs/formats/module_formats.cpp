#include "logs/formats/module_formats.hpp"

#include <algorithm>

#include "logs/formats/format_match.hpp"

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
    LiteralSearch literals(literals_of(stating));
    return {std::move(stating), std::move(of_nothing), std::move(literals)};
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

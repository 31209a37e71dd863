// The formats of one module, by which its lines are read.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "logs/formats/format_samples.hpp"
#include "logs/patterns/literal_search.hpp"

namespace opdebug::logs {

struct ModuleFormats {
    std::vector<const CompiledFormat*> formats;
    std::vector<const CompiledFormat*> of_nothing;  ///< those that state nothing: only what a fallback reads is asked
    LiteralSearch literals;                         ///< of the formats, in their order
};

bool states_something(const CompiledFormat* format) noexcept;

/// Made when a line of the module is first asked for: few logs have lines of all modules, and to make the tables of
/// their literals was a third of loading. Thread-safe.
class AskedModule {
public:
    explicit AskedModule(Formats all) : all_(std::move(all)) {}

    /// As long as this.
    const ModuleFormats* formats();

private:
    Formats all_;
    std::once_flag is_made_;
    std::optional<ModuleFormats> made_;
};

}  // namespace opdebug::logs

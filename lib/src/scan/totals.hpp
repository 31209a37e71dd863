// Counts of a scan: dumps by their states, and dumps that count although something is wrong with them.
#pragma once

#include <vector>

#include <opdebug/scan.hpp>

namespace opdebug::scan_stage {

inline void count(DumpState state, ScanCounts& counts) noexcept {
    ++counts.dumps;
    switch (state) {
        case DumpState::overflowed: ++counts.overflowed; break;
        case DumpState::clean: ++counts.clean; break;
        case DumpState::failed: ++counts.failed; break;
    }
}

/// Dumps come in path order.
void add_damage(const ScannedDump& scanned, ScanDamage& damage);

/// Adds the damage of other dumps.
void add_damage(const ScanDamage& of_others, ScanDamage& damage);

/// dumps_damaged, op_dumps_damaged, clean_with_warning with the warnings; stopped_early if the scan is not complete.
void report_damage(const ScanDamage& damage, bool complete, std::vector<Diagnostic>& diagnostics);

/// Whether a diagnostic is one of those that report_damage() adds.
bool is_of_damage(const Diagnostic& diagnostic, const ScanDamage& damage);

}  // namespace opdebug::scan_stage

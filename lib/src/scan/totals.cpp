#include "scan/totals.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "remarks/diagnose.hpp"

namespace opdebug::scan_stage {
namespace {

constexpr std::size_t kNamed = 3;
constexpr const char* kDamaged = "dumps_damaged";
constexpr const char* kUnmeasured = "op_dumps_damaged";
constexpr const char* kClean = "clean_with_warning";
constexpr const char* kStopped = "stopped_early";

/// Keeps the warning of each code whose file is first, in any order of dumps or parts.
void add_warning(Diagnostic warning, std::vector<Diagnostic>& warnings) {
    const auto known =
        std::lower_bound(warnings.begin(), warnings.end(), warning.code,
                         [](const Diagnostic& other, const std::string& code) { return other.code < code; });
    if (known == warnings.end() || known->code != warning.code) {
        warnings.insert(known, std::move(warning));
    } else if (warning.message < known->message) {
        *known = std::move(warning);
    }
}

void add_clean(const ScannedDump& scanned, ScanDamage& damage) {
    bool has_warning = false;
    for (const Diagnostic& remark : scanned.dump->diagnostics) {
        if (remark.severity == Severity::warning) {
            has_warning = true;
            add_warning(remarks::begin_with(scanned.file, remark), damage.warnings_of_clean);
        }
    }
    damage.clean_with_warning += has_warning ? 1 : 0;
}

}  // namespace

void add_damage(const ScannedDump& scanned, ScanDamage& damage) {
    if (scanned.state != DumpState::failed && scanned.dump && !scanned.dump->complete()) {
        ++damage.damaged;
        if (damage.first.size() < kNamed) {
            damage.first.push_back(scanned.file);
        }
    }
    if (scanned.state == DumpState::clean && scanned.dump) {
        add_clean(scanned, damage);
    }
    if (!scanned.tensors.complete() && damage.unmeasured++ == 0) {
        damage.first_unmeasured = scanned.location.op_dump ? scanned.location.op_dump->file : scanned.file;
        damage.first_unmeasured_of = scanned.file;
    }
}

void add_damage(const ScanDamage& of_others, ScanDamage& damage) {
    damage.damaged += of_others.damaged;
    damage.first.insert(damage.first.end(), of_others.first.begin(), of_others.first.end());
    std::sort(damage.first.begin(), damage.first.end());
    damage.first.resize(std::min(damage.first.size(), kNamed));
    if (of_others.unmeasured != 0 &&
        (damage.unmeasured == 0 || of_others.first_unmeasured_of < damage.first_unmeasured_of)) {
        damage.first_unmeasured = of_others.first_unmeasured;
        damage.first_unmeasured_of = of_others.first_unmeasured_of;
    }
    damage.unmeasured += of_others.unmeasured;
    damage.clean_with_warning += of_others.clean_with_warning;
    for (const Diagnostic& warning : of_others.warnings_of_clean) {
        add_warning(warning, damage.warnings_of_clean);
    }
    damage.not_read += of_others.not_read;
    damage.every_folder_searched = damage.every_folder_searched && of_others.every_folder_searched;
}

void report_damage(const ScanDamage& damage, bool complete, std::vector<Diagnostic>& diagnostics) {
    if (damage.damaged != 0) {
        diagnostics.push_back(remarks::diagnose(
            "dumps_damaged",
            {{"count", damage.damaged},
             {"files", fmt::format("{}{}", fmt::join(damage.first, ", "), damage.damaged > kNamed ? ", ..." : "")}}));
    }
    if (damage.unmeasured != 0) {
        diagnostics.push_back(
            remarks::diagnose("op_dumps_damaged", {{"count", damage.unmeasured}, {"file", damage.first_unmeasured}}));
    }
    if (damage.clean_with_warning != 0) {
        diagnostics.push_back(remarks::diagnose(
            "clean_with_warning", {{"count", damage.clean_with_warning}, {"kinds", damage.warnings_of_clean.size()}}));
        diagnostics.insert(diagnostics.end(), damage.warnings_of_clean.begin(), damage.warnings_of_clean.end());
    }
    if (!complete) {
        diagnostics.push_back(remarks::diagnose(
            "stopped_early",
            {{"count", damage.not_read},
             {"folders", damage.every_folder_searched ? LocalizedText() : remarks::phrase("folders_not_searched")}}));
    }
}

bool is_of_damage(const Diagnostic& diagnostic, const ScanDamage& damage) {
    const bool is_warning_of_clean = std::any_of(
        damage.warnings_of_clean.begin(), damage.warnings_of_clean.end(), [&diagnostic](const Diagnostic& warning) {
            return warning.code == diagnostic.code && warning.message == diagnostic.message;
        });
    return is_warning_of_clean || diagnostic.code == kDamaged || diagnostic.code == kUnmeasured ||
           diagnostic.code == kClean || diagnostic.code == kStopped;
}

}  // namespace opdebug::scan_stage

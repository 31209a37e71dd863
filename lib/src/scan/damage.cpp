#include "scan/damage.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace opdebug::scan_stage {
namespace {

constexpr std::size_t kNamed = 3;
constexpr const char* kDamaged = "dumps_damaged";
constexpr const char* kUnmeasured = "op_dumps_damaged";
constexpr const char* kStopped = "stopped_early";

}  // namespace

void add_damage(const ScannedDump& scanned, ScanDamage& damage) {
    if (scanned.state != DumpState::failed && scanned.dump && !scanned.dump->complete()) {
        ++damage.damaged;
        if (damage.first.size() < kNamed) {
            damage.first.push_back(scanned.file);
        }
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
    damage.not_read += of_others.not_read;
    damage.every_folder_searched = damage.every_folder_searched && of_others.every_folder_searched;
}

void tell_damage(const ScanDamage& damage, bool complete, std::vector<Diagnostic>& diagnostics) {
    if (damage.damaged != 0) {
        diagnostics.push_back({Severity::error, kDamaged,
                               fmt::format("{} dump{} damaged, and counted by the records that are left: {}{}; "
                                           "'opdebug decode' says what is missing",
                                           damage.damaged, damage.damaged == 1 ? " is" : "s are",
                                           fmt::join(damage.first, ", "), damage.damaged > kNamed ? ", ..." : "")});
    }
    if (damage.unmeasured != 0) {
        diagnostics.push_back(
            {Severity::warning, kUnmeasured,
             fmt::format("{} operator dump{} could not be measured wholly; the first is {}: the "
                         "documents of their overflows say why",
                         damage.unmeasured, damage.unmeasured == 1 ? "" : "s", damage.first_unmeasured)});
    }
    if (!complete) {
        diagnostics.push_back(
            {Severity::warning, kStopped,
             fmt::format("the scan was stopped: {} of the dumps found were not read{}", damage.not_read,
                         damage.every_folder_searched ? "" : ", and not every folder was searched")});
    }
}

void add_told_damage(const Diagnostic& diagnostic, ScanDamage& damage) {
    const bool is_damaged = diagnostic.code == kDamaged;
    if (!is_damaged && diagnostic.code != kUnmeasured) {
        return;
    }
    const char* const begin = diagnostic.message.data();
    std::uint64_t count = 0;  // stays where another version words it otherwise
    std::from_chars(begin, begin + diagnostic.message.size(), count);
    (is_damaged ? damage.damaged : damage.unmeasured) += count;
}

bool tells_damage(const Diagnostic& diagnostic) {
    return diagnostic.code == kDamaged || diagnostic.code == kUnmeasured || diagnostic.code == kStopped;
}

}  // namespace opdebug::scan_stage

// Overflow dumps of every container and payload: what is reported of a damaged one is what the tables state about its
// bytes.
#include <algorithm>

#include <opdebug/dump.hpp>
#include <opdebug/report.hpp>

#include "every_byte.hpp"
#include "expected_dump.hpp"
#include "sound_dumps.hpp"

namespace opdebug::damage {
namespace {

/// The official converter's text must come from the records; a dump that is damaged before another dump or entry,
/// which the official converter never looks at, has none.
void require_convert(Findings& findings, const Dump& dump) {
    const auto outputs = dump_to_converter_json(dump);
    const bool is_of_further =
        std::any_of(dump.diagnostics.begin(), dump.diagnostics.end(), [](const Diagnostic& remark) {
            return remark.code == "appended_dump" || remark.code == "entry_cut" || remark.code == "entry_left_out";
        });
    findings.require(outputs.ok() || !dump.complete(), "a whole dump can be converted");
    findings.require(!outputs.ok() || dump.complete() || is_of_further, "a damaged dump is not converted");
}

std::string look_at(Findings& findings, const SoundDump& sound, const Buffer& damaged) {
    DecodeOptions options;
    options.file = sound.file;
    const Result<Dump> dump = decode(damaged, options);
    const std::string told = told_dump(dump);
    const std::string expected = expected_dump(damaged, !sound.file.empty(), kTime);
    findings.require(told == expected, "what is told is what the bytes say",
                     told == expected ? std::string() : "told " + told + "but " + expected);
    if (!dump) {
        findings.require(!dump.error().message.empty(), "an error says what is wrong");
        findings.require(!dump.error().offset || *dump.error().offset <= damaged.size(),
                         "the place of an error lies in the file");
        return std::string(to_string(dump.error().code));
    }
    require_convert(findings, *dump);
    return dump->complete() ? "ok" : "ok in part";
}

/// Whether the records of the dump that was appended are there, and those of the first are not invented.
void require_second(Findings& findings, const Buffer& bytes, const std::string& second) {
    const Result<Dump> dump = decode(bytes);
    const std::string told = told_dump(dump);
    findings.require(told.find(second) != std::string::npos, "a dump behind a cut one keeps its records", told);
}

/// A disk was full, then another dump was appended.
void try_cut_and_appended(Findings& findings) {
    const std::vector<SoundDump> all = sound_dumps();
    const std::string records = "AI Core overflow=true inferred=false model_id=514 stream_id=563 task_id=57 ";
    for (const char* first : {"v2 legacy", "v2 aiv_version_1", "v2 of 2020", "v1 legacy", "nano legacy"}) {
        for (const char* second : {"v2 legacy", "v2 of 2020", "v1 legacy", "nano legacy"}) {
            const auto named = [&](const char* name) {
                return *std::find_if(all.begin(), all.end(), [&](const SoundDump& dump) { return dump.name == name; });
            };
            const SoundDump cut = named(first);
            findings.try_cuts_before(std::string(first) + ", behind it " + second, cut.bytes, named(second).bytes,
                                     [&](const Buffer& damaged, const Damage&) {
                                         require_second(findings, damaged, records);
                                         return look_at(findings, cut, damaged);
                                     });
        }
    }
}

}  // namespace

void try_dumps(Findings& findings) {
    try_cut_and_appended(findings);
    for (const SoundDump& sound : sound_dumps()) {
        findings.require(decode(sound.bytes).ok() && decode(sound.bytes)->complete(), "the file is sound at first");
        findings.try_all(sound.name, sound.bytes,
                         [&](const Buffer& damaged, const Damage&) { return look_at(findings, sound, damaged); });
    }
}

}  // namespace opdebug::damage

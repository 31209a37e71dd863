// Overflow dumps of every container and payload. One changed byte changes the field that it is in, and nothing else. A
// cut file keeps the records before the cut. Damage of the framing never changes a value without a diagnostic.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <opdebug/dump.hpp>
#include <opdebug/report.hpp>

#include "dump_places.hpp"
#include "every_byte.hpp"

namespace opdebug::damage {
namespace {

constexpr std::size_t kAfterData = 16;  ///< version 1: at most; size, original shape and address of an output

bool is_part_of(const Values& part, const Values& all) {
    return std::includes(all.begin(), all.end(), part.begin(), part.end());
}

/// Everything that is reported but the meanings of status words.
std::set<std::string> remarks_of(const Dump& dump) {
    std::set<std::string> of_status, remarks;
    for (const DecodedPayload& payload : dump.payloads) {
        for (const Record& record : payload.records) {
            for (const Diagnostic& item : record.status.diagnostics) {
                of_status.insert(item.code);
            }
        }
    }
    for (const Diagnostic& item : dump.diagnostics) {
        if (of_status.count(item.code) == 0) {
            remarks.insert(item.code + " " + item.message);
        }
    }
    return remarks;
}

/// Whether something is reported that the sound dump does not have.
bool has_new_remark(const Sound& sound, const Dump& dump) {
    const std::set<std::string> before = remarks_of(sound.dump), now = remarks_of(dump);
    return !std::includes(before.begin(), before.end(), now.begin(), now.end());
}

bool has_code(const Dump& dump, std::string_view code) {
    return std::any_of(dump.diagnostics.begin(), dump.diagnostics.end(),
                       [&](const Diagnostic& item) { return item.code == code; });
}

/// The overflow of a record follows from its status words.
void set_overflow(Values& values, const std::string& record) {
    std::uint64_t status = 0;
    for (auto at = values.lower_bound(record + "status ");
         at != values.end() && at->first.starts_with(record + "status "); ++at) {
        status |= at->second;
    }
    values[record + "overflow"] = status != 0 ? 1 : 0;
}

/// A byte of a field of a record: this field alone has its new value.
void require_one_field(Findings& findings, const Sound& sound, const Place& place, const Buffer& bytes,
                       const Dump& dump) {
    Values expected = sound.values;
    std::uint64_t value = 0;
    for (std::size_t i = 8; i-- > 0;) {
        value = value << 8U | bytes[place.begin + i];
    }
    expected[place.key] = value;
    set_overflow(expected, place.key.substr(0, place.key.find(' ') + 1));
    const Values values = sound.values_of_damaged(dump);
    findings.require(values == expected, "a changed byte changes the field that it is in",
                     difference(values, expected));
    const bool is_address = place.key.ends_with("pc_start") || place.key.ends_with("para_base") ||
                            place.key.ends_with("_addr") || place.key.ends_with("kernel_code");
    const bool is_status = place.key.find("status") != std::string::npos;
    const auto kind = dump.payloads[static_cast<std::size_t>(std::stoul(place.key))].kind;
    const bool is_implausible =
        kind == Payload::legacy && !is_address && !is_status && value > 0xFFFFFFFF;  // docs/internals/formats.md, "Ids"
    findings.require(has_code(dump, "implausible_id") == is_implausible, "a large id is reported", place.key);
    findings.require(dump.complete(), "other values do not damage a dump");
}

/// AIC and AIV have the same layout: which of them it was is known from the type alone.
bool is_other_core(const Sound& sound, const Place& place, const Buffer& bytes) {
    const auto unit = place.word == "acc_type" ? sound.values.at(place.key + "unit") : UINT64_MAX;
    const bool is_core = unit == static_cast<std::uint64_t>(Unit::aic) || unit == static_cast<std::uint64_t>(Unit::aiv);
    return is_core && bytes[place.begin] < 2 &&
           std::all_of(&bytes[place.begin + 1], &bytes[place.begin + 4], [](std::uint8_t byte) { return byte == 0; });
}

/// A word before the data of an accelerator record.
void require_header_word(Findings& findings, const Sound& sound, const Place& place, const Dump& dump) {
    Values expected = sound.values;
    const Values values = sound.values_of_damaged(dump);
    const bool is_first = place.key.ends_with("/0 ");
    if (is_first && place.word == "valid") {
        expected[place.key + "overflow"] = 0;
        findings.require(values == expected, "an entry that is not valid does not overflow",
                         difference(values, sound.values));
    } else if (is_first && place.word == "rsv") {
        findings.require(values == expected, "a reserved word changes no value", difference(values, sound.values));
    }
    const auto row = std::find_if(std::begin(kHeaderWords), std::end(kHeaderWords),
                                  [&](const auto& item) { return item.word == place.word; });
    findings.require(!is_first || *row->code == '\0' || has_code(dump, row->code), "a changed word has its code",
                     row->code);
}

std::uint64_t varint_at(const Place& place, const Buffer& bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = place.size; i-- > 0;) {
        value = value << 7U | (bytes[place.begin + i] & 0x7FU);
    }
    return value;
}

/// The size of an output: any other one is reported, one beyond the dump is an error.
void require_size(Findings& findings, const Sound& sound, const Place& place, const Buffer& bytes, const Dump& dump) {
    findings.require(has_new_remark(sound, dump), "a size that differs from the bytes is reported");
    const std::size_t next = sound.dump_of(place.begin) + 1;
    const std::size_t end = next < sound.file.begins.size() ? sound.file.begins[next] : bytes.size();
    const std::size_t begin = *std::upper_bound(sound.payloads.begin(), sound.payloads.end(), place.begin);
    findings.require(varint_at(place, bytes) <= end - begin || !dump.complete(), "a size beyond the dump is an error");
}

/// The time of a dump's header. The one of a file name has priority over that of the first dump.
void require_time(Findings& findings, const Sound& sound, const Place& place, const Buffer& bytes, const Dump& dump) {
    const std::uint64_t time = varint_at(place, bytes);
    Values expected = sound.values;
    if (place.key != "time" || sound.file.file.empty()) {
        expected[place.key] = time;
    } else {
        findings.require(has_code(dump, "dump_time_differs"), "times that differ are reported");
    }
    findings.require(sound.values_of_damaged(dump) == expected, "a changed time changes no other value");
}

/// The field number of a tensor was changed to another one; unknown fields are skipped.
bool is_other_field(const Sound& sound, const Buffer& bytes, std::size_t byte) {
    const std::uint8_t before = sound.file.bytes[byte], now = bytes[byte];
    return (before == 0x1A || before == 0x22) && (now & 7U) == 2;
}

/// Whether each payload is one of the sound dump.
bool has_no_other_payload(const Sound& sound, const Dump& dump) {
    const auto is_known = [&](DecodedPayload payload) {
        return std::any_of(sound.dump.payloads.begin(), sound.dump.payloads.end(), [&](const auto& known) {
            payload.output_index = known.output_index;
            return values_of(payload, "") == values_of(known, "");
        });
    };
    return std::all_of(dump.payloads.begin(), dump.payloads.end(), is_known);
}

/// Values that differ from those of the sound dump have a diagnostic, and other dumps of the file keep theirs.
void require_no_silence(Findings& findings, const Sound& sound, std::size_t place, const Buffer& bytes,
                        const Dump& dump) {
    Values values = sound.values_of_damaged(dump);
    for (auto& [key, value] : values) {  // a time that is lost is not known, but no other one
        value = key.ends_with("time") && value == 0 && sound.values.contains(key) ? sound.values.at(key) : value;
    }
    const bool may_differ =
        has_new_remark(sound, dump) || (is_other_field(sound, bytes, place) && has_no_other_payload(sound, dump));
    findings.require(values == sound.values || may_differ, "no value changes without a diagnostic",
                     difference(values, sound.values));
    findings.require(dump.complete() || dump.payloads.size() >= sound.dump.payloads.size() || dump.records_missing,
                     "missing records are counted as missing");
    for (std::size_t i = 0; i < sound.dump.payloads.size(); ++i) {
        if (sound.dump_of(sound.payloads[i]) == sound.dump_of(place)) {
            continue;
        }
        // A version 1 message has no length: bytes after it that are fields by chance may set its time to 0.
        const bool is_there = std::any_of(dump.payloads.begin(), dump.payloads.end(), [&](DecodedPayload payload) {
            payload.timestamp_us =
                payload.timestamp_us == 0 ? sound.dump.payloads[i].timestamp_us : payload.timestamp_us;
            return values_of(payload, "") == values_of(sound.dump.payloads[i], "");
        });
        findings.require(is_there, "another dump of the file keeps its records", difference(values, sound.values));
    }
}

/// The official converter's text must come from the records; a dump that is damaged before another dump or entry,
/// which the official converter never looks at, has none.
void require_convert(Findings& findings, const Dump& dump) {
    const auto outputs = dump_to_converter_json(dump);
    const bool is_of_further =
        has_code(dump, "appended_dump") || has_code(dump, "entry_cut") || has_code(dump, "entry_left_out");
    findings.require(outputs.ok() || !dump.complete(), "a whole dump can be converted");
    findings.require(!outputs.ok() || dump.complete() || is_of_further, "a damaged dump is not converted");
}

std::string require_error(Findings& findings, const Sound& sound, const Buffer& damaged, const Error& error) {
    findings.require(!error.message.empty() && error.file == sound.file.file, "an error names the file");
    const bool has_no_place =
        error.code == ErrorCode::not_an_overflow_dump || error.code == ErrorCode::converted_json_invalid;
    findings.require(error.offset ? *error.offset <= damaged.size() : has_no_place, "an error names a byte of the file",
                     error.message);
    return std::string(to_string(error.code));
}

std::string outcome(const Dump& dump) {
    return dump.complete() ? "ok" : "ok in part";
}

std::string look_at_change(Findings& findings, const Sound& sound, const Buffer& damaged, std::size_t byte) {
    const Result<Dump> dump = decode_as(sound.file, damaged);
    const auto place = std::find_if(sound.places.begin(), sound.places.end(), [&](const Place& item) {
        return byte >= item.begin && byte < item.begin + item.size;
    });
    if (!dump) {
        const bool may_fail = !sound.is_in_payload(byte) || (place != sound.places.end() && !place->word.empty());
        // A brace at the begin makes the file a converted one.
        const bool is_json = dump.error().code == ErrorCode::converted_json_invalid;
        findings.require(is_json || (may_fail && sound.file.begins.size() == 1), "a payload can be read",
                         dump.error().message);
        const bool is_magic = place != sound.places.end() && place->word == "magic";
        findings.require(!is_magic || dump.error().code == ErrorCode::magic_damaged, "a damaged magic has its error");
        return require_error(findings, sound, damaged, dump.error());
    }
    require_convert(findings, *dump);
    const bool has_copy = sound.dump.payloads.size() < sound.payloads.size();
    const bool is_other_length = ((damaged[byte] ^ sound.file.bytes[byte]) & 0x80U) != 0;  // of a varint
    if (place == sound.places.end()) {
        require_no_silence(findings, sound, byte, damaged, *dump);
        findings.require(!sound.is_in_payload(byte) || has_copy || has_code(*dump, "unused_bytes"),
                         "an unused byte that is not zero is reported");
    } else if (is_other_core(sound, *place, damaged)) {
        Values expected = sound.values;
        expected[place->key + "unit"] = static_cast<std::uint64_t>(damaged[byte] == 0 ? Unit::aic : Unit::aiv);
        findings.require(sound.values_of_damaged(*dump) == expected, "the unit alone changes");
    } else if (place->word == "time") {
        if (is_other_length) {
            require_no_silence(findings, sound, byte, damaged, *dump);
        } else {
            require_time(findings, sound, *place, damaged, *dump);
        }
    } else if (place->word == "size") {
        require_no_silence(findings, sound, byte, damaged, *dump);
        if (!is_other_length) {
            require_size(findings, sound, *place, damaged, *dump);
        }
    } else if (place->word == "name") {
        require_no_silence(findings, sound, byte, damaged, *dump);
        const bool is_one = sound.file.begins.size() == 1;  // of several it also shows where a dump begins
        findings.require(!is_one || damaged[byte] < 0x80 || has_code(*dump, "name_not_utf8"),
                         "a name that is no UTF-8 is reported");
    } else if (!place->word.empty()) {
        require_no_silence(findings, sound, byte, damaged, *dump);
        require_header_word(findings, sound, *place, *dump);
    } else {
        require_one_field(findings, sound, *place, damaged, *dump);
    }
    return outcome(*dump);
}

/// An error names the end of the file, or the bytes of the payload that are there.
void require_end_named(Findings& findings, const Dump& dump, std::size_t end, std::size_t there) {
    const bool is_named = std::any_of(dump.diagnostics.begin(), dump.diagnostics.end(), [&](const Diagnostic& item) {
        const bool has_number = item.message.find(fmt::format("byte {}", end)) != std::string::npos ||
                                item.message.find(fmt::format(" {} are ", there)) != std::string::npos ||
                                item.message.find(fmt::format(" {} is ", there)) != std::string::npos;
        return item.severity == Severity::error && (has_number || item.code == "entry_cut");
    });
    findings.require(is_named, "an error names the end of the file",
                     dump.diagnostics.empty() ? "" : dump.diagnostics.back().message);
}

/// Records before the cut are there with their values, and no others. The end of the file is named.
std::string look_at_cut(Findings& findings, const Sound& sound, const Buffer& damaged) {
    const std::size_t end = damaged.size();
    const Result<Dump> dump = decode_as(sound.file, damaged);
    bool missing = false;
    Values values = dump ? sound.values_of_damaged(*dump) : Values();
    for (std::size_t payload = 0; payload < sound.dump.payloads.size(); ++payload) {
        const bool is_v1 = sound.is_v1(payload);
        for (std::size_t i = 0; i < sound.dump.payloads[payload].records.size(); ++i) {
            const std::string key = fmt::format("{}/{} ", payload, i);
            const bool is_there = values.contains(key + "unit");
            missing = missing || (!is_there && sound.dump_of(sound.payloads[payload]) <= sound.dump_of(end - 1));
            const std::size_t end_of_record =
                is_v1 ? sound.payloads[payload] + sound.file.payloads[payload].size() + kAfterData
                      : sound.end_of_record(key);
            findings.require(is_there || end_of_record > end, "a record before the cut is read", key);
            findings.require(!is_there || sound.end_of_record(key) <= end, "no record after the cut is read", key);
        }
    }
    if (!dump) {
        return require_error(findings, sound, damaged, dump.error());
    }
    require_convert(findings, *dump);
    if (values["time"] != sound.values.at("time")) {
        findings.require(values["time"] == 0, "no time differs from the sound dump");
        values.erase("time");
    }
    findings.require(is_part_of(values, sound.values), "no value differs from the sound dump",
                     difference(values, sound.values));
    const bool is_reported = !dump->complete() || has_code(*dump, "trailing_bytes") ||  // of a header that is cut
                             (sound.is_v1(0) && sound.file.bytes[end] == 0x1A);         // between two outputs
    findings.require(!missing || is_reported, "a missing record is an error");
    findings.require(!missing || dump->complete() || dump->records_missing, "missing records are counted as missing");
    findings.require(sound.file.begins.size() > 1 || sound.is_v1(0) || !dump->complete(), "a cut dump is an error");
    findings.require(!missing || dump->overflow().value_or(true), "missing records may have overflowed");
    for (std::size_t i = 0; i < sound.payloads.size(); ++i) {
        if (!sound.is_v1(i) && end >= sound.payloads[i] && end < sound.payloads[i] + sound.file.payloads[i].size()) {
            require_end_named(findings, *dump, end, end - sound.payloads[i]);
        }
    }
    return outcome(*dump);
}

/// A disk was full, then another dump was appended: its records are there, and those of the first are not invented.
void try_cut_and_appended(Findings& findings, const std::vector<SoundDump>& all) {
    const auto named = [&](const char* name) {
        return sound_of(
            *std::find_if(all.begin(), all.end(), [&](const SoundDump& dump) { return dump.name == name; }));
    };
    for (const char* first_name : {"v2 legacy", "v2 aiv_version_1", "v2 of 2020", "v1 legacy", "nano legacy"}) {
        for (const char* second_name : {"v2 legacy", "v2 of 2020", "v1 legacy", "nano legacy"}) {
            const Sound first = named(first_name), second = named(second_name);
            const auto records_of = [](const DecodedPayload& payload) {
                Values values;
                for (std::size_t i = 0; i < payload.records.size(); ++i) {
                    values.merge(values_of(payload.records[i], fmt::format("{} ", i)));
                }
                return values;
            };
            const Values whole = records_of(first.dump.payloads[0]), appended = records_of(second.dump.payloads[0]);
            findings.try_cuts_before(
                fmt::format("{}, after it {}", first_name, second_name), first.file.bytes, second.file.bytes,
                [&](const Buffer& damaged, const Damage& damage) {
                    const Result<Dump> dump = decode_as(first.file, damaged);
                    if (!dump) {
                        findings.require(false, "a dump after a cut one is read", dump.error().message);
                        return std::string();
                    }
                    require_convert(findings, *dump);
                    findings.require(records_of(dump->payloads.back()) == appended, "a dump after a cut one is read");
                    findings.require(damage.place == 0 || has_code(*dump, "appended_dump") || !dump->complete(),
                                     "two dumps in one file are reported");
                    if (dump->payloads.size() > 1) {
                        findings.require(is_part_of(records_of(dump->payloads.front()), whole),
                                         "no value differs from the sound dump");
                    }
                    findings.require(dump->payloads.size() <= 2, "no records are invented");
                    return outcome(*dump);
                });
        }
    }
}

}  // namespace

void try_dumps(Findings& findings) {
    const std::vector<SoundDump> all = sound_dumps();
    try_cut_and_appended(findings, all);
    for (const SoundDump& file : all) {
        const Sound sound = sound_of(file);
        findings.require(sound.dump.complete() && !sound.places.empty(), "the file is sound at first", file.name);
        findings.try_all(file.name, file.bytes, [&](const Buffer& damaged, const Damage& damage) {
            return damage.cut ? look_at_cut(findings, sound, damaged)
                              : look_at_change(findings, sound, damaged, damage.place);
        });
    }
}

}  // namespace opdebug::damage

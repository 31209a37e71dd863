// Overflow dumps of every container and payload. One changed byte of a field changes this field alone. Whatever else a
// changed byte does is reported. A cut file keeps the records before the cut.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/dump.hpp>
#include <opdebug/report.hpp>

#include "every_byte.hpp"
#include "sound_dumps.hpp"

namespace opdebug::damage {
namespace {

constexpr std::size_t kAfterData = 16;  ///< version 1: at most; size, original shape and address of an output

/// Everything that a document states of the records: "PAYLOAD/RECORD FIELD" and the value.
using Values = std::map<std::string, std::uint64_t>;

Values values_of(const Record& record, const std::string& key) {
    Values values{{key + "unit", static_cast<std::uint64_t>(record.unit)},
                  {key + "overflow", record.overflow ? 1 : 0},
                  {key + "inferred", record.inferred ? 1 : 0}};
    for (const FieldValue& item : record.fields) {
        values[key + std::string(field_key(item.field))] = item.value;
    }
    for (std::size_t i = 0; i < record.status.words.size(); ++i) {
        values[fmt::format("{}status {}", key, i)] = record.status.words[i];
    }
    return values;
}

Values values_of(const DecodedPayload& payload, const std::string& number) {
    Values values{{number + "/kind", static_cast<std::uint64_t>(payload.kind)},
                  {number + "/output", payload.output_index},
                  {number + "/appended", payload.appended ? 1 : 0},
                  {number + "/time", payload.timestamp_us.value_or(0)}};
    for (std::size_t i = 0; i < payload.records.size(); ++i) {
        values.merge(values_of(payload.records[i], fmt::format("{}/{} ", number, i)));
    }
    return values;
}

/// Of the first payloads. A copy of a dump is left out, but is a payload of its own when a byte of it differs.
Values values_of(const Dump& dump, std::size_t payloads) {
    Values values{{"time", dump.timestamp_us.value_or(0)}};
    for (std::size_t i = 0; i < std::min(payloads, dump.payloads.size()); ++i) {
        values.merge(values_of(dump.payloads[i], fmt::to_string(i)));
    }
    return values;
}

std::string difference(const Values& values, const Values& expected) {
    Values others;
    std::set_difference(values.begin(), values.end(), expected.begin(), expected.end(),
                        std::inserter(others, others.end()));
    return fmt::format("{} of {} values, {} expected: {}", others.size(), values.size(), expected.size(),
                       fmt::join(others, " "));
}

Result<Dump> decode_as(const SoundDump& file, const Buffer& bytes) {
    DecodeOptions options;
    options.file = file.file;
    return decode(bytes, options);
}

/// A u64 of a record: the first byte that changes it, and the byte after the last one.
struct Field {
    std::string key;
    std::size_t begin, end;
};

/// A sound dump with what was decoded of it.
struct Sound {
    SoundDump file;
    Dump dump;
    Values values;
    std::vector<std::size_t> payloads;  ///< where each begins
    std::vector<Field> fields;          ///< as changed bytes show them

    Values values_of_damaged(const Dump& damaged) const {
        return values_of(damaged, has_copy() ? dump.payloads.size() : damaged.payloads.size());
    }
    bool has_copy() const { return dump.payloads.size() < payloads.size(); }
    /// Whether the payload is in a message of version 1, which is read up to its last whole field.
    bool is_v1(std::size_t payload) const { return file.bytes[file.begins[dump_of(payloads[payload])]] == 0x0A; }
    std::size_t dump_of(std::size_t byte) const {
        return static_cast<std::size_t>(std::upper_bound(file.begins.begin(), file.begins.end(), byte) -
                                        file.begins.begin()) -
               1;
    }
    /// The payload that has the byte; their number when none has it.
    std::size_t payload_of(std::size_t byte) const {
        std::size_t i = 0;
        while (i < payloads.size() && (byte < payloads[i] || byte >= payloads[i] + file.payloads[i].size())) {
            ++i;
        }
        return i;
    }
    /// The end of a record in the file.
    std::size_t end_of_record(const std::string& key) const {
        std::size_t end = 0;
        for (const Field& field : fields) {
            end = field.key.starts_with(key) ? std::max(end, field.end) : end;
        }
        return end;
    }
};

/// The keys whose values differ.
std::set<std::string> changed_keys(const Values& values, const Values& expected) {
    std::set<std::string> keys;
    for (const auto& [one, other] : {std::pair(&values, &expected), std::pair(&expected, &values)}) {
        for (const auto& [key, value] : *one) {
            const auto found = other->find(key);
            if (found == other->end() || found->second != value) {
                keys.insert(key);
            }
        }
    }
    return keys;
}

/// The overflow of a record follows from its status words.
std::string overflow_of(const std::string& key) {
    return key.substr(0, key.find(' ') + 1) + "overflow";
}

bool is_number_of_record(const std::string& key) {
    return key.find(' ') != std::string::npos && !key.ends_with(" unit") && !key.ends_with(" overflow") &&
           !key.ends_with(" inferred");
}

/// The field that a turned bit of this byte changes, if it changes one alone.
std::string field_at(const Sound& sound, std::size_t byte) {
    Buffer changed = sound.file.bytes;
    changed[byte] ^= 1U;
    const Result<Dump> dump = decode_as(sound.file, changed);
    if (!dump) {
        return {};
    }
    std::set<std::string> keys = changed_keys(sound.values_of_damaged(*dump), sound.values);
    const auto number = std::find_if(keys.begin(), keys.end(), is_number_of_record);
    if (number == keys.end()) {
        return {};
    }
    const std::string key = *number;
    keys.erase(overflow_of(key));
    return keys.size() == 1 ? key : std::string();
}

Sound sound_of(const SoundDump& file) {
    Sound sound{file, decode_as(file, file.bytes).value(), {}, {}, {}};
    sound.values = values_of(sound.dump, sound.dump.payloads.size());
    auto from = file.bytes.begin();
    for (const Buffer& payload : file.payloads) {
        from = std::search(from, file.bytes.end(), payload.begin(), payload.end());
        sound.payloads.push_back(static_cast<std::size_t>(from - file.bytes.begin()));
        from += static_cast<std::ptrdiff_t>(payload.size());
    }
    for (std::size_t i = 0; i < sound.dump.payloads.size(); ++i) {  // not of copies
        for (std::size_t byte = sound.payloads[i]; byte < sound.payloads[i] + file.payloads[i].size(); ++byte) {
            const std::string key = field_at(sound, byte);
            if (key.empty()) {
                continue;
            }
            if (sound.fields.empty() || sound.fields.back().key != key) {
                sound.fields.push_back({key, byte, byte});
            }
            sound.fields.back().end = byte + 1;
        }
    }
    return sound;
}

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
    const Values values = sound.values_of_damaged(dump);
    std::set<std::string> keys = changed_keys(values, sound.values);
    const bool is_in_payload = sound.payload_of(place) < sound.payloads.size();
    // The header has the time. AIC and AIV have the same layout: the type alone shows which of them it was.
    std::erase_if(keys, [&](const std::string& key) {
        const auto is_core = [&key](const Values& all) {
            const auto unit = all.find(key);
            return unit != all.end() && (unit->second == static_cast<std::uint64_t>(Unit::aic) ||
                                         unit->second == static_cast<std::uint64_t>(Unit::aiv));
        };
        return is_in_payload ? key.ends_with(" unit") && is_core(values) && is_core(sound.values)
                             : key.ends_with("time");
    });
    const bool may_differ =
        has_new_remark(sound, dump) || (is_other_field(sound, bytes, place) && has_no_other_payload(sound, dump));
    findings.require(keys.empty() || may_differ, "no value changes without a diagnostic",
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

/// What may change unseen: words before another entry, and versions 0 and 1 of a unit with one status word in both.
bool may_change_unseen(const Sound& sound, std::size_t payload, const Buffer& bytes, std::size_t byte) {
    const DecodedPayload& decoded = sound.dump.payloads[payload];
    if (decoded.kind == Payload::legacy) {
        return false;
    }
    const Unit unit = decoded.records.front().unit;
    const bool is_version = byte == sound.payloads[payload] + 4 && bytes[byte] <= 1;
    return decoded.records.size() > 1 || (is_version && (unit == Unit::aicpu || unit == Unit::sdma));
}

std::string outcome(const Dump& dump) {
    return dump.complete() ? "ok" : "ok in part";
}

/// A byte of a field of a record: this field alone has its new value.
void require_one_field(Findings& findings, const Sound& sound, const Field& field, std::size_t byte,
                       const Buffer& bytes, const Dump& dump) {
    Values expected = sound.values;
    const std::uint64_t changed = bytes[byte] ^ sound.file.bytes[byte];
    expected[field.key] ^= changed << 8U * (byte - field.begin);
    Values values = sound.values_of_damaged(dump);
    if (field.key.find(" status ") != std::string::npos) {
        std::uint64_t status = 0;
        const std::string begin = field.key.substr(0, field.key.find(' ') + 1) + "status ";
        for (auto at = expected.lower_bound(begin); at != expected.end() && at->first.starts_with(begin); ++at) {
            status |= at->second;
        }
        expected[overflow_of(field.key)] = status != 0 ? 1 : 0;
    }
    findings.require(values == expected, "a changed byte changes the field that it is in",
                     difference(values, expected));
    findings.require(dump.complete(), "other values do not damage a dump");
}

std::string look_at_change(Findings& findings, const Sound& sound, const Buffer& damaged, std::size_t byte) {
    const Result<Dump> dump = decode_as(sound.file, damaged);
    const auto field = std::find_if(sound.fields.begin(), sound.fields.end(),
                                    [byte](const Field& item) { return byte >= item.begin && byte < item.end; });
    const std::size_t payload = sound.payload_of(byte);
    if (!dump) {
        // A brace at the begin makes the file a converted one.
        const bool is_json = dump.error().code == ErrorCode::converted_json_invalid;
        findings.require(is_json || (field == sound.fields.end() && sound.file.begins.size() == 1),
                         "a payload can be read", dump.error().message);
        return require_error(findings, sound, damaged, dump.error());
    }
    require_convert(findings, *dump);
    if (field != sound.fields.end()) {
        require_one_field(findings, sound, *field, byte, damaged, *dump);
    } else {
        require_no_silence(findings, sound, byte, damaged, *dump);
        const bool is_unused = payload < sound.dump.payloads.size() && !sound.has_copy();
        findings.require(!is_unused || has_new_remark(sound, *dump) || sound.values_of_damaged(*dump) != sound.values ||
                             may_change_unseen(sound, payload, damaged, byte),
                         "an unused byte that is not zero is reported");
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
        findings.require(sound.dump.complete() && !sound.fields.empty(), "the file is sound at first", file.name);
        findings.try_all(file.name, file.bytes, [&](const Buffer& damaged, const Damage& damage) {
            return damage.cut ? look_at_cut(findings, sound, damaged)
                              : look_at_change(findings, sound, damaged, damage.place);
        });
    }
}

}  // namespace opdebug::damage

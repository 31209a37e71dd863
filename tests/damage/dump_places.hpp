// The fields in the bytes of sound overflow dumps, by the tables of docs/internals/formats.md, and what is decoded of
// them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <opdebug/dump.hpp>

#include "sound_dumps.hpp"

namespace opdebug::damage {

using test::Buffer;

/// "Accelerator payload": the u32 words before the data. `code` reports a changed word.
struct HeaderWord {
    const char* word;
    std::size_t offset;
    const char* code;
};
constexpr HeaderWord kHeaderWords[] = {{"magic", 0, "magic_damaged"},    {"version", 4, ""},
                                       {"valid", 8, "entry_not_valid"},  {"acc_type", 12, ""},
                                       {"rsv", 16, "reserved_not_zero"}, {"data_len", 20, "data_len_mismatch"}};

/// Everything that a document states of the records: "PAYLOAD/RECORD FIELD" and the value.
using Values = std::map<std::string, std::uint64_t>;

Values values_of(const Record& record, const std::string& key);

Values values_of(const DecodedPayload& payload, const std::string& number);

/// Of the first payloads. A copy of a dump is left out, but is a payload of its own when a byte of it differs.
Values values_of(const Dump& dump, std::size_t payloads);

/// The values that differ from the expected ones.
std::string difference(const Values& values, const Values& expected);

/// A field in the bytes of a file.
struct Place {
    std::string key;  ///< in Values
    std::string word;
    std::size_t begin = 0;
    std::size_t size = 8;
};

/// A sound dump with what was decoded of it.
struct Sound {
    SoundDump file;
    Dump dump;
    Values values;
    std::vector<std::size_t> payloads;  ///< where each begins
    std::vector<Place> places;

    Values values_of_damaged(const Dump& damaged) const {
        const bool has_copy = dump.payloads.size() < payloads.size();
        return values_of(damaged, has_copy ? dump.payloads.size() : damaged.payloads.size());
    }
    /// Whether the payload is in a message of version 1, which is read up to its last whole field.
    bool is_v1(std::size_t payload) const { return file.bytes[file.begins[dump_of(payloads[payload])]] == 0x0A; }
    std::size_t dump_of(std::size_t byte) const {
        return static_cast<std::size_t>(std::upper_bound(file.begins.begin(), file.begins.end(), byte) -
                                        file.begins.begin()) -
               1;
    }
    bool is_in_payload(std::size_t byte) const {
        for (std::size_t i = 0; i < payloads.size(); ++i) {
            if (byte >= payloads[i] && byte < payloads[i] + file.payloads[i].size()) {
                return true;
            }
        }
        return false;
    }
    /// The end of a record in the file.
    std::size_t end_of_record(const std::string& key) const {
        std::size_t end = 0;
        for (const Place& place : places) {
            end = place.key.starts_with(key) ? std::max(end, place.begin + place.size) : end;
        }
        return end;
    }
};

Result<Dump> decode_as(const SoundDump& file, const Buffer& bytes);

Sound sound_of(const SoundDump& file);

}  // namespace opdebug::damage

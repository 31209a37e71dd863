// Converted JSON in another folder than its dump must not count as a second dump.
#include "scan/dump_tree.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dump/converted.hpp"
#include "remarks/diagnose.hpp"
#include "tree/name.hpp"
#include "tree/walk.hpp"

namespace opdebug::scan_stage {
namespace {

using DumpKey = std::pair<std::uint32_t, std::uint32_t>;  ///< folder, dump
using DumpsByName = std::map<std::string, std::vector<DumpKey>>;

const tree::WalkedDump& dump_at(const tree::Walk& found, const DumpKey& key) {
    return found.folders[key.first].dumps[key.second];
}

DumpsByName converted_dumps(const tree::Walk& found) {
    DumpsByName converted;
    for (const tree::DumpPlace& place : found.in_path_order) {
        const tree::WalkedDump& dump = found.folders[place.folder].dumps[place.dump];
        if (!dump.converted.empty()) {
            if (const auto name = tree::parse_converted_name(dump.name)) {
                converted[tree::one_spelling(name->dump_name)].emplace_back(place.folder, place.dump);
            }
        }
    }
    return converted;
}

/// The binaries that have the name of a converted dump.
DumpsByName binaries_of(const tree::Walk& found, const DumpsByName& converted) {
    DumpsByName binaries;
    for (const tree::DumpPlace& place : found.in_path_order) {
        const tree::WalkedDump& dump = found.folders[place.folder].dumps[place.dump];
        if (dump.converted.empty()) {
            std::string name = tree::one_spelling(dump.name);
            if (converted.count(name) != 0) {
                binaries[std::move(name)].emplace_back(place.folder, place.dump);
            }
        }
    }
    return binaries;
}

bool same_record(const Record& a, const Record& b) {
    return a.unit == b.unit && a.overflow == b.overflow && a.status.words == b.status.words &&
           std::equal(
               a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
               [](const FieldValue& x, const FieldValue& y) { return x.field == y.field && x.value == y.value; });
}

/// Whether a converter writes this for the output: the first dump of a file, and the first entry of an accelerator
/// payload.
bool is_conversion_of(const DecodedPayload& output, const DecodedPayload& copy) {
    const auto end =
        output.kind == Payload::legacy || output.records.empty() ? output.records.end() : output.records.begin() + 1;
    return !output.appended && copy.output_index == output.output_index && copy.kind == output.kind &&
           std::equal(copy.records.begin(), copy.records.end(), output.records.begin(), end, same_record);
}

/// Whether each id in the path of the copy is that of the dump.
bool path_ids_agree(const PathIds& copy, const PathIds& dump) {
    const auto agrees = [](const auto& stated, const auto& other) { return !stated || stated == other; };
    return agrees(copy.time, dump.time) && agrees(copy.device_id, dump.device_id) &&
           agrees(copy.model_name, dump.model_name) && agrees(copy.model_id, dump.model_id) &&
           agrees(copy.data_index, dump.data_index) && agrees(copy.rank, dump.rank);
}

/// Some of the outputs may be missing among the JSON files; those that exist must agree with the dump.
bool is_copy(const Dump& copy, const Dump& dump) {
    const auto is_of_dump = [&dump](const DecodedPayload& payload) {
        return std::any_of(dump.payloads.begin(), dump.payloads.end(),
                           [&payload](const DecodedPayload& output) { return is_conversion_of(output, payload); });
    };
    return path_ids_agree(copy.path_ids, dump.path_ids) && !copy.payloads.empty() &&
           std::all_of(copy.payloads.begin(), copy.payloads.end(), is_of_dump);
}

bool has_binary(const tree::Walk& found, const DumpKey& key, const std::vector<DumpKey>& binaries,
                const DecodeOptions& options) {
    const tree::WalkedFolder& folder = found.folders[key.first];
    std::vector<std::string> files;
    for (const std::string& name : dump_at(found, key).converted) {
        files.push_back(folder.prefix + name);
    }
    const Result<Dump> copy = dump_stage::decode_converted_files(files, folder.was_read, options);
    return copy && std::any_of(binaries.begin(), binaries.end(), [&](const DumpKey& binary) {
               const Result<Dump> dump =
                   decode_file(found.folders[binary.first].prefix + dump_at(found, binary).name, options);
               return dump && is_copy(*copy, *dump);
           });
}

void remove(tree::Walk& found, const std::set<DumpKey>& copies) {
    for (auto copy = copies.rbegin(); copy != copies.rend(); ++copy) {  // backwards: earlier positions stay valid
        std::vector<tree::WalkedDump>& dumps = found.folders[copy->first].dumps;
        dumps.erase(dumps.begin() + copy->second);
    }
    found.other_files += copies.size();
    found.in_path_order = tree::places_in_path_order(found.folders);
}

}  // namespace

void remove_converted_copies(tree::Walk& found, const ScanOptions& options) {
    const DumpsByName converted = converted_dumps(found);
    if (converted.empty()) {
        return;
    }
    std::set<DumpKey> copies;
    for (const auto& [name, binaries] : binaries_of(found, converted)) {
        for (const DumpKey& key : converted.at(name)) {
            if (options.stop && options.stop()) {
                break;
            }
            if (has_binary(found, key, binaries, options.decode)) {
                copies.insert(key);
            }
        }
    }
    if (copies.empty()) {
        return;
    }
    const std::string first = found.folders[copies.begin()->first].prefix + dump_at(found, *copies.begin()).name;
    found.diagnostics.push_back(remarks::diagnose("converted_copies", {{"count", copies.size()}, {"first", first}}));
    remove(found, copies);
}

}  // namespace opdebug::scan_stage

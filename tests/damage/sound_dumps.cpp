#include "sound_dumps.hpp"

#include <fmt/format.h>

#include "dump_builder.hpp"

namespace opdebug::damage {
namespace {

using namespace test;

/// Every field has a value of its own, with bytes that are not zero up to the width that it has.
LegacyPayload all_units() {
    LegacyPayload payload;
    payload.dha = {0x11, 0x2201, 0x3302, 0x01, 0x124040184000, 0x1240401ff5f0, 0x9F2};
    payload.l2 = {0x14, 0x2511, 0x3612, 0x05, 0x124040284000, 0x1240402ff5f0, 0x20000};
    payload.ai_core = {0x202, 0x233, 0x39, 0x42, 0x1008005b0000, 0x100800297000, 0x520};
    payload.kernel_code = 0x1008005ae000;
    payload.block_idx = 7;
    return payload;
}

Buffer accelerator(std::vector<AcceleratorEntry> entries, std::uint32_t version, bool padded = false) {
    AcceleratorPayload payload;
    payload.version = version;
    payload.entries = std::move(entries);
    payload.padded = padded;
    return build_payload(payload);
}

struct NamedPayload {
    std::string name;
    Buffer bytes;
};

std::vector<NamedPayload> payloads() {
    std::vector<NamedPayload> all{{"legacy", build_payload(all_units())}};
    constexpr const char* names[] = {"aic", "aiv", "aicpu", "sdma"};
    for (const AccType type : {AccType::aic, AccType::aiv, AccType::aicpu, AccType::sdma}) {
        for (const std::uint32_t version : {0U, 1U}) {
            all.push_back({fmt::format("{}_version_{}", names[static_cast<unsigned>(type)], version),
                           accelerator({counting_entry(type, 0x1234500, version)}, version)});
        }
    }
    return all;
}

/// An output after two inputs, and a second output of another kind; a buffer and a workspace after them.
DumpFile several_outputs() {
    DumpFile dump = overflow_dump(build_payload(all_units()));
    dump.inputs = {tensor(Buffer(5, 0xA1)), tensor(Buffer(3, 0xA2))};
    dump.outputs.push_back(overflow_dump(accelerator({counting_entry(AccType::sdma, 0x700)}, 1)).outputs.front());
    dump.buffers = {{Buffer(4, 0xB1), 4, 0}};
    dump.spaces = {{Buffer(6, 0xB2), 6, 0}};
    return dump;
}

/// The dump in one of its containers.
SoundDump sound_dump(const std::string& name, const DumpFile& dump, Buffer (&build)(const DumpFile&),
                     const std::string& file) {
    SoundDump sound{name, build(dump), file, {}, {0}};
    for (const Tensor& output : dump.outputs) {
        sound.payloads.push_back(output.data);
    }
    return sound;
}

/// One file with all of them and `rest` between them.
SoundDump joined(const std::string& name, const std::vector<SoundDump>& dumps, const std::string& file,
                 const Buffer& rest = {}) {
    SoundDump all{name, {}, file, {}, {}};
    for (const SoundDump& dump : dumps) {
        append(all.bytes, all.bytes.empty() ? Buffer() : rest);
        all.begins.push_back(all.bytes.size());
        append(all.bytes, dump.bytes);
        all.payloads.insert(all.payloads.end(), dump.payloads.begin(), dump.payloads.end());
    }
    return all;
}

void add_containers(std::vector<SoundDump>& dumps, const std::string& file) {
    for (const NamedPayload& payload : payloads()) {
        DumpFile dump = overflow_dump(payload.bytes);
        dumps.push_back(sound_dump("v2 " + payload.name, dump, build_v2, file));
        dump.version = "1.0";
        dumps.push_back(sound_dump("v1 " + payload.name, dump, build_v1, file));
        dumps.push_back(sound_dump("nano " + payload.name, dump, build_nano, file));
    }
}

}  // namespace

std::vector<SoundDump> sound_dumps() {
    const std::string file = fmt::format("Opdebug.Node_OpDebug.59.2.{}", kTime);
    const Buffer legacy = build_payload(all_units());
    const DumpFile aiv = overflow_dump(accelerator({counting_entry(AccType::aiv, 0x500)}, 0));
    const DumpFile padded = overflow_dump(accelerator({counting_entry(AccType::aiv, 1, 1)}, 1, true));
    const DumpFile ffts = overflow_dump(accelerator({counting_entry(AccType::aic, 0x90, 1)}, 1));
    const DumpFile two_entries =
        overflow_dump(accelerator({core_entry(AccType::aic, 7, 0x20), core_entry(AccType::aiv, 8, 1)}, 0));
    const DumpFile second_overflows =
        overflow_dump(accelerator({core_entry(AccType::aic, 7, 0), core_entry(AccType::aiv, 8, 1)}, 0));
    DumpFile later = overflow_dump(accelerator({counting_entry(AccType::sdma, 0x3300)}, 0));
    later.dump_time = kTime + 5;

    std::vector<SoundDump> dumps;
    add_containers(dumps, file);
    dumps.push_back(sound_dump("v2 of 2020", overflow_dump(legacy, Era::y2020), build_v2, file));
    dumps.push_back(sound_dump("v2 of 2021", overflow_dump(legacy, Era::y2021), build_v2, ""));
    dumps.push_back(sound_dump("v2 padded", padded, build_v2, file));
    dumps.push_back(sound_dump("v2 without a name", aiv, build_v2, ""));
    dumps.push_back(sound_dump("v1 without a name", aiv, build_v1, ""));
    dumps.push_back(sound_dump("nano without a name", aiv, build_nano, ""));
    dumps.push_back(sound_dump("FFTS+", ffts, build_v2, fmt::format("Opdebug.Node_OpDebug.0.3.{}.4.1.0.0", kTime)));
    dumps.push_back(sound_dump("v2 several outputs", several_outputs(), build_v2, file));
    dumps.push_back(sound_dump("nano several outputs", several_outputs(), build_nano, file));
    dumps.push_back(sound_dump("v1 several outputs", several_outputs(), build_v1, file));
    dumps.push_back(sound_dump("two entries", two_entries, build_v2, file));
    dumps.push_back(sound_dump("an entry without an overflow, then one with", second_overflows, build_v2, file));

    const SoundDump first = sound_dump("", aiv, build_v2, ""), of_version_1 = sound_dump("", aiv, build_v1, "");
    const SoundDump second = sound_dump("", later, build_v2, "");
    dumps.push_back(joined("two dumps in one file", {first, second}, file));
    dumps.push_back(joined("a dump, another and a copy", {first, second, first}, ""));
    dumps.push_back(joined(
        "v1, another, v2 and nano in one file",
        {of_version_1, sound_dump("", later, build_v1, ""), second, sound_dump("", later, build_nano, "")}, file));
    dumps.push_back(
        joined("three dumps with other bytes between them", {first, second, of_version_1}, file, Buffer(5, 0xFF)));
    return dumps;
}

}  // namespace opdebug::damage

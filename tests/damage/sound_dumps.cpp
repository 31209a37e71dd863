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

void add_containers(std::vector<SoundDump>& dumps, const std::string& file) {
    for (const NamedPayload& payload : payloads()) {
        DumpFile dump = overflow_dump(payload.bytes);
        dumps.push_back({"v2 " + payload.name, build_v2(dump), file});
        dump.version = "1.0";
        dumps.push_back({"v1 " + payload.name, build_v1(dump), file});
        dumps.push_back({"nano " + payload.name, build_nano(dump), file});
    }
}

}  // namespace

std::vector<SoundDump> sound_dumps() {
    const std::string file = fmt::format("Opdebug.Node_OpDebug.59.2.{}", kTime);
    const Buffer legacy = build_payload(all_units());
    const Buffer aiv = accelerator({counting_entry(AccType::aiv, 0x500)}, 0);
    std::vector<SoundDump> dumps;
    add_containers(dumps, file);
    dumps.push_back({"v2 of 2020", build_v2(overflow_dump(legacy, Era::y2020)), file});
    dumps.push_back({"v2 of 2021", build_v2(overflow_dump(legacy, Era::y2021)), ""});
    dumps.push_back({"v2 padded",
                     build_overflow_dump(AcceleratorPayload{0x5A5A5A5A, 1, {counting_entry(AccType::aiv, 1, 1)}, true}),
                     file});
    dumps.push_back({"v2 without a name", build_v2(overflow_dump(aiv)), ""});
    dumps.push_back({"v1 without a name", build_v1(overflow_dump(aiv)), ""});
    dumps.push_back({"nano without a name", build_nano(overflow_dump(aiv)), ""});
    dumps.push_back({"FFTS+", build_v2(overflow_dump(accelerator({counting_entry(AccType::aic, 0x90, 1)}, 1))),
                     fmt::format("Opdebug.Node_OpDebug.0.3.{}.4.1.0.0", kTime)});
    dumps.push_back({"v2 several outputs", build_v2(several_outputs()), file});
    dumps.push_back({"nano several outputs", build_nano(several_outputs()), file});
    dumps.push_back({"v1 several outputs", build_v1(several_outputs()), file});
    dumps.push_back(
        {"two entries",
         build_v2(overflow_dump(accelerator({core_entry(AccType::aic, 7, 0x20), core_entry(AccType::aiv, 8, 1)}, 0))),
         file});
    dumps.push_back(
        {"an entry without an overflow, then one with",
         build_v2(overflow_dump(accelerator({core_entry(AccType::aic, 7, 0), core_entry(AccType::aiv, 8, 1)}, 0))),
         file});
    DumpFile second = overflow_dump(accelerator({counting_entry(AccType::sdma, 0x3300)}, 0));
    second.dump_time = kTime + 5;
    Buffer two = build_v2(overflow_dump(aiv));
    append(two, build_v2(second));
    dumps.push_back({"two dumps in one file", two, file});
    append(two, build_v2(overflow_dump(aiv)));
    dumps.push_back({"a dump, another and a copy", two, ""});
    Buffer of_version_1 = build_v1(overflow_dump(aiv));
    append(of_version_1, build_v1(second));
    append(of_version_1, build_v2(second));
    append(of_version_1, build_nano(second));
    dumps.push_back({"v1, another, v2 and nano in one file", of_version_1, file});
    Buffer apart = build_v2(overflow_dump(aiv));
    append(apart, Buffer(5, 0xFF));
    append(apart, build_v2(second));
    append(apart, Buffer(3, 0));
    append(apart, build_v1(overflow_dump(aiv)));
    dumps.push_back({"three dumps with other bytes between them", apart, file});
    return dumps;
}

}  // namespace opdebug::damage

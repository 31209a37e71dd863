#include "dumps.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "op_dump_builder.hpp"
#include "temporary_directory.hpp"

namespace opdebug::bench {
namespace {

using namespace test;

/// Causes that overflows have: most are of the AI Core (docs/reference/status.md).
constexpr std::uint64_t kAiCoreStatus[] = {0x20, 0x20, 0x20, 0x100, 0x8, 0x10, 0x80, 0x120, 0x400};
constexpr std::uint64_t kDhaStatus[] = {0x900, 0x9F2, 0xA00};
constexpr std::uint64_t kL2Status[] = {0x10000, 0x30000};

template <std::size_t count>
std::uint64_t one_of(const std::uint64_t (&values)[count], std::uint64_t number) {
    return values[number % count];
}

bool has_accelerator_entries(const Overflow& overflow) {
    return overflow.number % 5 == 4;
}

LegacyPayload legacy_payload(const Overflow& overflow) {
    LegacyUnit unit;
    unit.model_id = overflow.of_model ? kModelId : 65535;
    unit.stream_id = overflow.stream;
    unit.task_id = overflow.task;
    unit.pc_start = 0x1008005b0000 + overflow.number % 100 * 0x2000;
    unit.para_base = 0x100800297000;
    LegacyPayload payload;
    payload.kernel_code = unit.pc_start - 0x2000;
    payload.block_idx = overflow.number % 32;
    if (overflow.number % 16 == 7) {
        unit.status = one_of(kDhaStatus, overflow.number);
        payload.dha = unit;
    } else if (overflow.number % 16 == 11) {
        unit.status = one_of(kL2Status, overflow.number);
        payload.l2 = unit;
    } else {
        unit.status = overflow.number % 40 == 13 ? 0 : one_of(kAiCoreStatus, overflow.number);
        payload.ai_core = unit;
    }
    return payload;
}

/// One to three cores report the same task.
AcceleratorPayload accelerator_payload(const Overflow& overflow) {
    AcceleratorPayload payload;
    for (std::uint64_t core = 0; core <= overflow.number % 3; ++core) {
        AcceleratorEntry entry = core_entry(core == 0 ? AccType::aic : AccType::aiv, overflow.task,
                                            one_of(kAiCoreStatus, overflow.number), core, overflow.number % 32);
        entry.data[0] = overflow.of_model ? kModelId : 65535;
        entry.data[1] = overflow.stream;
        payload.entries.push_back(entry);
    }
    return payload;
}

/// float16 values around 1, the same for the same number.
Tensor half_values(std::uint64_t number, bool with_inf) {
    constexpr std::size_t count = 256;
    Buffer data(count * 2);
    for (std::size_t i = 0; i < count; ++i) {
        data[2 * i] = static_cast<std::uint8_t>(number + i * 7);
        data[2 * i + 1] = 0x3C;
    }
    if (with_inf) {
        data[100] = 0;
        data[101] = 0x7C;
    }
    return tensor_of(float16_type, {4, count / 4}, std::move(data));
}

}  // namespace

Buffer overflow_dump_bytes(const Overflow& overflow) {
    DumpFile dump = overflow_dump(has_accelerator_entries(overflow) ? build_payload(accelerator_payload(overflow))
                                                                    : build_payload(legacy_payload(overflow)));
    dump.dump_time = overflow.time_us;
    return build_v2(dump);
}

std::string overflow_dump_name(const Overflow& overflow) {
    return fmt::format("Opdebug.Node_OpDebug.{}.{}.{}", overflow.task, overflow.stream, overflow.time_us);
}

Buffer op_dump_bytes(const Overflow& overflow) {
    DumpFile dump = op_dump({half_values(overflow.number, false), half_values(overflow.number + 1, false)},
                            {half_values(overflow.number + 2, true)});
    dump.op_name = overflow.of.name;
    return build_v2(dump);
}

std::string op_dump_name(const Overflow& overflow) {
    std::string name = overflow.of.name;
    std::replace(name.begin(), name.end(), '/', '_');
    return fmt::format("{}.{}.{}.{}.{}", overflow.of.type, name, overflow.task, overflow.stream,
                       overflow.time_us - 300);
}

void write_tree(const std::filesystem::path& root, std::uint64_t count, bool with_op_dumps) {
    for (std::uint64_t number = 0; number < count; ++number) {
        const Overflow made = overflow(number);
        const std::filesystem::path folder = root / folder_of(made);
        write_file(folder / overflow_dump_name(made), overflow_dump_bytes(made));
        if (with_op_dumps) {
            write_file(folder / op_dump_name(made), op_dump_bytes(made));
        }
    }
}

void write_flat_folder(const std::filesystem::path& folder, std::uint64_t count) {
    for (std::uint64_t number = 0; number < count; ++number) {
        const Overflow made = overflow(number);
        write_file(folder / overflow_dump_name(made), overflow_dump_bytes(made));
    }
}

}  // namespace opdebug::bench

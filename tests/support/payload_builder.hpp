// Builds the payload of an OpDebug dump: the 2048-byte legacy form and the accelerator form
// (docs/internals/formats.md).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "wire.hpp"

namespace opdebug::test {

/// The six info fields and the status of one legacy unit.
struct LegacyUnit {
    std::uint64_t model_id = 0;
    std::uint64_t stream_id = 0;
    std::uint64_t task_id = 0;
    std::uint64_t task_type = 0;
    std::uint64_t pc_start = 0;
    std::uint64_t para_base = 0;
    std::uint64_t status = 0;
};

struct LegacyPayload {
    LegacyUnit dha;
    LegacyUnit l2;
    LegacyUnit ai_core;
    std::uint64_t kernel_code = 0;
    std::uint64_t block_idx = 0;
    std::uint8_t unused = 0;  ///< fills every byte that no field uses
};

Buffer build_payload(const LegacyPayload& payload);

/// A legacy payload as the guides show one: an AI Core record (model 514, stream 563, task 57) with this status.
LegacyPayload ai_core_example(std::uint64_t status = 32);

enum class AccType : std::uint32_t { aic = 0, aiv = 1, aicpu = 2, sdma = 3 };

struct AcceleratorEntry {
    std::uint32_t valid = 1;
    std::uint32_t acc_type = 1;
    std::uint32_t rsv = 0;
    std::optional<std::uint32_t> data_len;  ///< absent: the true length of data
    std::vector<std::uint64_t> data;        ///< the fields in layout order, status last
};

struct AcceleratorPayload {
    std::uint32_t magic = 0x5A5A5A5A;
    std::uint32_t version = 0;
    std::vector<AcceleratorEntry> entries;
    bool padded = true;  ///< zeros up to 2048 bytes
};

Buffer build_payload(const AcceleratorPayload& payload);

/// An entry whose fields hold first, first + 1, ... so that each can be distinguished. Version 1 has four status words
/// for AIC and AIV.
AcceleratorEntry counting_entry(AccType type, std::uint64_t first, std::uint32_t version = 0);

/// AIC or AIV, version 0: model 3, stream 21, no context and thread.
AcceleratorEntry core_entry(AccType type, std::uint64_t task, std::uint64_t status, std::uint64_t core = 0,
                            std::uint64_t block = 0);

}  // namespace opdebug::test

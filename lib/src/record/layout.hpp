// The record layouts as tables: one row per field drives decoding, the order of JSON keys, and
// docs/internals/formats.md. Source of every offset: msaccucmp dump_data_parser.py and const_manager.py, msprobe
// AclDumpDataProcessor.cpp, confirmed byte for byte against the official converter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <opdebug/dump.hpp>

namespace opdebug::record {

// ---- legacy: exactly 2048 bytes; info blocks of 128, 128 and 256 bytes, status blocks of 256, 256 and 1024 ----------
constexpr std::size_t kLegacySize = 2048;

/// A u64 field at a fixed byte of the payload.
struct LegacyRow {
    Unit unit;
    Field field;
    std::uint16_t offset;
};
constexpr std::size_t kMostLegacyFields = 8;  ///< fields of one unit
constexpr std::array<LegacyRow, 20> kLegacyRows{{
    {Unit::dha_atomic, Field::model_id, 0},    {Unit::dha_atomic, Field::stream_id, 8},
    {Unit::dha_atomic, Field::task_id, 16},    {Unit::dha_atomic, Field::task_type, 24},
    {Unit::dha_atomic, Field::pc_start, 32},   {Unit::dha_atomic, Field::para_base, 40},
    {Unit::l2_atomic, Field::model_id, 128},   {Unit::l2_atomic, Field::stream_id, 136},
    {Unit::l2_atomic, Field::task_id, 144},    {Unit::l2_atomic, Field::task_type, 152},
    {Unit::l2_atomic, Field::pc_start, 160},   {Unit::l2_atomic, Field::para_base, 168},
    {Unit::ai_core, Field::model_id, 256},     {Unit::ai_core, Field::stream_id, 264},
    {Unit::ai_core, Field::task_id, 272},      {Unit::ai_core, Field::task_type, 280},
    {Unit::ai_core, Field::pc_start, 288},     {Unit::ai_core, Field::para_base, 296},
    {Unit::ai_core, Field::kernel_code, 1024}, {Unit::ai_core, Field::block_idx, 1032},
}};

/// The units in the order of the converter's JSON, with the location of their status (u64).
struct LegacyUnit {
    Unit unit;
    std::uint16_t status_offset;
};
constexpr std::array<LegacyUnit, 3> kLegacyUnits{
    {{Unit::dha_atomic, 512}, {Unit::l2_atomic, 768}, {Unit::ai_core, 1040}}};

/// Bytes that no public parser uses; their meaning is unknown. Byte 1048 is the fourth word of the core's record,
/// reserved.
struct ByteRange {
    std::uint16_t begin;
    std::uint16_t end;
};
constexpr std::array<ByteRange, 6> kLegacyUnused{
    {{48, 128}, {176, 256}, {304, 512}, {520, 768}, {776, 1024}, {1048, 2048}}};

// ---- accelerator: u32 magic, u32 version, then entries of {u32 valid, acc_type, rsv, data_len; u64 data[]} ----------
constexpr std::uint32_t kAcceleratorMagic = 0x5A5A5A5A;
constexpr std::size_t kAcceleratorFileHeader = 8;    ///< magic and version
constexpr std::size_t kAcceleratorEntryHeader = 16;  ///< valid, acc_type, rsv, data_len
constexpr std::size_t kMostAcceleratorFields = 10;

/// The u64 fields of one acc_type, in order. The status word or words are after them.
struct AcceleratorLayout {
    std::uint32_t acc_type;
    Unit unit;
    std::size_t field_count;
    std::array<Field, kMostAcceleratorFields> fields;
    std::size_t status_words_of_version_1;
};
constexpr std::array<AcceleratorLayout, 4> kAcceleratorLayouts{{
    {0,
     Unit::aic,
     10,
     {Field::model_id, Field::stream_id, Field::task_id, Field::task_type, Field::context_id, Field::thread_id,
      Field::pc_start, Field::para_base, Field::core_id, Field::block_id},
     4},
    {1,
     Unit::aiv,
     10,
     {Field::model_id, Field::stream_id, Field::task_id, Field::task_type, Field::context_id, Field::thread_id,
      Field::pc_start, Field::para_base, Field::core_id, Field::block_id},
     4},
    {2,
     Unit::aicpu,
     7,
     {Field::model_id, Field::stream_id, Field::task_id, Field::task_type, Field::context_id, Field::cpu_id,
      Field::thread_id},
     1},
    {3,
     Unit::sdma,
     9,
     {Field::model_id, Field::stream_id, Field::task_id, Field::task_type, Field::context_id, Field::thread_id,
      Field::src_addr, Field::dst_addr, Field::channel_id},
     1},
}};

/// Version 1 has four status words for AIC and AIV. Other versions are parsed like version 0, as in the converter.
constexpr std::size_t status_words(const AcceleratorLayout& layout, std::uint32_t version) noexcept {
    return version == 1 ? layout.status_words_of_version_1 : 1;
}

constexpr std::size_t data_length(const AcceleratorLayout& layout, std::uint32_t version) noexcept {
    return 8 * (layout.field_count + status_words(layout, version));
}

/// The layout of an acc_type; null if no document contains it.
constexpr const AcceleratorLayout* layout_of(std::uint32_t acc_type) noexcept {
    return acc_type < kAcceleratorLayouts.size() ? &kAcceleratorLayouts[acc_type] : nullptr;
}

}  // namespace opdebug::record

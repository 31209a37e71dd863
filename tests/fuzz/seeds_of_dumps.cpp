// Overflow dumps, dumps of operators, converted ones, and the names of files.
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

#include "dump_builder.hpp"
#include "official_text.hpp"
#include "op_dump_builder.hpp"
#include "seeds.hpp"

namespace opdebug::fuzz {

using namespace test;

namespace {

constexpr AccType kAccTypes[] = {AccType::aic, AccType::aiv, AccType::aicpu, AccType::sdma};
constexpr const char* kAccNames[] = {"aic", "aiv", "aicpu", "sdma"};

LegacyPayload all_units() {
    LegacyPayload payload = ai_core_example(0x1FF);
    payload.dha = {1, 2, 3, 0, 0x10, 0x20, 0x8700};
    payload.l2 = {4, 5, 6, 0, 0x30, 0x40, 0x1F0000};
    payload.unused = 0xAB;
    return payload;
}

AcceleratorPayload entries(std::vector<AcceleratorEntry> list, std::uint32_t version = 0) {
    AcceleratorPayload payload;
    payload.version = version;
    payload.entries = std::move(list);
    return payload;
}

/// One line, keys sorted, as MindSpore and msprobe write it.
std::string sorted_line(const std::string& official) {
    return nlohmann::json::parse(official).dump();
}

}  // namespace

void write_records(const Seeds& seeds) {
    seeds.add("legacy", build_payload(ai_core_example(32)));
    seeds.add("legacy_all_units", build_payload(all_units()));
    seeds.add("legacy_cut", cut(build_payload(all_units()), 1100));
    for (std::size_t i = 0; i < 4; ++i) {
        for (const std::uint32_t version : {0U, 1U, 2U}) {
            AcceleratorPayload payload = entries({counting_entry(kAccTypes[i], 1, version == 1 ? 1 : 0)}, version);
            payload.padded = false;
            seeds.add(fmt::format("{}_version_{}", kAccNames[i], version), build_payload(payload));
        }
    }
    seeds.add("two_entries",
              build_payload(entries({core_entry(AccType::aic, 7, 0x20), core_entry(AccType::aiv, 8, 1)})));
    AcceleratorEntry not_valid = core_entry(AccType::aiv, 7, 0x20);
    not_valid.valid = 0;
    not_valid.rsv = 5;
    seeds.add("entry_not_valid", build_payload(entries({not_valid})));
    AcceleratorPayload damaged = entries({core_entry(AccType::aiv, 7, 0x20)});
    damaged.magic = 0x5A5A5A00;
    seeds.add("magic_damaged", build_payload(damaged));
}

void write_containers(const Seeds& seeds) {
    const LegacyPayload legacy = ai_core_example(32);
    const AcceleratorPayload aiv = entries({core_entry(AccType::aiv, 7, 0x20)});
    for (const auto& [name, era] : {std::pair("2020", Era::y2020), {"2021", Era::y2021}, {"now", Era::now}}) {
        seeds.add(fmt::format("v2_legacy_{}", name), build_overflow_dump(legacy, era));
        seeds.add(fmt::format("v2_accelerator_{}", name), build_overflow_dump(aiv, era));
    }
    const DumpFile dump = overflow_dump(build_payload(legacy));
    seeds.add("v1", build_v1(dump));
    seeds.add("nano", build_nano(overflow_dump(build_payload(aiv))));
    seeds.add("v2_cut", cut(build_v2(dump), 700));
    DumpFile further = dump;
    further.dump_time += 5;
    Buffer appended = build_v2(dump);
    append(appended, build_v2(further));
    append(appended, build_v2(dump));
    append(appended, bytes_of("what is left"));
    seeds.add("v2_appended", appended);
    Buffer behind_cut = cut(build_v2(dump), 1500);
    append(behind_cut, build_v2(further));
    append(behind_cut, Buffer(3));
    append(behind_cut, build_nano(further));
    append(behind_cut, cut(build_v2(dump), 2070));
    seeds.add("v2_cut_and_appended", behind_cut);
    Buffer of_version_1 = build_v1(dump);
    append(of_version_1, build_v1(further));
    append(of_version_1, cut(build_v1(dump), 900));
    seeds.add("v1_appended", of_version_1);
    DumpFile beyond = dump;
    beyond.outputs.front().size = std::uint64_t{1} << 40U;
    beyond.op_name = "Node_\xFF";
    seeds.add("v2_size_beyond_file", build_v2(beyond));
    DumpFile two = dump;
    two.outputs.push_back(overflow_dump(build_payload(aiv)).outputs.front());
    seeds.add("v2_two_outputs", build_v2(two));
    two.buffers = {{Buffer(5, 1), {}, 0}};
    two.spaces = {{Buffer(3, 2), {}, 1}};
    two.inputs = {tensor(Buffer(4, 7))};
    seeds.add("v2_inputs_buffers_spaces", build_v2(two));
    DumpFile huge = dump;
    huge.outputs.front().size = ~std::uint64_t{0};
    seeds.add("v2_size_overflow", build_v2(huge));
}

void write_op_dumps(const Seeds& seeds) {
    const Buffer values{0x00, 0x00, 0x80, 0x7F, 0x00, 0x00, 0xC0, 0x7F, 0xFF, 0xFF, 0x7F,
                        0x7F, 0x01, 0x00, 0x00, 0x80, 0x00, 0x00, 0x80, 0xFF, 0x12, 0x34};
    for (const NamedType& type : types_with_numbers()) {
        seeds.add(fmt::format("type_{}_{}", type.number, type.dtype),
                  build_v2(op_dump({}, {tensor_of(type.number, {2}, values)})));
    }
    const DumpFile several = op_dump({tensor_of(float16_type, {2, 3}, halves({1, 2, 3, 0x7C00, 0x7E00, 0xFBFF})),
                                      tensor_of(string_type, {}, bytes_of("text"))},
                                     {tensor_of(float32_type, {1, 5}, values), tensor_of(99, {}, Buffer(3))});
    seeds.add("v2_several", build_v2(several));
    seeds.add("v2_several_cut", cut(build_v2(several), 9));
    seeds.add("v1_several", build_v1(several));
    seeds.add("nano_several", build_nano(several));
    DumpFile skipped = several;
    skipped.inputs[0].address = 0x1000;
    skipped.inputs[1].data.clear();
    skipped.outputs[0].address = 0x2000;
    seeds.add("v2_skipped", build_v2(skipped));
    DumpFile large_shape = op_dump({}, {tensor_of(bool_type, {1ULL << 32U, 1ULL << 32U}, values)});
    large_shape.outputs[0].packed_dims = false;
    seeds.add("v2_large_shape", build_v2(large_shape));
}

void write_converted(const Seeds& seeds) {
    const std::string legacy = official_ai_core_text(32), aiv = official_aiv_text();
    seeds.add("official_legacy", legacy);
    seeds.add("official_aiv", aiv);
    seeds.add("sorted_legacy", sorted_line(legacy));
    seeds.add("sorted_aiv", sorted_line(aiv));
    nlohmann::json renamed = nlohmann::json::parse(legacy);
    renamed["AI Core"]["block_id"] = renamed["AI Core"]["block_idx"];
    renamed["AI Core"].erase("block_idx");
    renamed.erase("L2 Atomic Add");
    seeds.add("block_id_and_missing_unit", renamed.dump());
    for (const AccType type : kAccTypes) {
        const std::size_t index = static_cast<std::size_t>(type);
        const auto dump = decode(Bytes(build_overflow_dump(entries({counting_entry(type, 1)}))));
        seeds.add(fmt::format("converted_{}", kAccNames[index]), dump_to_converter_json(*dump)->front().json);
    }
}

void write_names(const Seeds& seeds) {
    seeds.add("overflow_now", "run/20260304100000/0/bert_train/3/12/Opdebug.Node_OpDebug.118.21.1791769287318452");
    seeds.add("overflow_2020", "Opdebug.Node_OpDebug.59.1597922031178434");
    seeds.add("other_spelling", "rank_3/debug_files/0/OpDebug.Node_Opdebug.7.5.1772618405000001");
    seeds.add("adump_host", "Add.net_add.1.118.21.1791769287318452");
    seeds.add("ffts", "Mul.net_mul.1.2.3.1791769287318452.4.65535.4294967295.0");
    seeds.add("ffts_literal", "Mul.net_mul.9.1.2.1791769287318452.FFTSPLUS.4.5.6");
    seeds.add("converted", "a/Opdebug.Node_OpDebug.59.1597922031178434.output.0.json");
    seeds.add("rotated_log", "debug/plog/plog-4711_20260304100000000.log.3.gz");
    seeds.add("dated_log", "device-0/device-4711_20260304100000000.log-20260304");
    seeds.add("controls", "\x1b[31m\xff\xc2\x9b\xe2\x80\xae/Opdebug.Node_OpDebug.1.2.3");
    seeds.add("long_number", "Opdebug.Node_OpDebug.18446744073709551616.1.18446744073709551615");
}

void write_mappings(const Seeds& seeds) {
    seeds.add("two_lines", "12345,Add.net_add.1.118.21.1791769287318452\n12345,another\n7,Mul.x.1.2.3\n");
    seeds.add("spreadsheet",
              "\xef\xbb\xbf\"12345\",\"Add.net_add.1.118.21.1791769287318452\"\r\n \"7\" , \"Mul.a\"\"b.1.2.3\"\r\n");
    seeds.add("result_and_cut",
              "0123456789abcdef0123456789abcdef.npy,Add.long.output.0.npy\n7,Mul.x.1.2.1791769287318");
    seeds.add("line_ends", "1,a\r\n2,b,c\n\n,d\n3,\nno line");
}

}  // namespace opdebug::fuzz

// Writes the seeds: small inputs of every kind that the fuzz targets begin with. opdebug_fuzz_seeds FOLDER writes
// FOLDER/<subject>/<name>; tests/fuzz/run.sh seeds writes them to testdata/fuzz.
#define DOCTEST_CONFIG_IMPLEMENT  // the builders use its checks
#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

#include "api_dump_builder.hpp"
#include "build_paths.hpp"
#include "dump_builder.hpp"
#include "log_builder.hpp"
#include "logs/formats.hpp"
#include "made_up_map.hpp"
#include "map_in_clear.hpp"
#include "official_text.hpp"
#include "op_dump_builder.hpp"
#include "packed_text.hpp"
#include "temporary_directory.hpp"
#include "trace_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// The folder of one subject.
class Seeds {
public:
    Seeds(const std::filesystem::path& folder, const char* subject) : folder_(folder / subject) {}
    void add(const std::string& name, const Buffer& bytes) const { write_file(folder_ / name, bytes); }
    void add(const std::string& name, std::string_view text) const { write_file(folder_ / name, text); }

private:
    std::filesystem::path folder_;
};

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

/// One line, keys sorted, as MindSpore and msprobe write it.
std::string sorted_line(const std::string& official) {
    return nlohmann::json::parse(official).dump();
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

/// A call of each kind that msprobe knows.
MadeDump calls_of_all_kinds() {
    MadeDump dump;
    const MadeValue nested =
        made_list({made_tensor("NaN", "NaN"), made_dict({{"mask", made_tensor("0.0", "-Infinity")}})});
    const MadeValue group = made_group({0, 1}, "77849d8c"), sent = made_point_to_point("isend", 1, made_tensor());
    dump.calls = {
        {"Torch.cat.0.forward", {nested}, {{"dim", made_scalar("int", "1")}}, {}, {made_tensor()}, 1, false},
        {"Module.fc.Linear.forward.0", {made_tensor()}, {}, {{"weight", made_tensor()}}, {made_tensor()}, {}, true},
        {"Distributed.all_reduce.0.forward", {made_tensor()}, {{"group", group}}, {}, {made_tensor()}, {}, false},
        {"Distributed.batch_isend_irecv.0.forward", {made_list({sent})}, {}, {}, {}, {}, false},
        {"Functional.linear.0.backward", {made_tensor()}, {}, {}, {made_tensor("65504.0")}, {}, false},
        {"Module.fc.Linear.parameters_grad.0", {}, {}, {{"weight", made_tensor()}}, {}, {}, false}};
    return dump;
}

void write_api_dumps(const Seeds& seeds) {
    const MadeDump dump = calls_of_all_kinds();
    const std::string whole = dump_json(dump, MsprobeVersion::june_2025, 0);
    seeds.add("msprobe_2024", dump_json(dump, MsprobeVersion::may_2024, 0));
    seeds.add("msprobe_2025", whole);
    seeds.add("msprobe_cut", whole.substr(0, whole.size() / 2));
    seeds.add("msprobe_deep", R"({"task":"x","data":{"A.a.0.forward":{"input":)" + std::string(600, '['));
    seeds.add("ptdbg_6", ptdbg_text(language_model_step(2, 1).calls, {6, false, {{"a.py", "7"}}}));
    seeds.add("ptdbg_overflow", ptdbg_text(language_model_step(3, 1).calls, {3, true, {{"a.py", "7"}}}));
    seeds.add("ptdbg_2022", "[\"Tensor_add_1_forward_output\", [1.5, NaN], \"torch.float32\", [2]]\n\n[\"Tensor");
    seeds.add("pickle", std::string_view("\x80\x04\x95"));
    seeds.add("statistic",
              "Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data Type,Shape,Max Value,Min Value,Nan Count\n"
              "Add,net/Add,1,2,3,input,0,float16,\"(1,3)\",nan,-inf,4,\nAdd,net/Add,1,2,3,output,0,");
    seeds.add("operator_statistic",
              "Input/Output,Index,Data Type,Shape,Max Value\nInput,0,DT_FLOAT16,4x50,NA\nOutput,1,,,\n");
}

/// Two linears and the backward of the second, on stream 3.
MadeTrace small_trace() {
    const char* const kernel = "aclnnAddmm_MatMulCommon_MatMulV2";
    MadeTrace trace;
    trace.step(0, 0, 1000);
    trace.operation("aten::linear", 100, 50);
    trace.launch(3, 0, kernel, 500, 115);
    trace.operation("aten::linear", 300, 50);
    trace.operation("aten::addmm", 310, 30, 1, 12);
    trace.launch(3, 1, kernel, 540, 315);
    trace.operation("AddmmBackward0", 605, 90, 2, 12);
    trace.launch(3, 2, "aclnnMm_MatMulCommon_MatMulV2", 800, 615, 2);
    trace.flow("fwdbwd", "1", 310, 1, 605, 4242, 2);
    trace.operation("aten::add_", 900, 10);
    trace.launch(3, 3, "aclnnInplaceAdd_AddAiCore_Add", 950, 905);
    return trace;
}

void write_traces(const Seeds& seeds) {
    const std::string whole = small_trace().text();
    seeds.add("list", whole);
    seeds.add("object", small_trace().in_object());
    seeds.add("cut", whole.substr(0, whole.size() / 2));
    seeds.add("packed", gzip_of(whole));
    MadeTrace again = small_trace();
    again.operation("aten::linear", 960, 5);
    again.launch(3, 1, "aclnnAddmm_MatMulCommon_MatMulV2", 990, 962);
    seeds.add("task_launched_twice", again.text());
    seeds.add("deep", R"([{"ph": "X", "args": )" + std::string(600, '['));
}

LogText training_log() {
    LogText log;
    log.at(0).set_up_stream(7).at(10).bind(36, 7, "tiny");
    log.at(20).save_dump_task("net/mul_1", 7, 57).at(21).launch(9, 0, "0_1_net/add_2").at(22).sent(9, 12);
    log.at(23).save_dump_context("net/conv_3", 8, 3, 1, 2).launch_2023(9, 13, "te_add_1").launch_2021(9, 14, "k");
    log.at(30).kernel_trace("net/sub_4", 8, 4).at(40).unbind(36, 7, "tiny").at(50).free_stream(7);
    return log;
}

/// The samples of every built-in format: one input for each catalogue mark, and one log for each file of formats.
void write_logs(const Seeds& lines, const Seeds& texts) {
    std::map<std::string, std::string> of_mark, of_file;
    for (const logs::FormatDefinition* format : logs::built_in_log_formats()->definitions()) {
        for (const std::string& sample : format->samples) {
            of_mark[format->catalogue] += sample + "\n";
        }
        if (!format->samples.empty()) {
            of_file[std::filesystem::path(format->file).stem()] += format->samples.front() + "\n";
        }
    }
    for (const auto& [mark, samples] : of_mark) {
        lines.add("samples_" + mark, samples);
    }
    for (const auto& [file, samples] : of_file) {
        texts.add("first_samples_" + file, samples);
    }
    texts.add("training_run", training_log().text());
}

/// Of each kind a first line and others, which a saved map tells as differences to it: in numbers and times, in a name
/// that the fact has anyway, as a whole or but for its begin, in one that is missing, and in one of several words.
LogText lines_alike() {
    LogText log;
    int task = 20;
    for (const char* kernel : {"te_matmul_0", "aclnnAddmm_1", "te_matmul_2"}) {
        log.at(task).launch(9, 0, kernel).sent(9, task);
        ++task;
    }
    log.at(40).bind(36, 7, "tiny").bind(37, 7).bind(38, 7, "tiny (2), of two");
    log.at(50).save_dump_task("layer_1/mul", 7, 57).save_dump_task("layer_21/add_norm", 7, 1058);
    return log;
}

void write_maps(const Seeds& seeds) {
    using logs::FactKind;
    using logs::LogKind;
    const auto trained = task_map_of({training_log().text(), LogText(5101).at(5).set_up_stream(1).text()});
    const auto made_up = map_of({MadeUpFact(FactKind::operator_of_task, 5, "f", LogKind::ge_log).task(1, 2)},
                                {MadeUpFact(FactKind::kernel_of_task, 6, "g", LogKind::device_log).task(1, 2)});
    const auto alike = task_map_of(lines_alike());
    const auto empty = task_map_of({std::string()});
    for (const auto& [name, map] :
         {std::pair("training_run", trained), {"lines_alike", alike}, {"host_and_device", made_up}, {"empty", empty}}) {
        seeds.add(std::string(name), *save_task_map(*map));
        seeds.add(std::string(name) + "_in_clear", fuzz::map_in_clear(map->contents()));
    }
}

/// The files of a folder of lib/data or testdata as they are.
void copy_files(const Seeds& seeds, const std::string& folder) {
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(source_folder) / folder)) {
        if (entry.path().extension() == ".json") {
            seeds.add(entry.path().stem().string(), read_file(entry.path()));
        }
    }
}

/// Patterns that ask much of a regular-expression library, each in the place of the example's.
constexpr const char* kPatterns[] = {
    R"((a{1000}){0,1000})",
    R"(((((\S{0,100}){0,100}){0,100}){0,100}){0,100})",
    R"((?:(?R))?)",
    R"((?R))",
    R"((|(?1))*)",
    R"(((\S*)*\S+)*!?)",
    R"((?<=(a|bb))?)",
    R"(\g{-5})",
    R"((?(DEFINE)(?<x>a))(?&x)?)",
    R"((?(R)a|b)?(?(1)a|b)?)",
    R"((*COMMIT)(*ACCEPT))",
    R"((?|(a)|(b))?)",
    R"([[.ae.][=a=][:alpha:]\x{110000}]*)",
    R"(\S{0,4294967295})",
    R"(\S{99999999999999999999,})",
    R"((?>\S*+))",
};

void write_patterns(const Seeds& seeds) {
    const std::filesystem::path example =
        std::filesystem::path(source_folder) / "testdata/log-formats-example/my-launch.json";
    nlohmann::ordered_json file = nlohmann::ordered_json::parse(read_file(example));
    nlohmann::ordered_json& pattern = file["formats"][0]["pattern"];
    const std::string usual = pattern.get<std::string>();
    for (std::size_t i = 0; i < std::size(kPatterns); ++i) {
        pattern = kPatterns[i] + usual;
        seeds.add(fmt::format("pattern_{}", i), file.dump(1));
    }
    pattern = std::string(500, '(') + usual + std::string(500, ')');
    seeds.add("pattern_of_parentheses", file.dump(1));
}

/// A small file of each statement's first format: files of the library's size are slow to load.
void write_log_formats(const Seeds& seeds) {
    copy_files(seeds, "testdata/log-formats-example");
    write_patterns(seeds);
    std::map<std::string, bool> seen;
    const auto formats = list_log_formats();
    for (const LogFormatInfo& format : *formats) {
        if (!seen[format.states]) {
            seen[format.states] = true;
            const bool alone = format.completed_by.empty();  // else what it is completed by must be in the file
            if (alone) {
                seeds.add("states_" + format.states, log_formats_to_json({format}));
            }
        }
    }
}

std::string nested_objects(int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) {
        text += R"({"a":)";
    }
    return text + "1" + std::string(static_cast<std::size_t>(depth), '}');
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        return std::fprintf(stderr, "usage: %s FOLDER\n", arguments[0]), 2;
    }
    const std::filesystem::path folder = arguments[1];
    write_records({folder, "record"});
    write_containers({folder, "container"});
    write_op_dumps({folder, "op_dump"});
    write_converted({folder, "converted_json"});
    write_names({folder, "file_name"});
    write_mappings({folder, "mapping"});
    write_api_dumps({folder, "api_dump"});
    write_traces({folder, "api_trace"});
    write_logs({folder, "log_line"}, {folder, "log_text"});
    write_log_formats({folder, "log_format_file"});
    copy_files({folder, "status_catalogue"}, "lib/data/status");
    write_maps({folder, "task_map"});
    for (const char* subject : {"converted_json", "status_catalogue", "log_format_file"}) {
        const Seeds seeds(folder, subject);
        seeds.add("deep_lists", std::string(4000, '['));
        seeds.add("deep_objects", nested_objects(600));
        seeds.add("empty", std::string_view());
    }
    return 0;
}

// `opdebug tensors`: documents, tables and .npy files of operator dumps.
#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>

#include "json_schema.hpp"
#include "tensor_values.hpp"
#include "tool.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

const std::string name = "Add.bert_Add_17.57.563.1597922031178400";

/// The documents follow the schema; the test is skipped where no validator is installed.
void check_valid(const std::string& lines, std::size_t count) {
    if (const auto verdict = schema_verdict("tensors", lines)) {
        CHECK(*verdict == std::to_string(count) + " valid\n");
    }
}

/// What numpy.load reads: magic, version 1.0, a header of text, then the values.
std::string npy_values(const std::string& path) {
    const std::string content = read_file(path);
    REQUIRE(content.size() > 10);
    CHECK(content.substr(0, 8) == std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t header = static_cast<unsigned char>(content[8]) + 256U * static_cast<unsigned char>(content[9]);
    return content.substr(10 + header);
}

}  // namespace

TEST_CASE("tensors: one file gives one document") {
    const TemporaryDirectory directory;
    const std::string path = write_file(directory / name, build_v2(example_op_dump()));
    const ProcessResult run = run_tool({"tensors", path});
    CAPTURE(run.err);
    CHECK(run.exit_status == 0);
    CHECK(run.err.empty());
    const ordered_json document = ordered_json::parse(run.out);
    CHECK(document.at("file") == path);
    CHECK(document.at("op_name") == "bert/Add_17");
    CHECK(contains(run.out, "\"max\": 65504.0,\n"));
    CHECK(contains(run.out, "\"mean\": 8188.0,\n"));
    check_valid(as_line(run.out), 1);
}

TEST_CASE("tensors: a folder stands for the operator dumps below it, one line each, in path order") {
    const TemporaryDirectory directory;
    write_file(directory / ("tree/b/" + name), build_v2(example_op_dump()));
    write_file(directory / "tree/a/deep/Mul.m.1.2.1597922031178400", build_v2(example_op_dump("m")));
    write_file(directory / "tree/a/Opdebug.Node_OpDebug.57.563.1597922031178434",
               build_overflow_dump(ai_core_example(32)));
    write_file(directory / "tree/a/notes.txt", "x");
    const ProcessResult run = run_tool({"tensors", directory / "tree"});
    CHECK(run.exit_status == 0);
    const std::vector<std::string> lines = lines_of(run.out);
    REQUIRE(lines.size() == 2);
    CHECK(ordered_json::parse(lines[0]).at("op_type") == "Mul");
    CHECK(ordered_json::parse(lines[1]).at("op_type") == "Add");
    fs::remove_all(directory / "tree/a");
    CHECK(lines_of(run_tool({"tensors", directory / "tree"}).out).size() == 1);  // still in lines
}

TEST_CASE("tensors: the earliest dump with clean inputs and a bad output is named") {
    const TemporaryDirectory directory;
    const auto write_op = [&](const char* file, std::uint64_t input, std::uint64_t output) {
        DumpFile dump;
        dump.inputs.push_back(tensor_of(float16_type, {1}, {input}, 2));
        dump.outputs.push_back(tensor_of(float16_type, {1}, {output}, 2));
        write_file(directory / file, build_v2(dump));
    };
    constexpr std::uint64_t one = 0x3C00;
    write_op("Add.clean.0.6.5.1732082705017174", one, one);
    write_op("Div.born_later.0.9.5.1732082705019174", one, half_inf);
    write_op("Exp.born.0.7.5.1732082705018174", one, half_inf);
    write_op("Mul.inherited.0.8.5.1732082705018974", half_inf, half_inf);
    const ProcessResult run = run_tool({"tensors", directory.path().string(), "--format", "text"});
    CHECK(run.exit_status == 0);
    CHECK(contains(run.err, "first of the 4 dumps with clean inputs and a bad output: born, " +
                                (directory / "Exp.born.0.7.5.1732082705018174")));
}

TEST_CASE("tensors: an exception dump has its own ids, and a remark") {
    const TemporaryDirectory directory;
    const std::string path =
        write_file(directory / "exception_info.5.6.1.12.20241120060505123", build_v2(example_op_dump()));
    const ordered_json document = ordered_json::parse(run_tool({"tensors", path}).out);
    CHECK(document.at("task_id") == 6);
    CHECK(document.at("stream_id") == 5);
    CHECK(document.at("op_type").is_null());
    CHECK(document.at("timestamp_us") == 1597922031178400);  // of the header
    CHECK(document.at("diagnostics").at(0).at("code") == "exception_dump");
    const std::string remark = document.at("diagnostics").at(0).at("message");
    CHECK(contains(remark, "on core 12 of type 1"));
    CHECK(contains(remark, "2024-11-20 06:05:05.123"));
    CHECK(contains(run_tool({"doctor", directory.path().string(), "--format", "json"}).out, "exception_dumps_only"));
}

TEST_CASE("tensors: a folder of .npy files, as TorchAir and msprobe name them") {
    const TemporaryDirectory directory;
    const std::string source = write_file(directory / ("source/" + name), build_v2(example_op_dump()));
    REQUIRE(run_tool({"tensors", source, "--npy", directory / "npy"}).exit_status == 0);
    const std::string npy = read_file(directory / ("npy/" + name + ".output.0.npy"));
    struct Case {
        const char *file, *op_name, *kind;
        int index;
    };
    for (const Case& one :
         {Case{"add_1-aten.add.Tensor.INPUT.1.20251017071211190258.npy", "add_1-aten.add.Tensor", "input", 1},
          {"sub-aten.sub.Tensor.OUTPUT.0.20251017071211202083.npy", "sub-aten.sub.Tensor", "output", 0},
          {"Mint.add.0.forward.input.0.npy", "Mint.add.0.forward", "input", 0},
          {"array.npy", "array", "output", 0}}) {
        CAPTURE(one.file);
        const TemporaryDirectory folder;
        write_file(folder / one.file, npy);
        const ProcessResult run = run_tool({"tensors", folder.path().string()});
        CHECK(run.exit_status == 0);
        const ordered_json document = ordered_json::parse(run.out);
        CHECK(document.at("op_name") == one.op_name);
        CHECK(document.at("tensors").at(0).at("kind") == one.kind);
        CHECK(document.at("tensors").at(0).at("index") == one.index);
    }
}

TEST_CASE("tensors: damage costs exit status 1 and itself only") {
    const TemporaryDirectory directory;
    const std::string whole = write_file(directory / name, build_v2(example_op_dump()));
    const std::string cut_one =
        write_file(directory / "Mul.m.1.2.1597922031178400", cut(build_v2(example_op_dump("m")), 4));
    const std::string empty = write_file(directory / "Mul.m.1.3.1597922031178400", "");
    const std::string missing = directory / "missing";
    const ProcessResult run = run_tool({"tensors", cut_one, missing, empty, whole});
    CHECK(run.exit_status == 1);
    const std::vector<std::string> lines = lines_of(run.out);
    REQUIRE(lines.size() == 3);
    CHECK(ordered_json::parse(lines[0]).at("tensors").at(0).at("elements") == 6);
    CHECK(ordered_json::parse(lines[1]).at("diagnostics").at(0).at("code") == "empty_file");
    CHECK(ordered_json::parse(lines[2]).at("tensors").at(0).at("max") == 65504.0);
    for (const std::string& path : {cut_one, missing, empty}) {
        CHECK(contains(run.err, path));
    }
    check_valid(run.out, 3);
    CHECK(run_tool({"tensors", "--format", "text", empty}).out.empty());  // the message is enough
}

TEST_CASE("tensors: nothing to do, and an input as result, are exit status 2") {
    const TemporaryDirectory directory;
    write_file(directory / "tree/notes.txt", "x");
    const std::string path = write_file(directory / name, build_v2(example_op_dump()));
    CHECK(run_tool({"tensors", directory / "missing"}).exit_status == 2);
    const ProcessResult nothing = run_tool({"tensors", directory / "tree"});
    CHECK(nothing.exit_status == 2);
    CHECK(contains(nothing.err, "no operator dump"));
    const ProcessResult replaced = run_tool({"tensors", path, "-o", path});
    CHECK(replaced.exit_status == 2);
    CHECK(contains(replaced.err, "is the input "));
    CHECK(read_file(path) == text_of(build_v2(example_op_dump())));
}

TEST_CASE("tensors: an overflow dump is measured, and the way to its record is shown") {
    const TemporaryDirectory directory;
    const std::string path = write_file(directory / "Opdebug.Node_OpDebug.57.563.1597922031178434",
                                        build_overflow_dump(ai_core_example(32)));
    const ProcessResult run = run_tool({"tensors", path});
    CHECK(run.exit_status == 0);
    CHECK(contains(run.out, "opdebug decode"));
    CHECK(contains(run.out, "\"elements\": 2048"));
}

TEST_CASE("tensors: --npy writes each tensor under the official name") {
    const TemporaryDirectory directory;
    DumpFile dump = example_op_dump();
    dump.inputs.push_back(tensor_of(float32_type, {2}, {0x3F800000, 0x40000000}, 4));
    dump.inputs.push_back(tensor_of(string_type, {1}, {65}, 1));
    const std::string path = write_file(directory / name, build_v2(dump));
    const std::string out = directory / "made/when/missing";
    write_file(out + "/" + name + ".input.0.npy", std::string(1000, 'x'));
    const ProcessResult run = run_tool({"tensors", path, "--npy", out});
    CAPTURE(run.err);
    CHECK(run.exit_status == 0);
    CHECK(file_names(out) == std::vector<std::string>{name + ".input.0.npy", name + ".output.0.npy"});
    CHECK(npy_values(out + "/" + name + ".input.0.npy") == std::string("\0\0\x80\x3F\0\0\0\x40", 8));
    CHECK(npy_values(out + "/" + name + ".output.0.npy") == std::string("\xFF\x7B", 2) + std::string(14, '\0'));
}

TEST_CASE("tensors: .npy files of equal names go into the folders in which the dumps differ") {
    const TemporaryDirectory directory;
    write_file(directory / ("tree/rank_0/" + name), build_v2(example_op_dump()));
    write_file(directory / ("tree/rank_1/x/" + name), build_v2(example_op_dump()));
    write_file(directory / "tree/rank_1/x/Mul.m.1.2.1597922031178400", build_v2(example_op_dump("m")));
    const std::string out = directory / "out";
    CHECK(run_tool({"tensors", directory / "tree", "--npy", out}).exit_status == 0);
    CHECK(fs::exists(out + "/rank_0/" + name + ".output.0.npy"));
    CHECK(fs::exists(out + "/rank_1/x/" + name + ".output.0.npy"));
    CHECK(fs::exists(out + "/rank_1/x/Mul.m.1.2.1597922031178400.output.0.npy"));
}

TEST_CASE("tensors: a name that is too long for a file becomes a short one, told in mapping.csv") {
    const TemporaryDirectory directory;
    // 242 letters and ".output.0.npy" make 255, where msaccucmp begins to shorten; one fewer stays.
    const std::string tail = ".57.563.1597922031178400";
    const std::string long_name = "Add." + std::string(242 - 4 - tail.size(), 'n') + tail;
    const std::string short_enough = "Add." + std::string(241 - 4 - tail.size(), 'n') + tail;
    write_file(directory / ("tree/" + long_name), build_v2(example_op_dump()));
    write_file(directory / ("tree/" + short_enough), build_v2(example_op_dump()));
    const std::string out = directory / "out";
    const ProcessResult run = run_tool({"tensors", directory / "tree", "--npy", out});
    CAPTURE(run.err);
    CHECK(run.exit_status == 0);
    // uuid.uuid3(uuid.NAMESPACE_DNS, long_name + ".output.0.npy").hex of Python
    const std::string shortened = "ac73e549276735b7a653771e19a677dc.npy";
    CHECK(file_names(out) == std::vector<std::string>{short_enough + ".output.0.npy", shortened, "mapping.csv"});
    const std::string line = shortened + "," + long_name + ".output.0.npy\n";
    CHECK(read_file(out + "/mapping.csv") == line);

    // Once more, and next to a list whose last line has lost its line break.
    CHECK(run_tool({"tensors", directory / "tree", "--npy", out}).exit_status == 0);
    CHECK(read_file(out + "/mapping.csv") == line);
    write_file(out + "/mapping.csv", "12,another");
    CHECK(run_tool({"tensors", directory / "tree", "--npy", out}).exit_status == 0);
    CHECK(read_file(out + "/mapping.csv") == "12,another\n" + line);

    // Of a list beyond 32 MiB the end is looked at, whatever is where the limit cuts.
    const std::string large = std::string(std::size_t{33} << 20U, 'x') + "\n";
    write_file(out + "/mapping.csv", large);
    CHECK(run_tool({"tensors", directory / "tree", "--npy", out}).exit_status == 0);
    CHECK((read_file(out + "/mapping.csv") == large + line));
}

TEST_CASE("tensors: what belongs to the dumps is neither replaced nor added to") {
    const TemporaryDirectory directory;
    // A dump that is called as a result of the other one.
    const std::string path = write_file(directory / name, build_v2(example_op_dump()));
    const std::string other = write_file(directory / (name + ".output.0.npy"), build_v2(example_op_dump("other")));
    const ProcessResult run = run_tool({"tensors", path, other, "--npy", directory.path().string()});
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, "one of the inputs"));
    CHECK(read_file(other) == text_of(build_v2(example_op_dump("other"))));

    const std::string tail = ".57.563.1597922031178400";
    const std::string long_name = "Add." + std::string(250 - 4 - tail.size(), 'n') + tail;
    const std::string mapped = write_file(directory / ("tree/" + long_name), build_v2(example_op_dump()));
    write_file(directory / "tree/mapping.csv", "1,a.b.1.2.1597922031178400\n");
    const ProcessResult beside = run_tool({"tensors", mapped, "--npy", directory / "tree"});
    CHECK(beside.exit_status == 1);
    CHECK(contains(beside.err, "mapping.csv"));
    CHECK(read_file(directory / "tree/mapping.csv") == "1,a.b.1.2.1597922031178400\n");
}

TEST_CASE("tensors: Ctrl-C ends it without a file") {
    const TemporaryDirectory directory;
    const std::string path = write_endless_op_dump(directory / name);
    ProcessOptions options;
    options.signal_once_caught = SIGINT;
    const ProcessResult run =
        run_tool({"tensors", path, "-o", directory / "result", "--npy", directory / "out"}, options);
    CAPTURE(run.err);
    CHECK(run.exit_status == 130);
    CHECK_FALSE(fs::exists(directory / "result"));
    CHECK_FALSE(fs::exists(directory / "out"));
    CHECK(contains(run.err, "stopped: 0 of 1 operator dump measured"));
}

// `opdebug tensors A --against B`: text and JSON, pairs of files and folders, exit statuses.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "json_schema.hpp"
#include "tensor_values.hpp"
#include "tool.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

/// 3072 float16 numbers; of a suspect the first 2048 are foreign.
Tensor guide_tensor(bool is_suspect) {
    std::vector<std::uint64_t> codes;
    codes.reserve(3072);
    for (std::uint64_t i = 0; i < 3072; ++i) {
        codes.push_back(is_suspect && i < 2048 ? 0xC500 + i % 32 : 0x3C00 + i % 64);
    }
    return tensor_of(float16_type, {3072}, codes, 2);
}

/// A dump with that input and one output.
Buffer guide_dump(const std::string& op_name, bool is_suspect) {
    DumpFile dump = example_op_dump(op_name);
    dump.inputs.push_back(guide_tensor(is_suspect));
    return build_v2(dump);
}

std::vector<ordered_json> documents(const ProcessResult& run) {
    std::vector<ordered_json> all;
    const std::vector<std::string> lines = lines_of(run.out);
    all.reserve(lines.size());
    for (const std::string& line : lines) {
        all.push_back(ordered_json::parse(line));
    }
    return all;
}

/// A .npy file of one uint8.
std::string npy_of_bytes(const std::string& bytes) {
    std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }";
    header.resize(117, ' ');
    return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + bytes;
}

/// Lines joined, and blanks united.
std::string unwrapped(const std::string& text) {
    std::string result;
    for (const char one : text) {
        const char put = one == '\n' ? ' ' : one;
        if (put != ' ' || result.empty() || result.back() != ' ') {
            result += put;
        }
    }
    return result;
}

void check_differences(const std::string& lines, std::size_t count) {
    if (const auto verdict = schema_verdict("tensor-difference", lines)) {
        CHECK(*verdict == std::to_string(count) + " valid\n");
    }
}

const std::string kName = "Add.net_Add.5.7.1791769287318452";
const std::string kLater = "Add.net_Add.9.7.1791769287399999";

}  // namespace

TEST_CASE("tensors --against: the guide's case as text, in both languages") {
    const TemporaryDirectory directory;
    const std::string a = write_file(directory / ("a/" + kName), guide_dump("net/Add", true));
    const std::string b = write_file(directory / ("b/" + kName), guide_dump("net/Sub", false));
    const ProcessResult run = run_tool({"tensors", a, "--against", b, "--slot", "input.0", "--format", "text"});
    CHECK(run.exit_status == 0);
    CHECK(run.out ==
          "Verdict: region overwritten (strong): one region of bytes 0 to 4096 differs. It is aligned to 512\n"
          "  bytes but not to rows. The rest is unchanged\n"
          "An overwrite is likely if B is correct. opdebug cannot check B.\n"
          "A net/Add input 0   float16 (3072,)\n"
          "B net/Sub input 0   float16 (3072,)\n"
          "2048 of 3072 elements differ: 100.00 % of elements 0 to 2047, in 1 contiguous run\n"
          "bytes 0 to 4096; rows: 0 of 1 whole, 0 untouched; NaN only in A: 0, only in B: 0; Inf only in A: 0,\n"
          "  only in B: 0; one-bit differences: 0; median relative difference: 1.2 (>= 64 ulp), largest\n"
          "  absolute difference: 6.18\n"
          "Next: Run again with ASCEND_LAUNCH_BLOCKING=1. If the difference is gone, check the streams. For\n"
          "  operator dumps, run: opdebug next REPORT --for watch\n");
    const std::string chinese =
        run_tool({"tensors", a, "--against", b, "--slot", "input.0", "--format", "text", "--lang", "zh"}).out;
    CHECK(contains(chinese,
                   "结论：区域被覆盖（强）：字节 0 至 4096 为一个区域：按 512 字节对齐，但不是整行，其余未变\n"));
}

TEST_CASE("tensors --against: all tensors of two files as JSON lines") {
    const TemporaryDirectory directory;
    const std::string a = write_file(directory / ("a/" + kName), guide_dump("net/Add", true));
    const std::string b = write_file(directory / ("b/" + kLater), guide_dump("net/Sub", false));
    const ProcessResult run = run_tool({"tensors", a, "--against", b});
    CHECK(run.exit_status == 0);
    check_differences(run.out, 2);
    const std::vector<ordered_json> all = documents(run);
    REQUIRE(all.size() == 2);
    CHECK(all[0]["schema"] == "opdebug.tensor_difference/1");
    CHECK(all[0]["a"]["op_name"] == "net/Add");
    CHECK(all[0]["b"]["op_name"] == "net/Sub");
    CHECK(all[0]["a"]["kind"] == "input");
    CHECK(all[0]["verdict"] == "region_overwritten");
    CHECK(all[0]["overwrite_likely"] == true);
    CHECK(all[0]["differ"] == 2048);
    CHECK(all[0]["alignment"]["size_2048_elements"] == true);
    CHECK(all[1]["verdict"] == "identical");
    CHECK(all[1]["first"].is_null());
}

TEST_CASE("tensors --against: folders pair by operator and order, and name what has no partner") {
    const TemporaryDirectory directory;
    // Watch mode dumps one node several times: the second dump of the suspect differs.
    write_file(directory / ("a/" + kName), guide_dump("net/Add", false));
    write_file(directory / ("a/" + kLater), guide_dump("net/Add", true));
    write_file(directory / ("b/" + kName), guide_dump("net/Add", false));
    write_file(directory / ("b/" + kLater), guide_dump("net/Add", false));
    write_file(directory / "b/Mul.net_Mul.1.7.1791769287318452", build_v2(example_op_dump("net/Mul")));
    const ProcessResult run = run_tool({"tensors", directory / "a", "--against", directory / "b"});
    CHECK(run.exit_status == 1);
    check_differences(run.out, 5);
    const std::vector<ordered_json> all = documents(run);
    REQUIRE(all.size() == 5);
    CHECK(all[0]["verdict"] == "identical");
    CHECK(all[1]["verdict"] == "region_overwritten");
    CHECK(contains(all[1]["a"]["file"].get<std::string>(), kLater));
    CHECK(all[4]["verdict"] == "not_comparable");
    CHECK(all[4]["a"].is_null());
    CHECK(all[4]["b"]["op_name"] == "net/Mul");
    CHECK(all[4]["because"] ==
          "the other side has no such tensor. Folders of ranks, steps and models must have the same names on both "
          "sides");
    const std::string text =
        run_tool({"tensors", directory / "a", "--against", directory / "b", "--format", "text"}).out;
    CHECK(text.find("tensors: 3 equal, 1 different, 0 not comparable, 1 without a partner\n") == 0);
    CHECK(text.find("region overwritten") < text.find("identical"));
}

TEST_CASE("tensors --against: folders pair within their rank only, whatever their time") {
    const TemporaryDirectory directory;
    write_file(directory / ("a/20260101000000/rank1/" + kLater), guide_dump("net/Add", true));
    write_file(directory / ("b/20260202000000/rank0/" + kName), guide_dump("net/Add", true));
    write_file(directory / ("b/20260202000000/rank1/" + kLater), guide_dump("net/Add", false));
    const std::vector<std::string> call{"tensors", directory / "a", "--against", directory / "b", "--slot", "input.0"};
    const ProcessResult run = run_tool(call);
    CHECK(run.exit_status == 1);
    const std::vector<ordered_json> all = documents(run);
    REQUIRE(all.size() == 2);
    CHECK(all[0]["verdict"] == "region_overwritten");
    CHECK(contains(all[0]["b"]["file"].get<std::string>(), "rank1"));
    CHECK(all[1]["a"].is_null());
    CHECK(contains(all[1]["b"]["file"].get<std::string>(), "rank0"));
    // The operators have one name: the files differ.
    std::vector<std::string> text = call;
    text.insert(text.end(), {"--format", "text"});
    const std::string out = unwrapped(run_tool(text).out);
    CHECK(contains(out, "A net/Add input 0 " + (directory / "a/20260101000000/rank1/")));
    CHECK(contains(out, "B net/Add input 0 " + (directory / "b/20260202000000/rank1/")));
}

TEST_CASE("tensors --against: folders of .npy files, and folders without a tensor") {
    const TemporaryDirectory directory;
    for (const char* const side : {"a", "b"}) {
        for (const char* const name : {"/step0/rank0/Functional.add.0.npy", "/step0/rank1/Functional.add.0.npy"}) {
            write_file(directory / (side + std::string(name)),
                       npy_of_bytes(side == std::string("a") ? "\x01" : "\x02"));
        }
    }
    const ProcessResult run = run_tool({"tensors", directory / "a/step0", "--against", directory / "b/step0"});
    CHECK(run.exit_status == 0);
    const std::vector<ordered_json> all = documents(run);
    REQUIRE(all.size() == 2);
    CHECK(contains(all[1]["a"]["file"].get<std::string>(), "rank1"));
    CHECK(contains(all[1]["b"]["file"].get<std::string>(), "rank1"));
    CHECK(all[1]["differ"] == 1);
    write_file(directory / "c/notes.txt", std::string_view("no dump"));
    const ProcessResult empty = run_tool({"tensors", directory / "c", "--against", directory / "c"});
    const ProcessResult no_slot =
        run_tool({"tensors", directory / "a", "--against", directory / "b", "--slot", "output.7"});
    for (const ProcessResult& nothing : {empty, no_slot}) {
        CHECK(nothing.exit_status == 1);
        CHECK(contains(nothing.err, "no tensor was compared"));
    }
}

TEST_CASE("tensors --against: input against output, and exit statuses") {
    const TemporaryDirectory directory;
    const std::string a = write_file(directory / ("a/" + kName), guide_dump("net/Add", true));
    DumpFile producer = example_op_dump("net/Cast");
    producer.outputs[0] = guide_tensor(false);
    const std::string b = write_file(directory / ("b/" + kName), build_v2(producer));
    const std::vector<std::string> call{"tensors", a, "--against", b, "--slot", "input.0,output.0"};
    CHECK(run_tool(call).exit_status == 0);
    std::vector<std::string> failing = call;
    failing.insert(failing.end(), {"--fail-on", "difference"});
    CHECK(run_tool(failing).exit_status == 3);
    CHECK(run_tool({"tensors", b, "--against", b, "--fail-on", "difference"}).exit_status == 0);
    const ProcessResult other =
        run_tool({"tensors", a, "--against", b, "--slot", "output.0", "--fail-on", "difference"});
    CHECK(other.exit_status == 1);
    CHECK(ordered_json::parse(other.out)["because"] == "the shapes differ: (1, 8) and (3072,)");
    const std::string damaged = write_file(directory / "c/Add.net_Add.5.7.1", std::string_view("no dump"));
    const ProcessResult unreadable = run_tool({"tensors", damaged, "--against", b});
    CHECK(unreadable.exit_status == 1);
    CHECK(unreadable.out.empty());
    const std::pair<std::vector<std::string>, const char*> wrong[] = {
        {{"tensors", a, "--against", b}, "--slot output.0"},
        {{"tensors", a, "--against", b, "--slot", "weight"}, "expected input.N or output.N"},
        {{"tensors", a, b, "--against", b}, "exactly one file or folder"},
        {{"tensors", a, "--slot", "input.0"}, "need --against"},
        {{"tensors", a, "--against", b, "--npy", directory / "npy"}, "--npy cannot be used"},
        {{"tensors", a, "--against", directory / "absent"}, "absent: cannot find"}};
    for (const auto& [arguments, message] : wrong) {
        const ProcessResult run = run_tool(arguments);
        CHECK(run.exit_status == 2);
        CHECK(run.out.empty());
        CHECK_MESSAGE(contains(run.err, message), run.err);
    }
}

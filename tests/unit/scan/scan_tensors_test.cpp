// `scan` with tensors: each overflow's verdict, from whole trees of files.
#include <doctest/doctest.h>

#include <atomic>

#include <nlohmann/json.hpp>

#include "dump_tree.hpp"
#include "json_schema.hpp"
#include "overflow_tree.hpp"
#include "scan_items.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

ScanOptions with_tensors(unsigned threads = 1) {
    ScanOptions options;
    options.tensors = true;
    options.threads = threads;
    return options;
}

/// The only dump of a tree that holds this overflow.
ScannedDump scanned(const MadeUpOverflow& overflow, const std::string& op_dump_text = {}) {
    const TemporaryDirectory directory;
    const std::string root = directory.path().string();
    write_overflow(root, overflow);
    if (!op_dump_text.empty()) {
        write_file(op_dump_file(root, overflow), op_dump_text);
    }
    Scanned found = scan_tree({root}, with_tensors());
    REQUIRE(found.dumps.size() == 1);
    return found.dumps.front();
}

/// "verdict: because", or "none".
std::string origin_of(const ScannedDump& dump) {
    return dump.tensors.origin
               ? std::string(to_string(dump.tensors.origin->verdict)) + ": " + dump.tensors.origin->because
               : "none";
}

std::string origin_with(std::vector<Tensor> inputs, std::vector<Tensor> outputs) {
    MadeUpOverflow overflow;
    overflow.inputs = std::move(inputs);
    overflow.outputs = std::move(outputs);
    const ScannedDump dump = scanned(overflow);
    CHECK(dump.tensors.diagnostics.empty());
    CHECK(dump.tensors.complete());
    return origin_of(dump);
}

ordered_json document_of(const ScannedDump& dump, bool tensors = true) {
    ReportOptions options;
    options.tensors = tensors;
    return ordered_json::parse(record_to_json(*dump.dump, dump.location, dump.tensors, options));
}

const Tensor clean = half_tensor({half_one, half_two});

}  // namespace

TEST_CASE("scan tensors: clean inputs and an infinite output: born here") {
    const std::string origin = origin_with({clean}, {half_tensor({half_one, half_inf, half_inf})});
    CHECK(contains(origin, "born_here: "));
    CHECK(contains(origin, "output 0 contains 2 Inf of 3 values"));
}

TEST_CASE("scan tensors: NaN in an input: inherited, whatever the output holds") {
    const std::string origin = origin_with({clean, half_tensor({half_nan, half_one})}, {half_tensor({half_nan})});
    CHECK(contains(origin, "inherited: "));
    CHECK(contains(origin, "input 1 contains 1 NaN of 2 values"));
}

TEST_CASE("scan tensors: without an operator dump there are no tensors and no verdict, and a remark says so") {
    MadeUpOverflow overflow;
    overflow.with_op_dump = false;
    const ScannedDump dump = scanned(overflow);
    CHECK(dump.state == DumpState::overflowed);
    CHECK(origin_of(dump) == "none");
    CHECK(remark_codes(dump.tensors.diagnostics) == "no_op_dump");
    CHECK(dump.tensors.complete());
    const ordered_json document = document_of(dump);
    CHECK(document["tensors"].dump() == "[]");
    CHECK(document["origin"].is_null());
}

TEST_CASE("scan tensors: a cut operator dump costs its values only, and is reported at the record") {
    MadeUpOverflow overflow;
    overflow.inputs = {clean};
    overflow.outputs = {half_tensor({half_inf, half_one, half_one, half_one})};
    overflow.missing_bytes = 4;
    const ScannedDump dump = scanned(overflow);
    CHECK(dump.state == DumpState::overflowed);
    CHECK(contains(origin_of(dump), "born_here: "));
    CHECK_FALSE(dump.tensors.complete());
    CHECK(remark_codes(dump.tensors.diagnostics) == "tensors_beyond_file, op_dump_damaged");
    REQUIRE((dump.tensors.op_dump && dump.tensors.op_dump->tensors.size() == 2));
    CHECK(dump.tensors.op_dump->tensors[1].elements == 2);  // of 4
}

TEST_CASE("scan tensors: an operator dump that is none leaves the record, with the file and the reason") {
    const ScannedDump dump = scanned(MadeUpOverflow(), "this is no dump");
    CHECK(dump.state == DumpState::overflowed);
    CHECK(dump.location.op.has_value());
    CHECK(origin_of(dump) == "none");
    REQUIRE(remark_codes(dump.tensors.diagnostics) == "op_dump_unreadable");
    CHECK(dump.tensors.diagnostics[0].severity == Severity::error);
    CHECK(contains(dump.tensors.diagnostics[0].message, "Exp.net_op.100.563."));
    CHECK(contains(dump.tensors.diagnostics[0].message, "not_a_dump"));
}

TEST_CASE("scan tensors: two operator dumps that fit equally are reported") {
    const TemporaryDirectory directory;
    const std::string root = directory.path().string();
    MadeUpOverflow overflow;
    overflow.inputs = overflow.outputs = {clean};
    write_overflow(root, overflow);
    DumpFile other;
    other.inputs = {half_tensor({half_nan})};
    const std::string file = op_dump_file(root, overflow);
    write_file(file.substr(0, file.rfind("/") + 1) + "Mul.z_other" + file.substr(file.find(".100.")), build_v2(other));
    const Scanned found = scan_tree({root}, with_tensors());
    REQUIRE(found.dumps.size() == 1);
    const ScannedDump& dump = found.dumps[0];
    CHECK(remark_codes(dump.tensors.diagnostics) == "op_dump_ambiguous");
    REQUIRE(dump.location.op_dump.has_value());
    CHECK(dump.location.op_dump->file == file);
    CHECK(dump.location.op->best.name == "net/op");
    CHECK(contains(origin_of(dump), "not_visible: "));
}

TEST_CASE("scan tensors: the document holds tensors and origin after the model, and only where asked for") {
    MadeUpOverflow overflow;
    overflow.inputs = {half_tensor({half_one, half_two, half_max, 0x0000, 0x0001})};
    overflow.outputs = {half_tensor({})};
    const ScannedDump dump = scanned(overflow);
    const ordered_json document = document_of(dump);
    std::vector<std::string> keys;
    for (const auto& item : document.items()) {
        keys.push_back(item.key());
    }
    const std::vector<std::string> tail(keys.end() - 4, keys.end());
    CHECK(tail == std::vector<std::string>{"model", "tensors", "origin", "diagnostics"});
    REQUIRE(document["tensors"].size() == 2);
    ordered_json input = document["tensors"][0];
    CHECK(input["max"].get<double>() == 65504.0);
    CHECK(contains(input.dump(), "\"max\":65504.0,\"min\":0.0,"));
    for (const auto& [key, count] :
         std::vector<std::pair<std::string, int>>{{"nan", 0}, {"saturated", 1}, {"subnormal", 1}, {"zero", 1}}) {
        CHECK(input[key] == count);
    }
    const ordered_json& output = document["tensors"][1];
    CHECK(output["elements"] == 0);
    CHECK(output["max"].is_null());
    CHECK(document["origin"]["verdict"] == "inherited");
    check_schema("record", document.dump() + "\n");
    CHECK(document_of(dump, false).dump() == ordered_json::parse(record_to_json(*dump.dump, dump.location)).dump());
    CHECK_FALSE(document_of(dump, false).contains("tensors"));
}

TEST_CASE("scan tensors: documents of clean and unreadable dumps have the keys as well") {
    ReportOptions options;
    options.tensors = true;
    const ScannedDump dump = scanned_dump("run/Opdebug.Node_OpDebug.1.5.1772618405000000", 0);
    const ordered_json document = document_of(dump);
    CHECK(document["tensors"].dump() == "[]");
    const std::string failure =
        failure_to_json({ErrorCode::empty_file, "the file is empty", "x", std::nullopt}, options);
    CHECK(ordered_json::parse(failure)["origin"].is_null());
    check_schema("record", document.dump() + "\n" + as_line(failure), 2);
}

TEST_CASE("scan tensors: the text says the verdict and shows the tensors, in both languages") {
    MadeUpOverflow overflow;
    overflow.inputs = {clean};
    overflow.outputs = {half_tensor({half_inf, half_two})};
    const ScannedDump dump = scanned(overflow);
    ReportOptions options;
    options.tensors = true;
    const std::string english = record_to_text(*dump.dump, dump.location, dump.tensors, options);
    CHECK(contains(english, "born here: inputs are clean; output 0 contains 1 Inf of 2 values"));
    CHECK(contains(english, "output 0  float16"));
    // Columns of what there is none of are left out.
    CHECK(contains(english, "  Tensor    Type     Format  Shape  Elements  Max  Min  Mean  +Inf\n"));
    options.language = Language::chinese;
    CHECK(contains(record_to_text(*dump.dump, dump.location, dump.tensors, options), "在此产生"));
    options.tensors = false;
    CHECK(record_to_text(*dump.dump, dump.location, dump.tensors, {}) == record_to_text(*dump.dump, dump.location));
}

TEST_CASE("scan tensors: a stop ends the measuring, and the scan is incomplete") {
    const TemporaryDirectory directory;
    MadeUpOverflow overflow;
    overflow.inputs = overflow.outputs = {clean};
    write_overflow(directory.path().string(), overflow);
    // The stop comes at each of the moments at which it is requested, one after the other.
    bool cut_short = false;
    for (int asked = 1; asked < 100; ++asked) {
        std::atomic<int> left{asked};
        ScanOptions options = with_tensors();
        options.stop = [&left] { return --left < 0; };
        const Scanned found = scan_tree({directory.path().string()}, options);
        if (found.scan.complete) {
            REQUIRE(found.dumps.size() == 1);
            CHECK(found.dumps[0].tensors.origin.has_value());
            CHECK(cut_short);
            return;
        }
        for (const ScannedDump& dump : found.dumps) {
            cut_short = true;
            CHECK(dump.state == DumpState::overflowed);
            CHECK(remark_codes(dump.tensors.diagnostics) == "interrupted");
        }
    }
    FAIL("never complete");
}

// Arrays in .npy files, measured as an operator's tensor.
#include <doctest/doctest.h>

#include <cstring>

#include "op_dump_builder.hpp"
#include "outcome.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// A file of NumPy's format 1.0, or 2.0 with `major` 2.
Buffer npy(const std::string& dictionary, const Buffer& data, std::uint8_t major = 1) {
    const std::string text = dictionary + "\n";
    Buffer file{0x93, 'N', 'U', 'M', 'P', 'Y', major, 0};
    const std::size_t length_bytes = major == 1 ? 2 : 4;
    for (std::size_t i = 0; i < length_bytes; ++i) {
        file.push_back(static_cast<std::uint8_t>(text.size() >> (8 * i)));
    }
    file.insert(file.end(), text.begin(), text.end());
    file.insert(file.end(), data.begin(), data.end());
    return file;
}

std::string dictionary(const std::string& descr, const std::string& shape, const std::string& order = "False") {
    return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

Buffer floats(const std::vector<float>& values) {
    Buffer bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

const std::string kName = "Add.net_Add.12.5.1772618405000000.input.1.NCHW.float32.npy";

Result<OpDump> measured(const Buffer& file, const std::string& name = kName) {
    const TemporaryDirectory folder;
    return measure_op_dump(write_file(folder.path() / name, file));
}

}  // namespace

TEST_CASE("npy: an operator's tensor with the ids and the format of its name") {
    const auto dump = measured(npy(dictionary("<f4", "(2, 2)"), floats({1, -3, 2, 0})));
    REQUIRE_MESSAGE(dump.ok(), outcome(dump));
    CHECK(dump->op_type == "Add");
    CHECK(dump->op_name == "net_Add");
    CHECK(dump->task_id == 12);
    CHECK(dump->stream_id == 5);
    REQUIRE(dump->tensors.size() == 1);
    const DumpedTensor& tensor = dump->tensors[0];
    CHECK(tensor.kind == TensorKind::input);
    CHECK(tensor.index == 1);
    CHECK(tensor.dtype == "float32");
    CHECK(tensor.format == "NCHW");
    CHECK(tensor.shape == std::vector<std::uint64_t>{2, 2});
    REQUIRE(tensor.statistics);
    CHECK(tensor.statistics->max == TensorNumber(2.0));
    CHECK(tensor.statistics->min == TensorNumber(-3.0));
    CHECK(tensor.statistics->zero == 1);
    CHECK(dump->complete());
}

TEST_CASE("npy: any file with NumPy's magic number, other versions, orders of keys and scalars") {
    const auto dump = measured(
        npy("{\"shape\": (), \"fortran_order\": True, \"descr\": \"<i8\"}", {7, 0, 0, 0, 0, 0, 0, 0}, 2), "array");
    REQUIRE_MESSAGE(dump.ok(), outcome(dump));
    CHECK(dump->op_type.empty());
    CHECK(dump->tensors[0].kind == TensorKind::output);
    CHECK(dump->tensors[0].dtype == "int64");
    CHECK(dump->tensors[0].format == "ND");
    CHECK(dump->tensors[0].elements == 1);
    CHECK(dump->tensors[0].fortran_order);
    CHECK(measured(npy(dictionary("|b1", "(3,)"), {1, 0, 1}))->tensors[0].dtype == "bool");
    CHECK(measured(npy(dictionary("|u1", "(0, 3)"), {}))->tensors[0].elements == 0);
}

TEST_CASE("npy: the file's name gives a type that NumPy has not") {
    const Buffer values{0x80, 0x7F, 0x80, 0x3F};  // +Inf, 1
    const std::string begin = "Add.a.12.5.1772618405000000.output.0.ND.";
    for (const char* descr : {"|V2", "<u2"}) {
        const auto dump = measured(npy(dictionary(descr, "(2,)"), values), begin + "bfloat16.npy");
        REQUIRE_MESSAGE(dump.ok(), outcome(dump));
        CHECK(dump->tensors[0].dtype == "bfloat16");
        CHECK(dump->tensors[0].statistics->pos_inf == 1);
    }
    CHECK(outcome(measured(npy(dictionary("|V2", "(2,)"), values))) == "header_malformed");  // float32 has 4 bytes
    for (const char* other : {"float16.npy", "float8_e5m2.npy"}) {
        CHECK(measured(npy(dictionary("<u2", "(2,)"), values), begin + other)->tensors[0].dtype == "uint16");
    }
}

TEST_CASE("npy: damage and arrays without plain numbers are errors") {
    const Buffer whole = npy(dictionary("<f4", "(2,)"), floats({1, 2}));
    CHECK(outcome(measured({'x', 'y', 'z'})) == "not_a_dump");
    CHECK(outcome(measured(Buffer(whole.begin(), whole.begin() + 7))) == "header_truncated");
    CHECK(outcome(measured(Buffer(whole.begin(), whole.begin() + 30))) == "header_truncated");
    CHECK(outcome(measured(npy(dictionary(">f4", "(2,)"), floats({1, 2})))) == "header_malformed");
    CHECK(outcome(measured(npy(dictionary("|O", "(2,)"), {}))) == "header_malformed");
    CHECK(outcome(measured(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}", {}))) ==
          "header_malformed");
    CHECK(outcome(measured(npy("{'descr': '<f4', 'fortran_order': False}", {}))) == "header_malformed");
    CHECK(outcome(measured(npy(dictionary("<f8", "(4294967296, 4294967296)"), {}))) == "header_malformed");
    const auto cut = measured(npy(dictionary("<f4", "(4,)"), floats({1, 2, 3})));
    REQUIRE_MESSAGE(cut.ok(), outcome(cut));
    CHECK_FALSE(cut->complete());
    CHECK(cut->tensors[0].elements == 3);
}

TEST_CASE("npy: the files of one execution are one dump, inputs first") {
    const TemporaryDirectory folder;
    const auto file = [&folder](const std::string& slot, const Buffer& bytes) {
        return write_file(folder.path() / ("Add.a.12.5.1772618405000000." + slot + ".npy"), bytes);
    };
    const std::string output = file("output.0", npy(dictionary("<f4", "(1,)"), floats({2})));
    const std::string input = file("input.0", npy(dictionary("<f4", "(1,)"), floats({1})));
    const auto dump = measure_npy_files({output, input});
    REQUIRE_MESSAGE(dump.ok(), outcome(dump));
    REQUIRE(dump->tensors.size() == 2);
    CHECK(dump->tensors[0].kind == TensorKind::input);
    CHECK(dump->complete());
    const auto damaged = measure_npy_files({output, file("input.1", {'x'})});
    REQUIRE_MESSAGE(damaged.ok(), outcome(damaged));
    CHECK(damaged->tensors.size() == 1);
    CHECK_FALSE(damaged->complete());
}

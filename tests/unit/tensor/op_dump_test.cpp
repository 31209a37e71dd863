// Operator dumps measured: containers, names, types, stopping, memory.
#include <doctest/doctest.h>

#include <sys/resource.h>
#include <unistd.h>

#include "op_dump_builder.hpp"
#include "outcome.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const Buffer two_halves = halves({0x3C00, 0x7BFF});  // 1, 65504

/// A dump of one input and one output of two float16.
DumpFile small_dump() {
    return op_dump({tensor_of(float16_type, {2}, halves({0x3C00, 0x4000}))},
                   {tensor_of(float16_type, {1, 2}, two_halves)});
}

}  // namespace

TEST_CASE("a dump names its operator and gives inputs before outputs") {
    const TemporaryDirectory folder;
    DumpFile file = small_dump();
    file.outputs.push_back(tensor_of(int32_type, {}, bytes_of_numbers<std::int32_t>({-5})));
    const std::string path = write_file(folder / "Add.net_add.57.563.1597922031178400", build_v2(file));
    const Result<OpDump> dump = measure_op_dump(path);
    REQUIRE(outcome(dump) == "ok");
    CHECK(dump->file == path);
    CHECK(dump->op_type == "Add");
    CHECK(dump->op_name == "net/add");
    CHECK(dump->task_id == 57);
    CHECK(dump->stream_id == 563);
    CHECK(dump->timestamp_us == 1597922031178400);
    CHECK(dump->container == Container::dump_data_v2);
    CHECK(dump->complete());
    CHECK(dump->diagnostics.empty());
    REQUIRE(dump->tensors.size() == 3);
    CHECK(dump->tensors[0].kind == TensorKind::input);
    CHECK(dump->tensors[0].dtype == "float16");
    CHECK(dump->tensors[0].format == "ND");
    CHECK(dump->tensors[1].kind == TensorKind::output);
    CHECK(dump->tensors[1].shape == std::vector<std::uint64_t>{1, 2});
    CHECK(dump->tensors[1].size == 4);
    CHECK(dump->tensors[1].offset == dump->tensors[0].offset + 4);
    CHECK(as_double(*dump->tensors[1].statistics->max) == 65504);
    CHECK(dump->tensors[1].statistics->saturated == 1);
    CHECK(dump->tensors[2].index == 1);
    CHECK(dump->tensors[2].shape.empty());
    CHECK(dump->tensors[2].elements == 1);
    CHECK(std::get<std::int64_t>(*dump->tensors[2].statistics->min) == -5);
}

TEST_CASE("a file called by a number gets its names from mapping.csv or from the caller") {
    const TemporaryDirectory folder;
    DumpFile file = small_dump();
    file.op_name.reset();
    const std::string path = write_file(folder / "2711727053834951654", build_v2(file));
    CHECK(measure_op_dump(path)->op_type == "");
    CHECK(measure_op_dump(path)->timestamp_us == 1694385648123456);  // the header's
    OpDumpOptions options;
    options.real_name = "Mul.net_mul.1.2.1597922031178400";
    CHECK(measure_op_dump(path, options)->op_type == "Mul");
    CHECK(measure_op_dump(path, options)->op_name == "net_mul");
    write_file(folder / "mapping.csv", "2711727053834951654,Add.net_add.57.563.1597922031178400\n");
    CHECK(measure_op_dump(path)->op_type == "Add");
    CHECK(measure_op_dump(path)->task_id == 57);
}

TEST_CASE("all three containers, from a file and from memory") {
    const TemporaryDirectory folder;
    DumpFile nano = small_dump();
    nano.inputs[0].data_type = 1;  // GE's float16
    nano.outputs[0].data_type = 1;
    DumpFile v1 = small_dump();
    v1.version = "1.0";
    const std::vector<std::pair<Container, Buffer>> files{{Container::dump_data_v2, build_v2(small_dump())},
                                                          {Container::dump_data_v1, build_v1(v1)},
                                                          {Container::nano, build_nano(nano)}};
    for (const auto& item : files) {
        const Container container = item.first;
        CAPTURE(static_cast<int>(container));
        const std::string path = write_file(folder / "Add.net_add.1.2.3", item.second);
        for (const Result<OpDump>& dump : {measure_op_dump(path), measure_op_dump(Bytes(item.second))}) {
            REQUIRE(outcome(dump) == "ok");
            CHECK(dump->container == container);
            REQUIRE(dump->tensors.size() == 2);
            CHECK(dump->tensors[0].dtype == "float16");
            CHECK(*dump->tensors[0].statistics->mean == 1.5);
            CHECK(*dump->tensors[1].statistics->mean == 32752.5);
            CHECK(dump->complete());
        }
    }
}

TEST_CASE("version 1: a fault costs the tensors from there on, those before it are measured") {
    DumpFile v1 = small_dump();
    v1.version = "1.0";
    Buffer trailing = build_v1(v1);
    const std::size_t whole = trailing.size();
    append(trailing, Buffer(10, 0xFF));
    const Result<OpDump> dump = measure_op_dump(Bytes(trailing));
    REQUIRE(outcome(dump) == "ok");
    REQUIRE(dump->tensors.size() == 2);
    CHECK(*dump->tensors[1].statistics->mean == 32752.5);
    CHECK(dump->tensors_missing);
    CHECK_FALSE(dump->complete());
    REQUIRE(dump->diagnostics.size() == 1);
    CHECK(dump->diagnostics[0].code == "header_malformed");
    CHECK(contains(dump->diagnostics[0].message, "complete up to byte " + std::to_string(whole)));

    v1.inputs.clear();
    v1.op_name.reset();
    v1.outputs.push_back(v1.outputs.front());
    const Result<OpDump> shorter = measure_op_dump(Bytes(cut(build_v1(v1), 3)));  // in the second output
    REQUIRE(outcome(shorter) == "ok");
    REQUIRE(shorter->tensors.size() == 1);
    CHECK(*shorter->tensors[0].statistics->mean == 32752.5);
    CHECK_FALSE(shorter->complete());
}

TEST_CASE("an overflow dump is reported by its header, whatever the file is called") {
    const Result<OpDump> dump = measure_op_dump(Bytes(build_overflow_dump(ai_core_example(32))));
    REQUIRE(outcome(dump) == "ok");
    REQUIRE(dump->diagnostics.size() == 1);
    CHECK(dump->diagnostics[0].code == "overflow_dump");
    CHECK(measure_op_dump(Bytes(build_v2(small_dump())))->diagnostics.empty());
}

TEST_CASE("files that are no dumps give the errors of reading and of the container") {
    const TemporaryDirectory folder;
    CHECK(outcome(measure_op_dump(folder / "missing")) == "file_not_found");
    CHECK(outcome(measure_op_dump(folder.path().string())) == "is_directory");
    const Result<OpDump> empty = measure_op_dump(write_file(folder / "empty", ""));
    CHECK(outcome(empty) == "empty_file");
    CHECK(empty.error().file == folder / "empty");
    CHECK(outcome(measure_op_dump(write_file(folder / "text", "this is a text file"))) == "not_a_dump");
}

TEST_CASE("a header larger than the first look is read as a whole") {
    const TemporaryDirectory folder;
    DumpFile file = small_dump();
    // Names are bounded, fields that nobody knows are not.
    put_text_field(file.extra_fields, 9, std::string(200'000, 'x'));
    const Result<OpDump> dump = measure_op_dump(write_file(folder / "big", build_v2(file)));
    REQUIRE(outcome(dump) == "ok");
    CHECK(*dump->tensors[0].statistics->mean == 1.5);
}

TEST_CASE("types without numbers are named and passed over, the next tensor is not") {
    const OpDump dump = measured(op_dump({tensor_of(string_type, {1}, bytes_of("text")),
                                          tensor_of(resource_type, {2}, Buffer(16)), tensor_of(99, {2}, Buffer(2))},
                                         {tensor_of(float16_type, {2}, two_halves)}));
    REQUIRE(dump.tensors.size() == 4);
    CHECK(dump.tensors[0].dtype == "string");
    CHECK(!dump.tensors[0].statistics);
    CHECK(dump.tensors[0].size == 4);
    CHECK(contains(told(dump.tensors[0], "element_type_without_numbers"), "info: input 0 has element type string"));
    CHECK(dump.tensors[1].dtype == "resource");
    CHECK(dump.tensors[2].dtype == "unknown(99)");
    CHECK(contains(told(dump.tensors[2], "element_type_unknown"), "warning: input 2 has element type 99"));
    CHECK(*dump.tensors[3].statistics->mean == 32752.5);
    CHECK(dump.complete());
    Tensor odd_format = tensor_of(uint8_type, {1}, {7});
    odd_format.format = 99;
    CHECK(measured_output(odd_format).format == "unknown(99)");
}

TEST_CASE("quantised types are measured as what carries them") {
    const DumpedTensor tensor = measured_output(tensor_of(qint8_type, {2}, {0xFF, 0x05}));
    CHECK(tensor.dtype == "int8");
    CHECK(std::get<std::int64_t>(*tensor.statistics->min) == -1);
    CHECK(contains(told(tensor, "element_type_quantised"), "info: output 0 is declared QINT8"));
}

TEST_CASE("small elements: packed, or one in each byte where the size says so") {
    const DumpedTensor packed = measured_output(tensor_of(int4_type, {3}, {0x8F, 0xF7}));
    CHECK(packed.elements == 3);
    CHECK(std::get<std::int64_t>(*packed.statistics->min) == -8);
    CHECK(std::get<std::int64_t>(*packed.statistics->max) == 7);  // the last half byte is padding
    CHECK(*packed.statistics->mean == doctest::Approx((-1 - 8 + 7) / 3.0));
    CHECK(contains(told(packed, "element_order_inferred"), "info: output 0 has elements of 4 bits"));
    const DumpedTensor apart = measured_output(tensor_of(int4_type, {2}, {0x0F, 0x07}));
    CHECK(apart.elements == 2);
    CHECK(*apart.statistics->mean == 3);
    // 6-bit elements across a piece's end: 1 Mi of them, all 0b000101 but the last.
    Buffer six_bits;
    for (int i = 0; i < 1 << 18; ++i) {
        append(six_bits, {0x45, 0x51, 0x14});
    }
    const DumpedTensor many = measured_output(tensor_of(float6_e3m2_type, {1 << 20}, six_bits));
    CHECK(many.elements == 1 << 20);
    CHECK(as_double(*many.statistics->min) == as_double(*many.statistics->max));
    CHECK(*many.statistics->mean == 0.3125);  // exponent 1, mantissa 1: 1.25 * 2^(1-3)
}

TEST_CASE("bytes after the last tensor are reported") {
    Buffer file = build_v2(small_dump());
    const std::string end = std::to_string(file.size());
    append(file, {1, 2, 3});
    const Result<OpDump> dump = measure_op_dump(Bytes(file));
    REQUIRE(outcome(dump) == "ok");
    CHECK(contains(told(*dump, "bytes_behind_tensors"), "info: 3 bytes follow after the last tensor, at byte " + end));
    CHECK(dump->complete());
}

TEST_CASE("the work stops when the caller says so") {
    const TemporaryDirectory folder;
    const std::string path = write_file(folder / "Add.a.1.2.3", build_v2(small_dump()));
    OpDumpOptions options;
    int asked = 0;
    options.stop = [&asked] { return ++asked == 2; };
    const Result<OpDump> dump = measure_op_dump(path, options);
    CHECK(outcome(dump) == "interrupted");
    CHECK(dump.error().file == path);
    CHECK(asked == 2);
}

TEST_CASE(
    "of a file that becomes shorter while it is read, the elements that were read count, and the rest is reported") {
    const TemporaryDirectory folder;
    constexpr std::uint64_t elements = 1'000'000;  // 2 MB of float16: several pieces
    Tensor tensor = tensor_of(float16_type, {elements}, Buffer(elements * 2));
    const std::string path = write_file(folder / "Add.a.1.2.3", build_v2(op_dump({}, {tensor})));
    const std::uint64_t header = std::filesystem::file_size(path) - elements * 2;
    OpDumpOptions options;
    options.stop = [&] { return truncate(path.c_str(), static_cast<off_t>(header)) != 0; };  // the first piece was read
    const Result<OpDump> dump = measure_op_dump(path, options);
    REQUIRE(outcome(dump) == "ok");
    REQUIRE(dump->tensors.size() == 1);
    const DumpedTensor& measured = dump->tensors[0];
    CHECK(measured.elements > 0);
    CHECK(measured.elements < elements);
    CHECK(measured.statistics->zero == measured.elements);
    REQUIRE(measured.diagnostics.size() == 1);
    CHECK(measured.diagnostics[0].severity == Severity::error);
    CHECK(measured.diagnostics[0].code == "tensor_unreadable");
    CHECK(measured.diagnostics[0].message == "only " + std::to_string(measured.elements) +
                                                 " of 1000000 elements of output 0 could be read: the file became "
                                                 "shorter while it was read");
    CHECK_FALSE(dump->complete());
}

TEST_CASE("memory does not grow with the tensor") {
    const TemporaryDirectory folder;
    constexpr std::uint64_t elements = 150'000'000;  // 300 MB of float16, all of it a hole in the file
    Tensor tensor = tensor_of(float16_type, {elements}, {});
    tensor.size = elements * 2;
    const std::string path = write_file(folder / "Add.a.1.2.3", build_v2(op_dump({}, {tensor})));
    const std::uint64_t header = std::filesystem::file_size(path);
    REQUIRE(truncate(path.c_str(), static_cast<off_t>(header + elements * 2)) == 0);
    const auto peak_kilobytes = [] {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return usage.ru_maxrss;
    };
    const long before = peak_kilobytes();
    const Result<OpDump> dump = measure_op_dump(path);
    REQUIRE(outcome(dump) == "ok");
    CHECK(dump->tensors[0].elements == elements);
    CHECK(dump->tensors[0].statistics->zero == elements);
    CHECK(peak_kilobytes() - before < 20'000);
}

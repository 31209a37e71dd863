// Tensors written as .npy files.
#include <doctest/doctest.h>

#include "op_dump_builder.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

struct Npy {
    std::string header;  ///< the dictionary, without the filling
    Buffer data;
    std::size_t data_offset = 0;
};

/// Takes a version 1.0 file apart, by NumPy's description of it.
Npy parse_npy(const Buffer& file) {
    Npy npy;
    REQUIRE(file.size() >= 10);
    CHECK(Buffer(file.begin(), file.begin() + 8) == Buffer{0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    npy.data_offset = 10 + file[8] + 256U * file[9];
    REQUIRE(file.size() >= npy.data_offset);
    npy.header.assign(file.begin() + 10, file.begin() + static_cast<std::ptrdiff_t>(npy.data_offset));
    REQUIRE(npy.header.back() == '\n');
    npy.header.erase(npy.header.find_last_not_of(" \n") + 1);
    npy.data.assign(file.begin() + static_cast<std::ptrdiff_t>(npy.data_offset), file.end());
    return npy;
}

class DumpOnDisk {
public:
    explicit DumpOnDisk(const Tensor& tensor)
        : path_(write_file(folder_ / "Add.a.1.2.3", build_v2(op_dump({}, {tensor})))), dump_(*measure_op_dump(path_)) {}

    const std::string& path() const { return path_; }
    const DumpedTensor& tensor() const { return dump_.tensors.at(0); }

    Npy npy() const {
        Buffer file;
        const auto error = write_npy(path_, tensor(), [&file](Bytes bytes) {
            file.insert(file.end(), bytes.begin(), bytes.end());
            return true;
        });
        CHECK(!error);
        return parse_npy(file);
    }

private:
    TemporaryDirectory folder_;
    std::string path_;
    OpDump dump_;
};

}  // namespace

TEST_CASE("types that NumPy has are written as they are") {
    const Buffer data = halves({0x3C00, 0x7E00, 0xFC00, 0x0001});
    const Npy npy = DumpOnDisk(tensor_of(float16_type, {2, 2}, data)).npy();
    CHECK(npy.header == "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 2), }");
    CHECK(npy.data_offset % 64 == 0);
    CHECK(npy.data == data);
}

TEST_CASE("other types are widened without loss") {
    const Npy brain = DumpOnDisk(tensor_of(bfloat16_type, {2}, halves({0x3F80, 0xFF80}))).npy();
    CHECK(brain.header == "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }");
    CHECK(brain.data == bytes_of_numbers<std::uint32_t>({0x3F800000, 0xFF800000}));
    const Npy small = DumpOnDisk(tensor_of(float8_e4m3fn_type, {2}, {0x7E, 0x81})).npy();
    CHECK(small.data == bytes_of_numbers<float>({448, -0x1p-9F}));
    const Npy half_complex = DumpOnDisk(tensor_of(complex32_type, {1}, halves({0x3C00, 0xC000}))).npy();
    CHECK(half_complex.header == "{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }");
    CHECK(half_complex.data == bytes_of_numbers<float>({1, -2}));
    const Npy nibbles = DumpOnDisk(tensor_of(int4_type, {3}, {0x8F, 0x07})).npy();
    CHECK(nibbles.header == "{'descr': '|i1', 'fortran_order': False, 'shape': (3,), }");
    CHECK(nibbles.data == Buffer{0xFF, 0xF8, 0x07});
    const Npy apart = DumpOnDisk(tensor_of(int4_type, {2}, {0x0F, 0x07})).npy();
    CHECK(apart.data == Buffer{0xFF, 0x07});
    const Npy truth = DumpOnDisk(tensor_of(bool_type, {3}, {0, 1, 0xFF})).npy();
    CHECK(truth.header == "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }");
    CHECK(truth.data == Buffer{0, 1, 1});
}

TEST_CASE("scalars, empty tensors and tensors with missing values") {
    CHECK(DumpOnDisk(tensor_of(float16_type, {}, halves({0x3C00}))).npy().header ==
          "{'descr': '<f2', 'fortran_order': False, 'shape': (), }");
    const Npy empty = DumpOnDisk(tensor_of(float16_type, {4, 0}, {})).npy();
    CHECK(empty.header == "{'descr': '<f2', 'fortran_order': False, 'shape': (4, 0), }");
    CHECK(empty.data.empty());
    const Npy missing = DumpOnDisk(tensor_of(float16_type, {2, 2}, halves({1, 2, 3}))).npy();
    CHECK(missing.header == "{'descr': '<f2', 'fortran_order': False, 'shape': (3,), }");
    CHECK(missing.data == halves({1, 2, 3}));
}

TEST_CASE("types without numbers, files that are gone, callers that have enough") {
    const DumpOnDisk text(tensor_of(string_type, {1}, bytes_of("text")));
    const auto nothing = [](Bytes) { return true; };
    CHECK(to_string(write_npy(text.path(), text.tensor(), nothing)->code) == "invalid_argument");
    const DumpOnDisk dump(tensor_of(float16_type, {2}, halves({1, 2})));
    CHECK(to_string(write_npy(dump.path() + "x", dump.tensor(), nothing)->code) == "file_not_found");
    int pieces = 0;
    CHECK(!write_npy(dump.path(), dump.tensor(), [&pieces](Bytes) { return ++pieces > 1; }));
    CHECK(pieces == 1);
    write_file(dump.path(), "short");
    const auto error = write_npy(dump.path(), dump.tensor(), nothing);
    REQUIRE(error.has_value());
    CHECK(to_string(error->code) == "read_failed");
}

TEST_CASE("small elements of a cut file are written as they were measured") {
    const TemporaryDirectory folder;
    // Two elements of 4 bits in one byte are there, of four; and of four with a byte each, three are.
    const std::string packed =
        write_file(folder / "a", cut(build_v2(op_dump({}, {tensor_of(int4_type, {4}, {0x8F, 0x77})})), 1));
    const std::string apart =
        write_file(folder / "b", cut(build_v2(op_dump({}, {tensor_of(int4_type, {4}, {0x0F, 0x07, 0x01, 0x02})})), 1));
    const auto content = [](const std::string& path) {
        const Result<OpDump> dump = measure_op_dump(path);
        REQUIRE(dump.ok());
        Buffer file;
        CHECK(!write_npy(path, dump->tensors.at(0), [&file](Bytes bytes) {
            file.insert(file.end(), bytes.begin(), bytes.end());
            return true;
        }));
        return parse_npy(file).data;
    };
    CHECK(content(packed) == Buffer{0xFF, 0xF8});
    CHECK(content(apart) == Buffer{0xFF, 0x07, 0x01});
}

TEST_CASE("shapes that NumPy refuses become one dimension") {
    const auto shape = [](const std::vector<std::uint64_t>& dims, const Buffer& data) {
        const std::string header = DumpOnDisk(tensor_of(float16_type, dims, data)).npy().header;
        const std::size_t begin = header.find("'shape': ") + 9;
        return header.substr(begin, header.find(", }") - begin);
    };
    const Buffer two = halves({1, 2});
    CHECK(shape({~std::uint64_t{0}}, two) == "(2,)");  // -1
    CHECK(shape({std::uint64_t{1} << 63U, 2}, two) == "(2,)");
    CHECK(shape({std::uint64_t{1} << 32U, std::uint64_t{1} << 32U, 0}, {}) == "(0,)");
    CHECK(shape({~std::uint64_t{0}, 0}, {}) == "(0,)");
    CHECK(shape(std::vector<std::uint64_t>(33, 1), halves({1})) == "(1,)");
    CHECK(shape({std::uint64_t{1} << 61U, 0}, {}) == "(0,)");
    CHECK(shape({3, 0}, {}) == "(3, 0)");
    CHECK(shape({2, 1}, two) == "(2, 1)");
}

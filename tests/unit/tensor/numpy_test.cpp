// NumPy as an independent judge of the statistics and of .npy files, for every type that it has.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

#include "build_paths.hpp"
#include "op_dump_builder.hpp"
#include "process.hpp"
#include "skip.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const std::vector<NamedType> numpy_types{{1, "float32"},    {2, "float16"},    {3, "int8"},  {4, "uint8"},
                                         {5, "int16"},      {6, "uint16"},     {7, "int32"}, {8, "int64"},
                                         {9, "uint32"},     {10, "uint64"},    {11, "bool"}, {12, "float64"},
                                         {16, "complex64"}, {17, "complex128"}};

std::size_t size_of(std::string_view dtype) {
    if (dtype == "bool") {
        return 1;
    }
    return static_cast<std::size_t>(std::stoi(std::string(dtype.substr(dtype.find_first_of("1234568"))))) / 8;
}

/// Random bytes. Of random wide floats few are special: whole elements of them are made so.
Buffer content(const NamedType& named, std::size_t elements, unsigned seed) {
    std::mt19937 random(seed);
    const std::size_t size = size_of(named.dtype);
    Buffer bytes(elements * size);
    for (std::uint8_t& byte : bytes) {
        byte = static_cast<std::uint8_t>(random());
    }
    const Buffer specials =
        named.dtype == "float16" ? halves({0x7C00, 0xFC00, 0x7BFF, 0x8000})
        : named.dtype == "float32" || named.dtype == "complex64"
            ? bytes_of_numbers<std::uint32_t>({0x7F800000, 0xFF800000, 0x7F7FFFFF, 0})
            : bytes_of_numbers<std::uint64_t>({0x7FF0000000000000, 0xFFF0000000000000, 0xFFEFFFFFFFFFFFFF, 0});
    if (named.dtype.substr(0, 1) == "f" || named.dtype.substr(0, 1) == "c") {
        for (std::size_t place = 0; place + specials.size() <= bytes.size(); place += 50 * specials.size()) {
            std::copy(specials.begin(), specials.end(), bytes.begin() + static_cast<std::ptrdiff_t>(place));
        }
    }
    return bytes;
}

std::string exact_text(const std::optional<TensorNumber>& number) {
    if (!number) {
        return "-";
    }
    std::ostringstream text;
    text.precision(17);
    std::visit([&text](auto value) { text << value; }, *number);
    return text.str();
}

/// Compares one line of NumPy's answers.
void check_line(const std::string& line, const DumpedTensor& tensor) {
    CAPTURE(tensor.dtype);
    CAPTURE(line);
    std::istringstream words(line);
    std::string max, min, mean;
    std::uint64_t nan = 0, pos_inf = 0, neg_inf = 0, saturated = 0, subnormal = 0, zero = 0;
    REQUIRE(
        static_cast<bool>(words >> max >> min >> mean >> nan >> pos_inf >> neg_inf >> saturated >> subnormal >> zero));
    const TensorStatistics& found = *tensor.statistics;
    CHECK(found.nan == nan);
    CHECK(found.pos_inf == pos_inf);
    CHECK(found.neg_inf == neg_inf);
    CHECK(found.saturated == saturated);
    CHECK(found.subnormal == subnormal);
    CHECK(found.zero == zero);
    REQUIRE(found.max.has_value() == (max != "-"));
    if (!found.max) {
        return;
    }
    if (std::holds_alternative<double>(*found.max)) {
        CHECK(as_double(*found.max) == std::stod(max));
        CHECK(as_double(*found.min) == std::stod(min));
    } else {
        CHECK(exact_text(found.max) == max);
        CHECK(exact_text(found.min) == min);
    }
    const double scale = std::fmax(std::fabs(std::stod(max)), std::fabs(std::stod(min)));
    CHECK(std::fabs(*found.mean - std::stod(mean)) <= 1e-14 * scale);
}

}  // namespace

TEST_CASE("NumPy finds the same values and reads the same arrays") {
    const TemporaryDirectory folder;
    ProcessOptions options;
    std::vector<DumpedTensor> tensors;
    for (const NamedType& named : numpy_types) {
        for (const std::size_t elements : {std::size_t{0}, std::size_t{1}, std::size_t{30011}}) {
            const std::string path = folder / ("Add.a.1.2." + std::to_string(tensors.size()));
            write_file(path,
                       build_v2(op_dump({}, {tensor_of(named.number, {elements},
                                                       content(named, elements, static_cast<unsigned>(elements)))})));
            const DumpedTensor tensor = measure_op_dump(path)->tensors.at(0);
            std::ofstream npy(path + ".npy", std::ios::binary);
            CHECK(!write_npy(path, tensor, [&npy](Bytes bytes) {
                npy << bytes.text();
                return true;
            }));
            options.input += path + " " + std::to_string(tensor.offset) + " " + std::to_string(elements) + " " +
                             std::string(named.dtype) + " " + path + ".npy\n";
            tensors.push_back(tensor);
        }
    }
    // Debian's Python: python3-numpy belongs to it.
    const ProcessResult run =
        run_process({"/usr/bin/python3", std::string(source_folder) + "/tests/support/numpy_statistics.py"}, options);
    if (run.exit_status == 3 || run.exit_status == 127) {
        skip("python3-numpy is not installed");
        return;
    }
    CAPTURE(run.err);
    REQUIRE(run.exit_status == 0);
    std::istringstream lines(run.out);
    for (const DumpedTensor& tensor : tensors) {
        std::string line;
        REQUIRE(static_cast<bool>(std::getline(lines, line)));
        check_line(line, tensor);
    }
}

// What a header may declare by default: a damaged or hostile header must not request memory without end.
#include <doctest/doctest.h>

#include <algorithm>

#include <opdebug/dump.hpp>

#include "container/forms.hpp"
#include "dump_builder.hpp"
#include "outcome.hpp"
#include "text.hpp"
#include "wire.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

DumpFile sound_file() {
    return overflow_dump(build_payload(ai_core_example(32)));
}

/// A tensor without bytes and without dimensions.
Tensor nothing() {
    Tensor result = tensor({});
    result.dims.clear();
    return result;
}

void check_refused(const Result<Dump>& result, std::string_view code, std::string_view text) {
    CAPTURE(text);
    REQUIRE(outcome(result) == code);
    CHECK(contains(result.error().message, text));
    CHECK(result.error().offset.has_value());
}

}  // namespace

TEST_CASE("4096 inputs, outputs, buffers and workspaces each are accepted") {
    DumpFile file = sound_file();
    file.inputs.resize(4096, nothing());
    file.buffers.resize(4096);
    file.spaces.resize(4096);
    file.outputs.resize(4096, nothing());
    const auto dump = decode(build_v2(file));
    REQUIRE(outcome(dump) == "ok");
    CHECK(dump->overflow() == std::optional<bool>(true));
}

TEST_CASE("4097 inputs, outputs, buffers or workspaces are too_many_tensors") {
    DumpFile file = sound_file();
    SUBCASE("inputs") {
        file.inputs.resize(4097, nothing());
        check_refused(decode(build_v2(file)), "too_many_tensors", "more than 4096 inputs");
        check_refused(decode(build_v1(file)), "too_many_tensors", "more than 4096 inputs");
    }
    SUBCASE("outputs") {
        file.outputs.resize(4097, nothing());
        check_refused(decode(build_v2(file)), "too_many_tensors", "more than 4096 outputs");
    }
    SUBCASE("buffers") {
        file.buffers.resize(4097);
        check_refused(decode(build_v2(file)), "too_many_tensors", "more than 4096 buffers");
    }
    SUBCASE("workspaces") {
        file.spaces.resize(4097);
        check_refused(decode(build_v2(file)), "too_many_tensors", "more than 4096 workspaces");
    }
}

TEST_CASE("a shape of 1024 dimensions is accepted, one of 1025 is too_many_dimensions") {
    DumpFile file = sound_file();
    for (const bool packed : {true, false}) {
        CAPTURE(packed);
        file.outputs.at(0).packed_dims = packed;
        file.outputs.at(0).dims.assign(1024, 1);
        file.outputs.at(0).dims.at(0) = 2048;
        CHECK(outcome(decode(build_v2(file))) == "ok");
        file.outputs.at(0).dims.push_back(1);
        check_refused(decode(build_v2(file)), "too_many_dimensions", "more than 1024 dimensions");
    }
}

/// Runs of one number, which protobuf allows. Moving all dimensions for each would take longer than a test may.
TEST_CASE("a shape of very many runs takes time in proportion, where the limit is raised") {
    constexpr std::size_t kRuns = 1'500'000;
    Buffer run, shape, output, message;
    put_bytes_field(run, 1, {5});
    for (std::size_t i = 0; i < kRuns; ++i) {
        append(shape, run);
    }
    put_bytes_field(output, 3, shape);
    put_bytes_field(message, 3, output);
    Limits limits;
    limits.dimensions = kRuns;
    const auto read =
        container::read_dump_data(Bytes(message.data(), message.size()), 8, Container::dump_data_v2, limits);
    REQUIRE(outcome(read) == "ok");
    const std::vector<std::uint64_t>& dims = read->outputs.at(0).dims;
    CHECK(dims.size() == kRuns);
    CHECK(std::count(dims.begin(), dims.end(), 5) == kRuns);
}

TEST_CASE("the same limits hold for nano files") {
    DumpFile file = sound_file();
    SUBCASE("at the limits") {
        file.inputs.resize(4096, nothing());
        file.outputs.at(0).dims.assign(1024, 1);
        file.outputs.at(0).dims.at(0) = 2048;
        CHECK(outcome(decode(build_nano(file))) == "ok");
    }
    SUBCASE("inputs") {
        file.inputs.resize(4097, nothing());
        check_refused(decode(build_nano(file)), "too_many_tensors", "more than 4096 inputs");
    }
    SUBCASE("outputs") {
        file.outputs.resize(4097, nothing());
        check_refused(decode(build_nano(file)), "too_many_tensors", "more than 4096 outputs");
    }
    SUBCASE("dimensions") {
        file.outputs.at(0).dims.assign(1025, 1);
        check_refused(decode(build_nano(file)), "too_many_dimensions", "more than 1024 dimensions");
    }
}

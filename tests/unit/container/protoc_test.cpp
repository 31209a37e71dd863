// An independent decoder as judge: what protoc reads in a header equals what the container reader reads.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "build_paths.hpp"
#include "container/container.hpp"
#include "dump_builder.hpp"
#include "outcome.hpp"
#include "process.hpp"
#include "reference_data.hpp"
#include "skip.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// The path of protoc, or nothing after saying that the test is skipped.
std::optional<std::string> protoc() {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string program = folder + "/protoc";
        if (access(program.c_str(), X_OK) == 0) {
            return program;
        }
    }
    skip("protoc is not installed");
    return std::nullopt;
}

struct DecodedTensor {
    std::string data_type = "0";
    std::string size = "0";
    std::vector<std::string> dims;
};

struct DecodedHeader {
    std::string version;
    std::string dump_time = "0";
    std::string op_name;
    std::vector<DecodedTensor> outputs;
    std::vector<DecodedTensor> inputs;
};

std::string unquoted(const std::string& text) {
    return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

void take_value(DecodedHeader& header, const std::vector<std::string>& blocks, const std::string& key,
                const std::string& value) {
    if (blocks.empty()) {
        if (key == "version") {
            header.version = unquoted(value);
        } else if (key == "dump_time") {
            header.dump_time = value;
        } else if (key == "op_name") {
            header.op_name = unquoted(value);
        }
        return;
    }
    if (blocks[0] != "output" && blocks[0] != "input") {
        return;
    }
    DecodedTensor& tensor = blocks[0] == "output" ? header.outputs.back() : header.inputs.back();
    if (blocks.size() == 1 && key == "size") {
        tensor.size = value;
    } else if (blocks.size() == 1 && key == "data_type") {
        tensor.data_type = value;
    } else if (blocks.size() == 2 && blocks[1] == "shape" && key == "dim") {
        tensor.dims.push_back(value);
    }
}

/// Reads protoc's text form: "key: value", "name {" and "}" on lines of their own.
DecodedHeader parse_text_form(const std::string& text) {
    DecodedHeader header;
    std::vector<std::string> blocks;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        line.erase(0, line.find_first_not_of(' '));
        if (line == "}") {
            blocks.pop_back();
        } else if (line.size() > 2 && line.substr(line.size() - 2) == " {") {
            blocks.push_back(line.substr(0, line.size() - 2));
            if (blocks.size() == 1 && blocks[0] == "output") {
                header.outputs.emplace_back();
            } else if (blocks.size() == 1 && blocks[0] == "input") {
                header.inputs.emplace_back();
            }
        } else if (const std::size_t colon = line.find(": "); colon != std::string::npos) {
            take_value(header, blocks, line.substr(0, colon), line.substr(colon + 2));
        }
    }
    return header;
}

void check_tensors(const std::vector<container::Tensor>& found, const std::vector<DecodedTensor>& expected) {
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        CAPTURE(i);
        CHECK(std::to_string(found[i].size) == expected[i].size);
        CHECK(std::to_string(found[i].data_type) == expected[i].data_type);
        std::vector<std::string> dims;
        for (const std::uint64_t dim : found[i].dims) {
            dims.push_back(std::to_string(dim));
        }
        CHECK(dims == expected[i].dims);
    }
}

void check_against_protoc(const std::string& program, const Buffer& file) {
    const auto contents = container::read_container(file, file.size());
    REQUIRE(outcome(contents) == "ok");
    REQUIRE(contents->form == Container::dump_data_v2);
    const std::string schema = std::string(source_folder) + "/testdata/proto";
    ProcessOptions options;
    options.input.assign(file.begin() + 8, file.begin() + static_cast<std::ptrdiff_t>(contents->data_begin));
    const ProcessResult run = run_process(
        {program, "--decode=toolkit.dumpdata.DumpData", "--proto_path=" + schema, schema + "/dump_data.proto"},
        options);
    CAPTURE(run.err);
    REQUIRE(run.exit_status == 0);
    const DecodedHeader expected = parse_text_form(run.out);
    CHECK(contents->version == expected.version);
    CHECK(std::to_string(contents->dump_time_us.value_or(0)) == expected.dump_time);
    CHECK(contents->op_name == expected.op_name);
    check_tensors(contents->outputs, expected.outputs);
    check_tensors(contents->inputs, expected.inputs);
}

}  // namespace

TEST_CASE("the reader of built headers agrees with protoc") {
    const auto program = protoc();
    if (!program) {
        return;
    }
    for (const Era era : {Era::y2020, Era::y2021, Era::now}) {
        check_against_protoc(*program, build_overflow_dump(ai_core_example(32), era));
    }
    DumpFile file;
    file.op_name = "bert/Add_17";
    Tensor wide = tensor(Buffer(24));
    wide.data_type = 40;
    wide.dims = {1, 300, 70000, 0x7FFFFFFFFFFFFFFF};
    wide.packed_dims = false;
    Tensor bare;
    bare.data_type = 0;
    bare.format = 0;
    file.outputs = {wide, bare, tensor(Buffer(1))};
    file.inputs = {wide, wide};
    file.buffers = {{Buffer(3), 3, 0}};
    file.spaces = {{Buffer(5), 5, 0}};
    put_text_field(file.extra_fields, 9, "message");
    check_against_protoc(*program, build_v2(file));
}

TEST_CASE("the reader of every reference header agrees with protoc (reference data)") {
    const auto reference = reference_data();
    const auto program = protoc();
    if (!reference || !program) {
        return;
    }
    int checked = 0;
    for (const ReferenceDump& item : reference_dumps(*reference)) {
        const bool other_form = item.relative.rfind("v1/", 0) == 0 || item.relative.rfind("nano/", 0) == 0;
        if (item.relative.rfind("bad/", 0) == 0 || other_form) {
            continue;
        }
        CAPTURE(item.relative);
        check_against_protoc(*program, bytes_of(read_file(item.path)));
        ++checked;
    }
    CHECK(checked >= 55);
}

// A dump's bytes to its records, and an operator's dump measured.
#include <opdebug/dump.hpp>
#include <opdebug/status.hpp>
#include <opdebug/tensor.hpp>
#include <opdebug/tree.hpp>

#include "container/container.hpp"
#include "dumps.hpp"
#include "op_dump_builder.hpp"
#include "record/payload.hpp"
#include "samples.hpp"
#include "stages.hpp"

namespace opdebug::bench {
namespace {

std::uint64_t read_containers() {
    std::uint64_t outputs = 0;
    for (const SampleDump& dump : sample_dumps()) {
        outputs += container::read_container(dump.bytes, dump.bytes.size())->outputs.size();
    }
    return outputs;
}

std::uint64_t read_op_dump_headers(const std::vector<test::Buffer>& op_dumps) {
    std::uint64_t tensors = 0;
    for (const test::Buffer& bytes : op_dumps) {
        const auto contents = container::read_container(bytes, bytes.size());
        tensors += contents->inputs.size() + contents->outputs.size();
    }
    return tensors;
}

/// The last 2048 bytes of each of the sample dumps are its payload.
std::uint64_t decode_payloads() {
    constexpr std::size_t size = 2048;
    const auto catalogue = built_in_status_catalogue();
    std::uint64_t records = 0;
    for (const SampleDump& dump : sample_dumps()) {
        std::vector<Diagnostic> diagnostics;
        const Bytes payload(dump.bytes.data() + dump.bytes.size() - size, size);
        records +=
            record::decode_payload(payload, {dump.bytes.size() - size, size}, *catalogue, diagnostics)->records.size();
    }
    return records;
}

std::uint64_t explain_status() {
    std::uint64_t causes = 0;
    for (std::uint64_t status = 0; status < 0x100; ++status) {
        causes += decode_status(Unit::ai_core, {status})->causes.size();
        causes += decode_status(Unit::aiv, {status, 0, status, 0})->causes.size();
        causes += decode_status(Unit::dha_atomic, {status << 8U})->causes.size();
    }
    return causes;
}

std::uint64_t read_names() {
    std::uint64_t ids = 0;
    for (const SampleDump& dump : sample_dumps()) {
        ids += parse_dump_name(file_name_of(dump.path))->task_id.has_value();
        ids += parse_path_ids(dump.path).rank.has_value();
    }
    return ids;
}

std::uint64_t decode_dumps() {
    std::uint64_t overflows = 0;
    for (const SampleDump& dump : sample_dumps()) {
        DecodeOptions options;
        options.file = dump.path;
        overflows += decode(dump.bytes, options)->overflow().value_or(false);
    }
    return overflows;
}

/// 256 KiB of float16, one of 1000 an Inf.
test::Buffer large_op_dump() {
    constexpr std::size_t count = 128U << 10U;
    test::Buffer values(count * 2);
    for (std::size_t i = 0; i < count; ++i) {
        values[2 * i + 1] = i % 1000 == 999 ? 0x7C : 0x3C;
    }
    return test::build_v2(test::op_dump({}, {test::tensor_of(test::float16_type, {count}, std::move(values))}));
}

Run prepare_op_dump_headers() {
    std::vector<test::Buffer> op_dumps;
    for (const SampleDump& dump : sample_dumps()) {
        op_dumps.push_back(op_dump_bytes(dump.overflow));
    }
    return [op_dumps] { return read_op_dump_headers(op_dumps); };
}

Run prepare_measuring() {
    return [bytes = large_op_dump()]() -> std::uint64_t { return measure_op_dump(Bytes(bytes))->tensors.size(); };
}

}  // namespace

std::vector<Stage> dump_stages() {
    sample_dumps();
    return {{"container.overflow_dumps", [] { return Run(read_containers); }},
            {"container.op_dumps", prepare_op_dump_headers},
            {"record.decode", [] { return Run(decode_payloads); }},
            {"status.explain", [] { return Run(explain_status); }},
            {"tree.names", [] { return Run(read_names); }},
            {"dump.decode", [] { return Run(decode_dumps); }},
            {"tensor.float16", prepare_measuring}};
}

}  // namespace opdebug::bench

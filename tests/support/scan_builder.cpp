#include "scan_builder.hpp"

#include <doctest/doctest.h>

#include "dump_builder.hpp"
#include "report/pages/pages.hpp"

namespace opdebug::test {

report::ScanEntry& BuiltScan::add(DumpState state, const std::string& file) {
    ++scan.counts.dumps;
    ++(state == DumpState::overflowed ? scan.counts.overflowed
       : state == DumpState::clean    ? scan.counts.clean
                                      : scan.counts.failed);
    report::ScanEntry entry;
    entry.item.state = state;
    entry.item.file = file;
    if (state == DumpState::failed) {
        entry.failure_code = "header_truncated";
        entry.failure_message = "the header ends early";
    }
    entries.push_back(new report::ScanEntry(entry));
    return entries.back();
}

report::ScanEntry& BuiltScan::add_overflow(const std::string& file, std::optional<std::uint64_t> rank,
                                           std::optional<std::uint64_t> milliseconds,
                                           const std::vector<std::string>& causes) {
    report::ScanEntry& entry = add(DumpState::overflowed, file);
    entry.item.path_ids.rank = rank;
    if (milliseconds) {
        entry.item.timestamp_us = scan_start_us + *milliseconds * 1000;
    }
    for (const std::string& cause : causes) {
        entry.item.causes.push_back({cause});
    }
    return entry;
}

void BuiltScan::set_first(const std::string& file, const std::string& operator_name, std::uint64_t status) {
    DecodeOptions decoding;
    decoding.file = file;
    const Buffer bytes = build_overflow_dump(ai_core_example(status));
    Result<Dump> dump = decode(Bytes(bytes.data(), bytes.size()), decoding);
    REQUIRE(dump.ok());
    ScannedDump scanned;
    scanned.state = DumpState::overflowed;
    scanned.file = file;
    scanned.dump = std::move(*dump);
    LocatedOperator op;
    op.best.name = operator_name;
    op.best.type = "Exp";
    op.best.evidence = {{EvidenceKind::ge_log, "logs/debug/plog-7.log", 42, "Save dump task " + operator_name}};
    scanned.location.op = op;
    first = std::move(scanned);
}

void BuiltScan::add_chain() {
    options.report.tensors = true;
    OverflowChain chain;
    chain.step = 3;
    chain.rank = 2;
    chain.model = script_name;
    chain.count = 30;
    chain.not_visible = chain.born_here = 1;
    chain.inherited = 28;
    chain.first_us = scan_start_us;
    chain.links = {
        {0, script_name, scan_start_us, "Mul", attribute_name, Origin{OriginVerdict::not_visible, "clean"}},
        {1, "b", std::nullopt, "", "", Origin{OriginVerdict::born_here, "output 0 contains " + script_name}}};
    chain.first_bad = chain.first_born_here = chain.links[1];
    chain.inherited_after = 28;
    chain.remarks = {{Severity::warning, "first_bad_uncertain", "rank 1 " + script_name}};
    chains.chains.push_back(chain);
    chains.count = 1;
    entries[1].item.origin = chain.links[1].origin;
}

std::string BuiltScan::text() const {
    std::string text;
    report::scan_text(*this, [&text](std::string_view piece) {
        text += piece;
        return true;
    });
    return text;
}

std::string BuiltScan::html() const {
    std::string text;
    report::scan_html(*this, [&text](std::string_view piece) {
        text += piece;
        return true;
    });
    return text;
}

namespace {

const std::string job_folder = "/data/run/rank_";

/// 24 overflows of four ranks and six steps, as a job leaves them.
void add_overflows_of_job(BuiltScan& built) {
    for (std::uint64_t i = 0; i < 24; ++i) {
        const std::uint64_t rank = i % 4;
        const bool casts = i % 3 == 1;
        report::ScanEntry& entry = built.add_overflow(
            job_folder + std::to_string(rank) + "/20260304100000/" + std::to_string(rank) + "/toy_net/11/" +
                std::to_string(i / 4) + "/Opdebug.Node_OpDebug.59." + std::to_string(scan_start_us + i * 731'000),
            rank, i * 731,
            casts ? std::vector<std::string>{"ai_core.float_overflow", "ai_core.fp16_conversion_overflow"}
                  : std::vector<std::string>{i % 7 == 6 ? "l2_atomic.overflow" : "ai_core.float_overflow"});
        entry.item.path_ids.device_id = rank;
        entry.item.path_ids.data_index = i / 4;
        entry.item.operator_type = casts ? "Cast" : "Exp";
        entry.item.operator_name = casts ? "net/layer_3/attention/softmax/Cast" : "net/layer_3/attention/softmax/Exp";
        entry.item.model = "toy_net";
    }
}

std::vector<ScanGroup> hostile_groups() {
    return {{"ai_core.float_overflow",
             "Exp",
             "net/layer_3/attention/softmax/Exp",
             "toy_net",
             14,
             9,
             {0, 1, 2, 3},
             {0, 1, 2, 3},
             {0, 1, 2, 3, 4, 5},
             scan_start_us,
             scan_start_us + 16'000'000,
             "a",
             {{Severity::info, "every_step", "in 6 of 6 steps"}}},
            {"ai_core.fp16_conversion_overflow",
             "Cast",
             "net/layer_3/attention/softmax/Cast",
             "toy_net",
             8,
             8,
             {1, 3},
             {},
             {0, 2},
             scan_start_us + 731'000,
             scan_start_us + 9'000'000,
             "b",
             {{Severity::warning, "core_concentration", "7 of 8 on core 17"}}},
            {"l2_atomic.overflow",
             script_name,
             attribute_name,
             "",
             2,
             1,
             {2},
             {2},
             {1},
             std::nullopt,
             std::nullopt,
             "c",
             {}}};
}

}  // namespace

BuiltScan hostile_scan() {
    BuiltScan built;
    add_overflows_of_job(built);
    built.entries[2].item.operator_name = attribute_name;
    built.entries[3].item.file = "/data/run/" + script_name;
    built.entries[5].item.file = "/data/run/\x1b[31mred\x1b[0m \xff\xfe";
    built.entries[6].item.operator_type = "</title><img src=x onerror=\"document.title='ran'\">";
    built.entries[7].item.causes.assign(1, {"' autofocus onfocus='document.title=1"});
    for (int i = 0; i < 4; ++i) {
        built.add(DumpState::clean, job_folder + "0/clean" + std::to_string(i));
    }
    for (int i = 0; i < 3; ++i) {
        built.add(DumpState::failed, job_folder + "1/" + script_name + std::to_string(i));
    }
    built.scan.inputs = {"/data/run", "/data/" + script_name};
    built.scan.counts.op_dumps = 210;
    built.scan.counts.other_files = 14;
    built.scan.failures = {{ErrorCode::permission_denied, "the folder may not be read", "/data/run/closed", {}}};
    built.overview.diagnostics = {
        {Severity::warning, "first_uncertain",
         "a dump of rank 1 is 0.731 s later: clocks of two hosts may differ by more " + script_name}};
    built.overview.groups = hostile_groups();
    built.set_first(built.entries[0].item.file, "net/layer_3/attention/softmax/Exp");
    built.add_chain();
    return built;
}

}  // namespace opdebug::test

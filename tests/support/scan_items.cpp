#include "scan_items.hpp"

#include <algorithm>
#include <stdexcept>

#include "dump_builder.hpp"

namespace opdebug::test {
namespace {

ScannedDump scanned_bytes(const std::string& file, const Buffer& bytes) {
    DecodeOptions options;
    options.file = file;
    const Result<Dump> dump = decode({bytes.data(), bytes.size()}, options);
    if (!dump) {
        throw std::runtime_error(to_string(dump.error()));
    }
    ScannedDump scanned;
    scanned.file = file;
    scanned.dump = *dump;
    scanned.state = dump->overflow().value_or(false) ? DumpState::overflowed : DumpState::clean;
    return scanned;
}

}  // namespace

ScanItem overflowed_item(const std::string& file, std::optional<std::uint64_t> step,
                         std::optional<std::uint64_t> time) {
    ScanItem item;
    item.file = file;
    item.state = DumpState::overflowed;
    item.path_ids.data_index = step;
    item.timestamp_us = time;
    item.causes.push_back({"ai_core.float_overflow"});
    return item;
}

ScanItem item_of_rank(std::uint64_t rank, std::optional<std::uint64_t> step, std::optional<std::uint64_t> time) {
    const std::string folder = "run/rank_" + std::to_string(rank) + "/" + (step ? std::to_string(*step) : "-") + "/";
    ScanItem item = overflowed_item(folder + (time ? std::to_string(*time) : "none"), step, time);
    item.path_ids.rank = rank;
    return item;
}

ScanOverview overview_in_order(std::vector<ScanItem> items) {
    std::sort(items.begin(), items.end(), comes_before);
    return overview_of(items);
}

std::string remark_codes(const std::vector<Diagnostic>& remarks) {
    std::string text;
    for (const Diagnostic& remark : remarks) {
        text += (text.empty() ? "" : ", ") + remark.code;
    }
    return text;
}

std::string message_of(const std::vector<Diagnostic>& remarks, std::string_view code) {
    for (const Diagnostic& remark : remarks) {
        if (remark.code == code) {
            return remark.message;
        }
    }
    return {};
}

ScannedDump scanned_dump(const std::string& file, std::uint64_t status) {
    return scanned_bytes(file, build_overflow_dump(ai_core_example(status)));
}

ScannedDump scanned_dump(const std::string& file, const AcceleratorPayload& payload) {
    return scanned_bytes(file, build_overflow_dump(payload));
}

ScannedDump failed_dump(const std::string& file, ErrorCode code, const std::string& message) {
    ScannedDump scanned;
    scanned.file = file;
    scanned.state = DumpState::failed;
    scanned.failure = Error{code, message, file, std::nullopt};
    return scanned;
}

Scan scan_of(const std::vector<ScannedDump>& dumps) {
    Scan scan;
    scan.inputs = {"run"};
    scan.counts.dumps = dumps.size();
    for (const ScannedDump& dump : dumps) {
        ++(dump.state == DumpState::overflowed ? scan.counts.overflowed
           : dump.state == DumpState::clean    ? scan.counts.clean
                                               : scan.counts.failed);
    }
    scan.counts.op_dumps = 1;
    scan.counts.other_files = 2;
    return scan;
}

ScanReport report_of(const std::vector<ScannedDump>& dumps, ScanReportOptions options) {
    return report_of(dumps, scan_of(dumps), std::move(options));
}

ScanReport report_of(const std::vector<ScannedDump>& dumps, const Scan& scan, ScanReportOptions options) {
    ScanReport report(std::move(options));
    for (const ScannedDump& dump : dumps) {
        report.add(dump);
    }
    if (const auto error = report.finish(scan)) {
        throw std::runtime_error(to_string(*error));
    }
    return report;
}

std::string written(const ScanReport& report, WriteReport write) {
    std::string text;
    const auto error = (report.*write)([&text](std::string_view piece) {
        text += piece;
        return true;
    });
    if (error) {
        throw std::runtime_error(to_string(*error));
    }
    return text;
}

}  // namespace opdebug::test

// The members of what a part states about its scans.
#pragma once

#include "report/parts/members.hpp"
#include "report/parts/part_lines.hpp"

namespace opdebug::report {

template <>
inline constexpr ApiSource kLast<ApiSource> = ApiSource::statistic_csv;
template <>
inline constexpr ApiValueKind kLast<ApiValueKind> = ApiValueKind::output;
template <>
inline constexpr ApiState kLast<ApiState> = ApiState::nan;
template <>
inline constexpr ApiVerdict kLast<ApiVerdict> = ApiVerdict::unknown;

void members(auto& visit, Of<ApiFindingValue> auto& shown) {
    auto& value = shown.value;
    visit.always("kind", value.kind);
    visit.always("index", value.index);
    visit("is_scalar", value.is_scalar);
    visit("dtype", value.dtype);
    visit.always("shape", value.shape);
    visit("max", value.max);
    visit("min", value.min);
    visit("norm", value.norm);
    visit("nan", value.nan);
    visit("pos_inf", value.pos_inf);
    visit("neg_inf", value.neg_inf);
    visit("checksum", value.checksum);
    visit("data_name", value.data_name);
    visit.always("state", shown.state);
}

void members(auto& visit, Of<ApiFinding> auto& finding) {
    visit.always("source", finding.source);
    visit("step", finding.step);
    visit("rank", finding.rank);
    visit("process", finding.process);
    visit("from_rank", finding.from_rank);
    visit.always("api", finding.api);
    visit.always("position", finding.position);
    visit.always("verdict", finding.verdict);
    visit.always("because", finding.because);
    visit("because_zh", finding.because_zh);
    visit.always("tensors", finding.values);
    visit.always("stack", finding.stack);
    visit.always("file", finding.file);
    visit("operator_type", finding.operator_type);
    visit("task_id", finding.task_id);
    visit("stream_id", finding.stream_id);
    visit("timestamp_us", finding.timestamp_us);
    visit.always("diagnostics", finding.remarks);
}

void members(auto& visit, Of<ApiCounts> auto& counts) {
    visit.always("files", counts.files);
    visit.always("entries", counts.entries);
    visit.always("steps", counts.steps);
    visit.always("ranks", counts.ranks);
    visit.always("failed", counts.failed);
}

void members(auto& visit, Of<ApiReport> auto& report) {
    visit.always("counts", report.counts);
    visit.always("first", report.first);
    visit.always("findings", report.findings);
    visit.always("failures", report.failures);
    visit.always("diagnostics", report.diagnostics);
    visit.always("complete", report.complete);
}

void members(auto& visit, Of<KernelOverflow> auto& overflow) {
    visit.always("file", overflow.file);
    visit("timestamp_us", overflow.timestamp_us);
    visit("step", overflow.step);
    visit("rank", overflow.rank);
    visit("device_id", overflow.device_id);
    visit("stream_id", overflow.stream_id);
    visit("task_id", overflow.task_id);
    visit("operator_type", overflow.operator_type);
    visit("operator", overflow.operator_name);
    visit("kernel", overflow.kernel);
}

void members(auto& visit, Of<ScanApiDumps> auto& api) {
    visit("report", api.report);
    visit.always("overflows", api.overflows);
    visit.always("left_out", api.overflows_left_out);
}

void members(auto& visit, Of<ScanDamage> auto& damage) {
    visit.always("damaged", damage.damaged);
    visit.always("first", damage.first);
    visit.always("unmeasured", damage.unmeasured);
    visit("first_unmeasured", damage.first_unmeasured);
    visit("first_unmeasured_of", damage.first_unmeasured_of);
    visit("clean_with_warning", damage.clean_with_warning);
    visit("diagnostics", damage.warnings_of_clean);
    visit.always("not_read", damage.not_read);
    visit.always("every_folder_searched", damage.every_folder_searched);
}

/// Without the name, which the first line has.
void members(auto& visit, Of<PartFacts> auto& facts) {
    visit.always("lines", facts.lines);
    visit.always("op_dumps", facts.op_dumps);
    visit.always("other_files", facts.other_files);
    visit.always("complete", facts.complete);
    visit.always("damage", facts.damage);
    visit.always("failures", facts.failures);
    visit.always("diagnostics", facts.diagnostics);
    visit("api", facts.api);
}

void members(auto& visit, Of<ScanShard> auto& shard) {
    visit.always("index", shard.index);
    visit.always("count", shard.count);
}

void members(auto& visit, Of<ScannedTree> auto& tree) {
    visit.always("dumps", tree.dumps);
    visit.always("digest", tree.digest);
}

void members(auto& visit, Of<PartName> auto& name) {
    visit.always("version", name.version);
    visit("host", name.host);
    visit.always("inputs", name.inputs);
    visit("shard", name.shard);
    visit.always("tree", name.tree);
}

void members(auto& visit, Of<PartOptions> auto& options) {
    visit.always("all", options.all);
    visit.always("tensors", options.tensors);
    visit.always("first", options.first);
}

void members(auto& visit, Of<FirstWords> auto& words) {
    visit.always("record", words.record);
    visit("operator", words.op);
    visit("reason", words.reason);
    visit("next", words.next);
    visit("confidence", words.confidence);
    visit("failure", words.failure);
    visit("failure_next", words.failure_next);
    visit("warnings", words.warnings);
    visit("statistics", words.statistics);
    visit.always("causes", words.causes);
}

void members(auto& visit, Of<FirstTexts> auto& texts) {
    visit("en", texts.english);
    visit("zh", texts.chinese);
}

}  // namespace opdebug::report

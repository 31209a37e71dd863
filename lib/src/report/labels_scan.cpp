#include "report/labels_scan.hpp"

namespace opdebug::report {
namespace {

constexpr ScanLabels kEnglish{
    .title_format = "opdebug scan: {} of {} dumps overflowed",
    .counts_format = "{} overflowed, {} clean, {} failed",
    .others_format = "{} op dumps, {} other files",
    .more_format = "{} more groups (use --format json)",
    .failures_format = "{} more (use --format json)",
    .inputs = "Input",
    .dumps = "Dumps",
    .others = "Beside them",
    .incomplete = "The scan was stopped early: what follows is incomplete.",
    .first = "First overflow",
    .none = "No overflow was found.",
    .none_readable = "No overflow was found in the dumps that could be read.",
    .order = "Is it the first?",
    .groups = "Groups",
    .timeline = "Timeline",
    .failures = "Failed dumps",
    .folders = "Not read",
    .remarks = "Remarks on the scan",
    .count = "Dumps",
    .bursts = "Bursts",
    .first_time = "First (UTC)",
    .ranks = "Ranks",
    .devices = "Devices",
    .steps = "Steps",
    .cause = "Cause",
    .model = "Model",
    .op = "Operator (type)",
    .unknown_time = "time unknown",
};

constexpr ScanLabels kChinese{
    .title_format = "opdebug 扫描：{1} 个 dump 中有 {0} 个溢出",
    .counts_format = "溢出 {}，未溢出 {}，失败 {}",
    .others_format = "算子 dump {}，其他文件 {}",
    .more_format = "另有 {} 组（请使用 --format json）",
    .failures_format = "另有 {} 项（请使用 --format json）",
    .inputs = "输入",
    .dumps = "溢出 dump",
    .others = "此外",
    .incomplete = "扫描提前停止：以下内容不完整。",
    .first = "首个溢出",
    .none = "未发现溢出。",
    .none_readable = "在可读取的 dump 中未发现溢出。",
    .order = "它确实是首个吗？",
    .groups = "分组",
    .timeline = "时间线",
    .failures = "失败的 dump",
    .folders = "未能读取",
    .remarks = "关于本次扫描的说明",
    .count = "dump 数",
    .bursts = "突发次数",
    .first_time = "首次 (UTC)",
    .ranks = "Rank",
    .devices = "Device",
    .steps = "Step",
    .cause = "原因",
    .model = "模型",
    .op = "算子（类型）",
    .unknown_time = "时间未知",
};

}  // namespace

const ScanLabels& scan_labels_in(Language language) {
    return language == Language::chinese ? kChinese : kEnglish;
}

}  // namespace opdebug::report

#include "report/labels_scan.hpp"

namespace opdebug::report {
namespace {

constexpr ScanLabels kEnglish{
    .title_format = "opdebug scan: {} of {} dumps overflowed",
    .counts_format = "{} overflowed, {} clean, {} failed",
    .others_format = "{} op dumps, {} other files",
    .more_format = "{} more groups (use --format json)",
    .failures_format = "{} more (use --format json)",
    .chain_format = "dumps {} (born here {}, inherited {}, not visible {}, not measured {})",
    .links_format = "{} more",
    .chains_format = "{} more chains (use --format json)",
    .no_value_format = "chains without a measured operator dump, not listed: {}",
    .inputs = "Input",
    .dumps = "Dumps",
    .others = "Beside them",
    .incomplete = "The scan was stopped early: what follows is incomplete.",
    .first = "First overflow",
    .none = "No overflow was found.",
    .none_readable = "No overflow was found in the dumps that could be read.",
    .order = "Is it the first?",
    .chains = "Chains of overflows, with the first bad value that the dumps show",
    .no_bad_value = "no dump of this chain shows a bad value",
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
    .chain_format = "dump {} 个（在此产生 {}，由输入带入 {}，不可见 {}，未测量 {}）",
    .links_format = "另有 {} 个",
    .chains_format = "另有 {} 条链（请使用 --format json）",
    .no_value_format = "没有可测量的算子 dump、未列出的链：{}",
    .inputs = "输入",
    .dumps = "溢出 dump",
    .others = "此外",
    .incomplete = "扫描提前停止：以下内容不完整。",
    .first = "首个溢出",
    .none = "未发现溢出。",
    .none_readable = "在可读取的 dump 中未发现溢出。",
    .order = "它确实是首个吗？",
    .chains = "溢出链，以及 dump 中可见的首个异常值",
    .no_bad_value = "此链的 dump 中未见异常值",
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

#include "report/text/labels_scan.hpp"

namespace opdebug::report {
namespace {

constexpr ScanLabels scan_words(Language language) {
    const auto say = [language](std::string_view english, std::string_view chinese) {
        return language == Language::chinese ? chinese : english;
    };
    return {
        .title_format = say("opdebug scan: {} of {} dump{} overflowed", "opdebug 扫描：{1} 个 dump 中有 {0} 个溢出"),
        .api_only_format =
            say("opdebug scan: no overflow dumps; {} API dump{}", "opdebug 扫描：没有溢出 dump；{} 个 API dump"),
        .stopped_format = say("opdebug scan: {} of the {} dump{} read overflowed ({} found)",
                              "opdebug 扫描：已读取的 {1} 个 dump 中有 {0} 个溢出（共找到 {3} 个）"),
        .counts_format = say("{} overflowed, {} clean, {} failed", "溢出 {}，未溢出 {}，失败 {}"),
        .others_format = say("{} op dump{}, {} other file{}", "算子 dump {0}，其他文件 {2}"),
        .more_format = say("{} more group{} (use --format json)", "另有 {} 组（请使用 --format json）"),
        .failures_format = say("{} more (use --format json)", "另有 {} 项（请使用 --format json）"),
        .chain_format = say("dumps {} (born here {}, inherited {}, not visible {}, not measured {})",
                            "dump {} 个（在此产生 {}，由输入带入 {}，不可见 {}，未测量 {}）"),
        .links_format = say("{} more", "另有 {} 个"),
        .chains_format = say("{} more chain{} (use --format json)", "另有 {} 条链（请使用 --format json）"),
        .no_value_format =
            say("chains without a measured operator dump, not listed: {}", "没有可测量的算子 dump、未列出的链：{}"),
        .inputs = say("Input", "输入"),
        .dumps = say("Dumps", "溢出 dump"),
        .others = say("Beside them", "此外"),
        .incomplete = say("The scan was stopped early, or parts of it are missing: what follows is incomplete.",
                          "扫描提前停止，或缺少部分报告：以下内容不完整。"),
        .first = say("First overflow", "首个溢出"),
        .none = say("No overflow was found.", "未发现溢出。"),
        .none_readable =
            say("No overflow was found in the dumps that could be read.", "在可读取的 dump 中未发现溢出。"),
        .order = say("Is it the first?", "它确实是首个吗？（说明为英文）"),
        .chains = say("Chains of overflows; > marks the first bad value that the dumps show",
                      "溢出链，> 标记 dump 中可见的首个异常值（原因为英文）"),
        .no_bad_value = say("no dump of this chain shows a bad value", "此链的 dump 中未见异常值"),
        .groups = say("Groups", "分组"),
        .timeline = say("Timeline", "时间线"),
        .failures = say("Failed dumps", "失败的 dump（原因为英文）"),
        .folders = say("Not read", "未能读取（原因为英文）"),
        .remarks = say("Remarks on the scan", "关于本次扫描的说明（英文）"),
        .groups_note =
            say("A dump with two causes is in two groups. Bursts are runs of dumps less than a second apart, "
                "counted for each rank, device and process.",
                "有两种原因的 dump 计入两个组。突发：间隔小于一秒的连续 dump，按 rank、device 和进程分别计数。"),
        .count = say("Dumps", "dump 数"),
        .bursts = say("Bursts", "突发次数"),
        .first_time = say("First (UTC)", "首次 (UTC)"),
        .last_time = say("Last (UTC)", "末次 (UTC)"),
        .ranks = say("Ranks", "Rank"),
        .devices = say("Devices", "Device"),
        .steps = say("Steps", "Step"),
        .cause = say("Cause", "原因"),
        .model = say("Model", "模型"),
        .op = say("Operator (type)", "算子（类型）"),
        .unknown_time = say("time unknown", "时间未知"),
    };
}

constexpr ScanLabels kScanEnglish = scan_words(Language::english);
constexpr ScanLabels kScanChinese = scan_words(Language::chinese);

}  // namespace

const ScanLabels& scan_labels_in(Language language) {
    return language == Language::chinese ? kScanChinese : kScanEnglish;
}

}  // namespace opdebug::report

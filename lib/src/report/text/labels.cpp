#include "report/text/labels.hpp"

#include <fmt/format.h>

namespace opdebug::report {
namespace {

constexpr Labels common_words(Language language) {
    const auto say = [language](std::string_view english, std::string_view chinese) {
        return language == Language::chinese ? chinese : english;
    };
    return {
        .overflow = say("OVERFLOW", "溢出"),
        .failed = say("OVERFLOW, TASK FAILED", "溢出，任务失败"),
        .clean = say("no overflow", "未溢出"),
        .unknown_overflow =
            say("not known whether there was an overflow: records are missing", "无法判断是否溢出：缺少记录"),
        .damaged = say("damaged dump, partial result", "文件损坏，结果不完整"),
        .op_unknown = say("operator unknown: ", "算子未知："),
        .to_do = say("next: ", "处理方法："),
        .or_else = say("  or   ", "  或   "),
        .why = say("Why   ", "原因  "),
        .next = say("Next", "处理方法"),
        .measure_inputs = say("Were the inputs bad already? Run the command again with --tensors.",
                              "输入是否已经异常？加上 --tensors 再次运行该命令。"),
        .dump_inputs = say("The inputs were not dumped: set dump mode \"all\" for the next run, then use --tensors.",
                           "输入未落盘：下次运行将 dump_mode 设为 all，再使用 --tensors。"),
        .follow_input = say("Look at the operator that computes the bad input.", "检查计算该异常输入的上游算子。"),
        .read_statistics_format = say("Were the inputs bad already? See their statistics: opdebug api {}",
                                      "输入是否已经异常？查看其统计值：opdebug api {}"),
        .records_format = say("{} records", "{} 条记录"),
        .cores = say("core ids", "核编号"),
        .more_format = say("  {} more (-v)\n", "  另有 {} 项（-v）\n"),
        .details = say("Details", "详细信息"),
        .cause = say("Cause", "原因"),
        .no_cause = say("no documented cause", "文档中没有对应的原因"),
        .advice = say("Advice", "建议"),
        .source = say("Source", "出处"),
        .undocumented = say("Undocumented bits", "文档未说明的位"),
        .undocumented_inside = say("undocumented bits", "文档未说明的位"),
        .status = say("status", "状态值"),
        .bits = say("bits", "位"),
        .code = say("code", "编码"),
        .type_unknown = say("type unknown", "类型未知"),
        .kernel = say("Kernel", "核函数"),
        .kernel_word = say("kernel", "核函数"),
        .model = say("Model", "模型"),
        .runtime_id = say("runtime id", "Runtime 模型 ID"),
        .ge_id = say("GE id", "GE 模型 ID"),
        .graph_id = say("graph id", "图 ID"),
        .task = say("Task", "任务"),
        .address = say("Addresses", "地址"),
        .time = say("Time", "时间"),
        .place = say("Place", "位置"),
        .file = say("File", "文件"),
        .path_model = say("model", "模型"),
        .path_model_id = say("model id", "模型 ID"),
        .data_index = say("data index", "数据序号"),
        .folder_time = say("folder time", "目录时间"),
        .origin = say("Origin  ", "来源    "),
        .born_here = say("born here", "在此产生"),
        .inherited = say("inherited", "由输入带入"),
        .not_visible = say("not visible", "不可见"),
        .not_measured = say("not measured", "未测量"),
        .no_tensors = say("the dump holds no inputs and outputs", "该文件中没有输入和输出"),
        .origin_unknown = say("bad value shown, origin unknown", "可见异常值，来源未知"),
        .not_visible_damaged = say("not visible (operator dump damaged)", "不可见（算子 dump 损坏）"),
        .not_measured_damaged = say("not measured (operator dump damaged)", "未测量（算子 dump 损坏）"),
        .no_op_dump = say("no operator dump", "没有算子 dump"),
        .proof = say("Evidence", "依据"),
        .proof_short = say("Evidence   (whole lines: -v)", "依据   （-v 显示完整日志行）"),
        .line_format = say("line {}", "第 {} 行"),
        .op_dump = say("operator dump", "算子 dump"),
        .remarks = say("Remarks", "说明"),
        .inferred = say("inferred", "推断"),
        .uses =
            say("Uses of these ids, and the row of the table that decided", "这些 id 的各次使用，以及起决定作用的规则"),
        .excluded_format = say("excluded by \"{}\"", "被规则 \"{}\" 排除"),
        .behind_format = say("placed after by \"{}\"", "按规则 \"{}\" 排在后面"),
        .unnamed = say("no name", "无名称"),
        .error = say("error", "错误"),
        .warning = say("warning", "警告"),
        .info = say("info", "提示"),
        .colon = say(": ", "："),
        .comma = say(", ", "，"),
    };
}

constexpr Labels kCommonEnglish = common_words(Language::english);
constexpr Labels kCommonChinese = common_words(Language::chinese);

}  // namespace

const Labels& labels_in(Language language) {
    return language == Language::chinese ? kCommonChinese : kCommonEnglish;
}

std::string Labels::more(std::size_t count) const {
    return fmt::format(fmt::runtime(more_format), count);
}

std::string_view verdict_label(OriginVerdict verdict, const Labels& labels) {
    switch (verdict) {
        case OriginVerdict::born_here: return labels.born_here;
        case OriginVerdict::inherited: return labels.inherited;
        case OriginVerdict::not_visible: return labels.not_visible;
    }
    return labels.not_visible;
}

std::string_view chain_label(const std::optional<Origin>& origin, OpDumpState op_dump, const Labels& labels) {
    if (!origin) {
        return op_dump == OpDumpState::absent    ? labels.no_op_dump
               : op_dump == OpDumpState::damaged ? labels.not_measured_damaged
                                                 : labels.not_measured;
    }
    if (origin->verdict == OriginVerdict::not_visible && origin->bad_output) {
        return labels.origin_unknown;
    }
    return origin->verdict == OriginVerdict::not_visible && op_dump == OpDumpState::damaged
               ? labels.not_visible_damaged
               : verdict_label(origin->verdict, labels);
}

std::string_view severity_label(Severity severity, const Labels& labels) {
    switch (severity) {
        case Severity::error: return labels.error;
        case Severity::warning: return labels.warning;
        case Severity::info: return labels.info;
    }
    return labels.info;
}

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
        .others = say("Beside them", "此外"),
        .incomplete = say("The scan was stopped early, or parts of it are missing: what follows is incomplete.",
                          "扫描提前停止，或缺少部分报告：以下内容不完整。"),
        .first = say("First overflow", "首个溢出"),
        .none = say("No overflow was found.", "未发现溢出。"),
        .none_readable =
            say("No overflow was found in the dumps that could be read.", "在可读取的 dump 中未发现溢出。"),
        .none_read =
            say("No dump could be read: an overflow is not excluded.", "没有可读取的 dump：无法判断是否溢出。"),
        .chains = say("Chains of overflows; > marks the first bad value that the dumps show",
                      "溢出链，> 标记 dump 中可见的首个异常值"),
        .training = say("Training log", "训练日志"),
        .no_bad_value = say("no dump of this chain shows a bad value", "此链的 dump 中未见异常值"),
        .groups = say("Groups", "分组"),
        .timeline = say("Timeline", "时间线"),
        .folders = say("Not read", "未能读取"),
        .remarks = say("Remarks on the scan", "关于本次扫描的说明"),
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

namespace {

constexpr ApiLabels api_words(Language language) {
    const auto say = [language](std::string_view english, std::string_view chinese) {
        return language == Language::chinese ? chinese : english;
    };
    return {
        .counts_format = say("{} {} in {} {}, {} {}, {} {}", "{} {}，{} {}，{} {}，{} {}"),
        .calls = {say("call", "个调用"), say("calls", "个调用")},
        .files = {say("file", "个文件"), say("files", "个文件")},
        .steps = {say("step", "个 step"), say("steps", "个 step")},
        .ranks = {say("rank", "个 rank"), say("ranks", "个 rank")},
        .none = say("No call made or shows a bad value.", "没有产生或显示异常值的调用。"),
        .none_in_slice = say("No call made or shows a bad value in the dumped slice.",
                             "在已 dump 的切片中，没有产生或显示异常值的调用。"),
        .none_judged = say("No call could be judged.", "没有可判断的调用。"),
        .first = say("FIRST BAD VALUE", "首个异常值"),
        .several_format = say("FIRST BAD VALUES ({}, {})", "首个异常值（{} 个，{}）"),
        .unordered = say("in an order that is not known", "先后无法判断"),
        .of_runs = say("those of each run", "各次运行分别判断"),
        .of_exchange = say("in calls between ranks", "位于 rank 间的通信调用"),
        .failures = say("Unreadable files", "无法读取的文件"),
        .remarks = say("Remarks", "说明"),
        .incomplete = say("Reading was stopped early: the answer is incomplete.", "读取提前停止：结果不完整。"),
        .file = say("file: ", "文件："),
        .stack = say("call stack", "调用栈"),
        .no_stack = say("not dumped", "未保存"),
        .unread_stack = say("could not be read (see the remarks)", "无法读取（见说明）"),
        .next = say("next: ", "处理方法："),
        .value = say("value", "数据"),
        .type = say("type", "类型"),
        .shape = say("shape", "形状"),
        .max = say("max", "最大值"),
        .min = say("min", "最小值"),
        .state = say("state", "状态"),
        .run = say("run", "运行"),
        .step = say("step", "step"),
        .rank = say("rank", "rank"),
        .position = say("position", "序号"),
        .verdict = say("verdict", "结论"),
        .api = say("call", "调用"),
        .reason = say("reason", "原因"),
        .position_format = say("position {} (from 0) in the order of calls", "调用顺序中的序号 {}（从 0 计）"),
        .before_format = {say("{} call before any other rank", "比其他所有 rank 早 {} 个调用"),
                          say("{} calls before any other rank", "比其他所有 rank 早 {} 个调用")},
        .by_calls = say("first by the calls between ranks", "由 rank 间的通信调用确定为最早"),
        .alone = say("no other rank shows a bad value", "其他 rank 没有异常值"),
        .of_ranks = say("First bad call of each rank", "各 rank 的首个异常调用"),
        .of_ranks_step_format = say("First bad call of each rank in step {}", "step {} 中各 rank 的首个异常调用"),
        .clean_ranks_format = {say("{} other rank shows no bad value", "另有 {} 个 rank 没有异常值"),
                               say("{} other ranks show no bad value", "另有 {} 个 rank 没有异常值")},
        .from_format = say("from rank {}", "来自 rank {}"),
        .others = say("Other calls that made a bad value", "其他产生异常值的调用"),
        .findings = say("All findings", "所有发现"),
        .shown_format = say("({} of {})", "（共 {1} 个，显示 {0} 个）"),
        .all_format = say("; {} findings (--all)", "；{} 个发现（--all）"),
        .none_chosen = say("No finding fits the filters.", "没有符合筛选条件的发现。"),
        .more_format = say("{} more (use --format json)", "另有 {} 项（请使用 --format json）"),
        .more_frames_format = say("  {} more (-v)", "  另有 {} 项（-v）"),
        .more_ranks_format = say("{} more ranks (--all)", "另有 {} 个 rank（--all）"),
        .unknown_rank = say("rank unknown", "rank 未知"),
        .process = say("process", "进程"),
        .comma = say(", ", "，"),
        .colon = say(": ", "："),
        .section = say("API dumps", "API dump"),
        .timeline = say("Calls with findings and overflow dumps, by step and rank",
                        "有发现的调用与溢出 dump（按 step 和 rank）"),
        .kind = say("Kind", "类别"),
        .call = say("call", "调用"),
        .dump = say("dump", "dump"),
        .what = say("Call or operator", "调用或算子"),
        .place_or_time = say("Position or time", "序号或时间"),
        .tie = say("Verdict or tie", "结论或关联"),
        .not_tied = say("not tied", "无关联"),
    };
}

constexpr ApiLabels kApiEnglish = api_words(Language::english);
constexpr ApiLabels kApiChinese = api_words(Language::chinese);

}  // namespace

const ApiLabels& api_labels_in(Language language) {
    return language == Language::chinese ? kApiChinese : kApiEnglish;
}

std::string_view api_verdict_label(ApiVerdict verdict, Language language) {
    const bool chinese = language == Language::chinese;
    switch (verdict) {
        case ApiVerdict::clean: return chinese ? "正常" : "clean";
        case ApiVerdict::born_here: return chinese ? "在此产生" : "born here";
        case ApiVerdict::inherited: return chinese ? "由输入带入" : "inherited";
        case ApiVerdict::absorbed: return chinese ? "被吸收" : "absorbed";
        case ApiVerdict::weight: return chinese ? "权重异常" : "bad weight";
        case ApiVerdict::saturated: return chinese ? "饱和" : "saturated";
        case ApiVerdict::in_collective: return chinese ? "在通信中产生" : "in the communication";
        case ApiVerdict::process: return chinese ? "过程溢出" : "inside the call only";
        case ApiVerdict::deliberate: return chinese ? "有意设置" : "deliberate";
        case ApiVerdict::unknown: return chinese ? "未知" : "unknown";
    }
    return {};
}

std::string_view api_tie_label(ApiTieLevel level, Language language) {
    const bool chinese = language == Language::chinese;
    switch (level) {
        case ApiTieLevel::exact: return chinese ? "确定" : "exact";
        case ApiTieLevel::type_only: return chinese ? "仅类型" : "type only";
        case ApiTieLevel::rank_or_device_only: return chinese ? "仅 rank 或 device" : "rank or device only";
    }
    return {};
}

}  // namespace opdebug::report

#include "report/text/labels_api.hpp"

namespace opdebug::report {
namespace {

constexpr ApiLabels api_words(Language language) {
    const auto say = [language](std::string_view english, std::string_view chinese) {
        return language == Language::chinese ? chinese : english;
    };
    return {
        .title_format = say("opdebug api: {}", "opdebug api：{}"),
        .counts_format = say("{} {} in {} {}, {} {}, {} {}", "{} {}，{} {}，{} {}，{} {}"),
        .calls = {say("call", "个调用"), say("calls", "个调用")},
        .files = {say("file", "个文件"), say("files", "个文件")},
        .steps = {say("step", "个 step"), say("steps", "个 step")},
        .ranks = {say("rank", "个 rank"), say("ranks", "个 rank")},
        .none = say("No call made or shows a bad value.", "没有产生或显示异常值的调用。"),
        .none_in_slice = say("No call made or shows a bad value in the dumped slice.",
                             "在已 dump 的切片中，没有产生或显示异常值的调用。"),
        .none_judged = say("No call could be judged.", "没有可判断的调用。"),
        .first = say("First bad value", "首个异常值"),
        .first_of_several =
            say("First bad values ({}, in an order that is not known)", "首个异常值（{} 个，先后无法判断）"),
        .first_of_runs = say("First bad values ({}, those of each run)", "首个异常值（{} 个，各次运行分别判断）"),
        .first_of_exchange =
            say("First bad values ({}, in calls between ranks)", "首个异常值（{} 个，位于 rank 间的通信调用）"),
        .findings = say("Findings", "所有发现（原因为英文）"),
        .failures = say("Failed files", "失败的文件（原因为英文）"),
        .remarks = say("Remarks", "说明（英文）"),
        .incomplete = say("Reading was stopped early: what follows is incomplete.", "读取提前停止：以下内容不完整。"),
        .verdict = say("Verdict", "结论（原因为英文）"),
        .verdict_of_rows = say("Verdict", "结论"),
        .place = say("Place", "位置"),
        .file = say("File", "文件"),
        .stack = say("Call stack", "调用栈"),
        .no_stack = say("not dumped", "未保存"),
        .unread_stack = say("could not be read (see the remarks)", "无法读取（见说明）"),
        .next = say("Next", "下一步"),
        .value = say("Value", "数据"),
        .type = say("Type", "类型"),
        .shape = say("Shape", "形状"),
        .max = say("Max", "最大值"),
        .min = say("Min", "最小值"),
        .state = say("State", "状态"),
        .run = say("Run", "运行"),
        .step = say("Step", "Step"),
        .rank = say("Rank", "Rank"),
        .position = say("Position", "序号"),
        .api = say("Call", "调用"),
        .because = say("Because", "原因"),
        .position_format = say("position {} in the order of calls", "按调用顺序第 {} 个"),
        .more_format = say("{} more (use --format json)", "另有 {} 项（请使用 --format json）"),
        .unknown_rank = say("rank unknown", "rank 未知"),
        .process = say("process", "进程"),
        .section = say("API dumps", "API dump"),
        .timeline = say("Calls with findings and overflow dumps, by step and rank",
                        "有发现的调用与溢出 dump（按 step 和 rank；原因为英文）"),
        .kind = say("Kind", "类别"),
        .call = say("call", "调用"),
        .dump = say("dump", "dump"),
        .what = say("Call or operator", "调用或算子"),
        .place_or_time = say("Position or time (UTC)", "序号或时间 (UTC)"),
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
        case ApiTieLevel::same_run_time: return chinese ? "同次运行的时间" : "same run, by time";
        case ApiTieLevel::type_and_order: return chinese ? "类型和顺序" : "type and order";
        case ApiTieLevel::type_only: return chinese ? "仅类型" : "type only";
        case ApiTieLevel::rank_or_device_only: return chinese ? "仅 rank 或 device" : "rank or device only";
    }
    return {};
}

}  // namespace opdebug::report

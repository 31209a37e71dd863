#include "report/text/labels_api.hpp"

#include <algorithm>

namespace opdebug::report {
namespace {

constexpr ApiLabels words(Language language) {
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
        .none_judged = say("No call could be judged.", "没有可判断的调用。"),
        .first = say("First bad value", "首个异常值"),
        .first_of_several = say("First bad values ({}, equally early)", "首个异常值（{} 个，先后无法判断）"),
        .findings = say("Findings", "所有发现（原因为英文）"),
        .failures = say("Failed files", "失败的文件（原因为英文）"),
        .remarks = say("Remarks", "说明（英文）"),
        .incomplete = say("Reading was stopped early: what follows is incomplete.", "读取提前停止：以下内容不完整。"),
        .verdict = say("Verdict", "结论（原因为英文）"),
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

constexpr ApiLabels kEnglish = words(Language::english);
constexpr ApiLabels kChinese = words(Language::chinese);

struct VerdictWords {
    ApiVerdict verdict;
    std::string_view english, chinese;
    std::string_view next_english, next_chinese;
};

constexpr VerdictWords kVerdicts[] = {
    {ApiVerdict::clean, "clean", "正常", "", ""},
    {ApiVerdict::born_here, "born here", "在此产生",
     "check this call's arguments and type, and run it on a CPU or in float32 with the same inputs",
     "检查该调用的参数和数据类型，并用相同输入在 CPU 上或以 float32 运行比对"},
    {ApiVerdict::inherited, "inherited", "由输入带入",
     "follow the call stack to what made the input: a call that is not dumped, or one before the dumped part",
     "沿调用栈查找产生该输入的操作：未被 dump 的调用，或 dump 范围之前的调用"},
    {ApiVerdict::absorbed, "absorbed", "被吸收", "", ""},
    {ApiVerdict::weight, "bad weight", "权重异常",
     "look at the gradients and the optimizer of the step before, and dump that step",
     "检查上一个 step 的梯度和优化器，并 dump 该 step"},
    {ApiVerdict::saturated, "saturated", "饱和",
     "values stop at the limit of their type: lower the loss scale, or use bfloat16 or float32 for this call",
     "数值停在数据类型的极限：降低 loss scale，或对该调用使用 bfloat16 或 float32"},
    {ApiVerdict::in_collective, "in the communication", "在通信中产生",
     "reduce in float32 or scale before reducing; where sums are small, check the communication itself",
     "以 float32 规约或先缩放再规约；若求和不会溢出，请检查通信本身"},
    {ApiVerdict::process, "inside the call only", "过程溢出",
     "the overflow does not show in the results: harmless unless they are wrong",
     "溢出未体现在结果中：除非结果错误，否则可以忽略"},
    {ApiVerdict::deliberate, "deliberate", "有意设置", "", ""},
    {ApiVerdict::unknown, "unknown", "未知", "dump the statistics of this call's inputs", "请 dump 该调用输入的统计值"},
};

/// Remarks that know better what is next than the verdict.
struct RemarkWords {
    std::string_view code;
    std::string_view next_english, next_chinese;
};

constexpr RemarkWords kRemarks[] = {
    {"sum_overflow", "reduce in float32, or scale before reducing", "以 float32 规约，或先缩放再规约"},
    {"communication_fault",
     "check the communication: switch off options that overlap it with computation, compare with the run without them",
     "检查通信：关闭通信与计算重叠（overlap）的选项后再运行比对"},
    {"results_not_seen",
     "dump this call with task statistics: a result at the limit of its type, or zeros where none belong, is wrong; "
     "else compare it with float32",
     "以 task statistics 再次 dump 该调用：若结果停在数据类型的极限或出现不应有的 0，则结果有误；"
     "否则与 float32 的结果比对"},
};

/// Calls that go wrong in ways of their own when they make a bad value. Source: the vendor's guide on training, which
/// names wrong arguments of npu_fusion_attention as a frequent cause; its arguments: torch_npu's documents.
struct CallWords {
    std::string_view part;  ///< of the call's name
    std::string_view next_english, next_chinese;
};

constexpr CallWords kCalls[] = {
    {"npu_fusion_attention",
     "check this call's arguments, which are often wrong: head_num, input_layout, scale, atten_mask, sparse_mode; then "
     "compare with attention in float32 on the same inputs",
     "检查该调用的参数（常见误用：head_num、input_layout、scale、atten_mask、sparse_mode），并用相同输入与 float32 的 "
     "attention 比对"},
};

const VerdictWords& words_of(ApiVerdict verdict) {
    for (const VerdictWords& known : kVerdicts) {
        if (known.verdict == verdict) {
            return known;
        }
    }
    return kVerdicts[0];
}

}  // namespace

const ApiLabels& api_labels_in(Language language) {
    return language == Language::chinese ? kChinese : kEnglish;
}

std::string_view api_verdict_label(ApiVerdict verdict, Language language) {
    const VerdictWords& known = words_of(verdict);
    return language == Language::chinese ? known.chinese : known.english;
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

std::string_view api_next_step(const ApiFinding& finding, Language language) {
    const bool chinese = language == Language::chinese;
    for (const RemarkWords& known : kRemarks) {
        const bool is_told = std::any_of(finding.remarks.begin(), finding.remarks.end(),
                                         [&known](const Diagnostic& remark) { return remark.code == known.code; });
        if (is_told) {
            return chinese ? known.next_chinese : known.next_english;
        }
    }
    for (const CallWords& known : kCalls) {
        const bool made_it = finding.verdict == ApiVerdict::born_here || finding.verdict == ApiVerdict::saturated;
        if (made_it && finding.api.find(known.part) != std::string::npos) {
            return chinese ? known.next_chinese : known.next_english;
        }
    }
    const VerdictWords& known = words_of(finding.verdict);
    return chinese ? known.next_chinese : known.next_english;
}

}  // namespace opdebug::report

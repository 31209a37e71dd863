#include "report/text/labels.hpp"

namespace opdebug::report {
namespace {

constexpr Labels common_words(Language language) {
    const auto say = [language](std::string_view english, std::string_view chinese) {
        return language == Language::chinese ? chinese : english;
    };
    return {
        .overflow = say("OVERFLOW", "溢出"),
        .clean = say("no overflow", "未溢出"),
        .unknown_overflow =
            say("not known whether there was an overflow: records are missing", "无法判断是否溢出：缺少记录"),
        .damaged = say("damaged dump, partial result", "文件损坏，结果不完整"),
        .cause = say("Cause", "原因"),
        .no_cause = say("no documented cause", "文档中没有对应的原因"),
        .advice = say("Advice", "建议"),
        .source = say("Source", "出处"),
        .undocumented = say("Undocumented bits", "文档未说明的位"),
        .undocumented_inside = say("undocumented bits", "文档未说明的位"),
        .status = say("status", "状态值"),
        .bits = say("bits", "位"),
        .code = say("code", "编码"),
        .op = say("Operator", "算子"),
        .type_unknown = say("type unknown", "类型未知"),
        .kernel = say("Kernel", "核函数"),
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
        .origin = say("Origin", "来源"),
        .born_here = say("born here", "在此产生"),
        .inherited = say("inherited", "由输入带入"),
        .not_visible = say("not visible", "不可见"),
        .not_measured = say("not measured", "未测量"),
        .no_tensors = say("the dump holds no inputs and outputs", "该文件中没有输入和输出"),
        .origin_unknown = say("bad value shown, origin unknown", "可见异常值，来源未知"),
        .not_visible_damaged = say("not visible (operator dump damaged)", "不可见（算子 dump 损坏）"),
        .not_measured_damaged = say("not measured (operator dump damaged)", "未测量（算子 dump 损坏）"),
        .no_op_dump = say("no operator dump", "没有算子 dump"),
        .proof = say("Proof", "依据"),
        .candidates = say("Equally good answers", "同等可信的其他结果"),
        .remarks = say("Remarks", "说明"),
        .not_found = say("not found", "未找到"),
        .inferred = say("inferred", "推断"),
        .error = say("error", "错误"),
        .warning = say("warning", "警告"),
        .info = say("info", "提示"),
    };
}

constexpr Labels kCommonEnglish = common_words(Language::english);
constexpr Labels kCommonChinese = common_words(Language::chinese);

}  // namespace

const Labels& labels_in(Language language) {
    return language == Language::chinese ? kCommonChinese : kCommonEnglish;
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

}  // namespace opdebug::report

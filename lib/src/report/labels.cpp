#include "report/labels.hpp"

namespace opdebug::report {
namespace {

constexpr Labels kEnglish{
    .overflow = "OVERFLOW",
    .clean = "no overflow",
    .unknown_overflow = "not known whether there was an overflow: records are missing",
    .damaged = "damaged dump, partial result",
    .cause = "Cause",
    .no_cause = "no documented cause",
    .advice = "Advice",
    .source = "Source",
    .undocumented = "Undocumented bits",
    .status = "status",
    .bits = "bits",
    .code = "code",
    .op = "Operator",
    .type_unknown = "type unknown",
    .kernel = "Kernel",
    .model = "Model",
    .runtime_id = "runtime id",
    .ge_id = "GE id",
    .graph_id = "graph id",
    .task = "Task",
    .address = "Addresses",
    .time = "Time",
    .place = "Place",
    .file = "File",
    .origin = "Origin",
    .born_here = "born here",
    .inherited = "inherited",
    .not_visible = "not visible",
    .not_measured = "not measured",
    .proof = "Proof",
    .candidates = "Equally good answers",
    .remarks = "Remarks",
    .not_found = "not found",
    .inferred = "inferred",
    .error = "error",
    .warning = "warning",
    .info = "info",
};

constexpr Labels kChinese{
    .overflow = "溢出",
    .clean = "未溢出",
    .unknown_overflow = "无法判断是否溢出：缺少记录",
    .damaged = "文件损坏，结果不完整",
    .cause = "原因",
    .no_cause = "文档中没有对应的原因",
    .advice = "建议",
    .source = "出处",
    .undocumented = "文档未说明的位",
    .status = "状态值",
    .bits = "位",
    .code = "编码",
    .op = "算子",
    .type_unknown = "类型未知",
    .kernel = "核函数",
    .model = "模型",
    .runtime_id = "Runtime 模型 ID",
    .ge_id = "GE 模型 ID",
    .graph_id = "图 ID",
    .task = "任务",
    .address = "地址",
    .time = "时间",
    .place = "位置",
    .file = "文件",
    .origin = "来源",
    .born_here = "在此产生",
    .inherited = "由输入带入",
    .not_visible = "不可见",
    .not_measured = "未测量",
    .proof = "依据",
    .candidates = "同等可信的其他结果",
    .remarks = "说明",
    .not_found = "未找到",
    .inferred = "推断",
    .error = "错误",
    .warning = "警告",
    .info = "提示",
};

}  // namespace

const Labels& labels_in(Language language) {
    return language == Language::chinese ? kChinese : kEnglish;
}

std::string_view verdict_label(OriginVerdict verdict, const Labels& labels) {
    switch (verdict) {
        case OriginVerdict::born_here: return labels.born_here;
        case OriginVerdict::inherited: return labels.inherited;
        case OriginVerdict::not_visible: return labels.not_visible;
    }
    return labels.not_visible;
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

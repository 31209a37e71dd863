// The page for people: what it tells, in which language, and what never reaches the terminal.
#include <opdebug/report.hpp>

#include <string>

#include <doctest/doctest.h>

#include "dump_builder.hpp"
#include "location.hpp"
#include "log_builder.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// An AI Core overflow (model 514, stream 563, task 57, status 0x20) with that path.
Dump decoded_dump(const std::string& file =
                      "/nowhere/20260304100000/0/toy_net/11/4/"
                      "Opdebug.Node_OpDebug.59.1772618405000000",
                  std::uint64_t status = 0x20) {
    DecodeOptions options;
    options.file = file;
    const Buffer bytes = build_overflow_dump(ai_core_example(status));
    Result<Dump> dump = decode(Bytes(bytes.data(), bytes.size()), options);
    REQUIRE(dump.ok());
    return *dump;
}

/// Everything a location can say.
Location full_location() {
    Location location;
    LocatedOperator op;
    op.best.name = "net/softmax/Exp";
    op.best.type = "Exp";
    op.best.kernel = "Exp_77_mix_aic";
    op.best.evidence = {{EvidenceKind::ge_log, "logs/plog-1.log", 42, "Save dump task net/softmax/Exp"}};
    location.op = op;
    location.model = LocatedModel{"toy_net", 514, 11, 7, {{EvidenceKind::runtime_log, "logs/run.log", 3, "bind line"}}};
    location.diagnostics = {{Severity::warning, "some_code", "something to know"}};
    return location;
}

std::string english(const Dump& dump, const Location& location) {
    return record_to_text(dump, location, {});
}

std::string chinese(const Dump& dump, const Location& location) {
    ReportOptions options;
    options.language = Language::chinese;
    return record_to_text(dump, location, options);
}

/// Whether the text holds only printable characters and line breaks.
bool is_safe(const std::string& text) {
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) {
            return false;
        }
    }
    return true;
}

}  // namespace

TEST_CASE("text report: says what overflowed, where, when, and the proof") {
    const std::string text = english(decoded_dump(), full_location());
    CHECK(text.substr(0, 8) == "OVERFLOW");
    CHECK(text.back() == '\n');
    for (const char* part :
         {"floating-point overflow", "AI Core", "net/softmax/Exp (Exp) [exact]", "Exp_77_mix_aic", "toy_net",
          "runtime id 514", "GE id 11", "graph id 7", "ge_log logs/plog-1.log:42", "Save dump task net/softmax/Exp",
          "runtime_log logs/run.log:3", "bind line", "stream_id 563", "task_id 57", "0x1008005b0000",
          "2026-03-04 10:00:05.000000 UTC", "data index 4", "device 0", "warning [some_code] something to know"}) {
        CHECK_MESSAGE(contains(text, part), part);
    }
}

TEST_CASE("text report: the labels and the causes are Chinese when asked") {
    const std::string text = chinese(decoded_dump(), full_location());
    for (const char* part : {"溢出", "算子", "核函数", "模型", "依据", "任务", "地址", "原因", "建议", "时间", "警告",
                             "数据序号 4", "device 0", "net/softmax/Exp", "AI Core", "0x20"}) {
        CHECK_MESSAGE(contains(text, part), part);
    }
    for (const char* part :
         {"Operator", "Kernel", "Proof", "Advice", "Remarks", "data index", "floating-point overflow"}) {
        CHECK_FALSE_MESSAGE(contains(text, part), part);
    }
}

TEST_CASE("text report: an operator that was not found is said, with the reason") {
    const Dump dump = decoded_dump();
    const std::string text = english(dump, locate(dump, {}));
    CHECK(contains(text, "Operator"));
    CHECK(contains(text, "not found"));
    CHECK(contains(text, "[no_logs]"));
}

TEST_CASE("text report: equally good answers are all listed") {
    Location location = full_location();
    OperatorAnswer other;
    other.name = "net/other/Mul";
    location.op->candidates = {location.op->best, other};
    CHECK(contains(english(decoded_dump(), location), "net/other/Mul (type unknown) [exact]"));
    CHECK_FALSE(contains(english(decoded_dump(), full_location()), "Equally good"));
}

TEST_CASE("text report: an operator without a name is shown by its kernel") {
    Location location = full_location();
    location.op->best.name.reset();
    location.op->best.confidence = Confidence::kernel;
    CHECK(contains(english(decoded_dump(), location), "Exp_77_mix_aic (Exp) [kernel]"));
}

TEST_CASE("text report: a clean dump has no operator and no model") {
    const Dump dump = decoded_dump("/nowhere/Opdebug.Node_OpDebug.59.1772618405000000", 0);
    const std::string text = english(dump, locate(dump, {}));
    CHECK(text.substr(0, 11) == "no overflow");
    CHECK_FALSE(contains(text, "Operator"));
    CHECK_FALSE(contains(text, "Model"));
}

TEST_CASE("text report: an undocumented status is not hidden") {
    const Dump dump = decoded_dump("/nowhere/Opdebug.Node_OpDebug.59.1772618405000000", 0x4000000000000000);
    const std::string text = english(dump, {});
    CHECK(contains(text, "no documented cause"));
    CHECK(contains(text, "0x4000000000000000"));
    CHECK(contains(text, "bit 62"));
}

TEST_CASE("text report: escape sequences in names, paths, log lines and remarks stay visible text") {
    const std::string evil = "a\x1b[2Jb\nc\xc2\x9b";
    Dump dump = decoded_dump("/nowhere/\x1b[31m/Opdebug.Node_OpDebug.59.1772618405000000");
    dump.path_ids.model_name = evil;
    dump.diagnostics.push_back({Severity::info, "remark", evil});
    Location location = full_location();
    location.op->best.name = evil;
    location.op->best.type = evil;
    location.op->best.kernel = evil;
    location.op->best.evidence = {{EvidenceKind::ge_log, evil, 1, evil}};
    location.op->candidates = {location.op->best, location.op->best};
    location.model->name = evil;
    location.model->evidence = {{EvidenceKind::op_dump, evil, std::nullopt, evil}};
    location.diagnostics.push_back({Severity::warning, "remark", evil});
    for (const std::string& text : {english(dump, location), chinese(dump, location)}) {
        CHECK(is_safe(text));
        CHECK_FALSE(contains(text, "\xc2\x9b"));
        CHECK(contains(text, "a\\x1b[2Jb\\x0ac\\xc2\\x9b"));
        CHECK(contains(text, "/nowhere/\\x1b[31m/"));
    }
}

TEST_CASE("text report: texts of a user's status catalogue stay visible text") {
    const std::string evil = "a\x1b[2Jb\nc";
    auto definition = std::make_shared<CauseDefinition>();
    definition->id = "ai_core.evil";
    definition->source = definition->name.en = definition->text.en = definition->advice.en = evil;
    StatusExplanation status;
    status.words = {1};
    status.overflow = true;
    status.undocumented_bits = {0};
    status.causes = {{definition, 1}};
    status.diagnostics = {{Severity::info, "remark", evil}};
    const std::string text = status_to_text(status, {});
    CHECK(is_safe(text));
    CHECK(count_of(text, "a\\x1b[2Jb\\x0ac") == 5);
    Dump dump = decoded_dump();
    dump.payloads.at(0).records.back().status = status;
    dump.payloads.at(0).records.back().overflow = true;
    const std::string page = english(dump, full_location());
    CHECK(is_safe(page));
    CHECK(count_of(page, "a\\x1b[2Jb\\x0ac") == 5);  // the headline, and the four texts of the cause
}

TEST_CASE("text report: a line of evidence that is cut in the middle of a character stays valid") {
    Location location = full_location();
    location.op->best.evidence[0].text = std::string(239, 'x') + "算子";
    const std::string text = english(decoded_dump(), location);
    CHECK(contains(text, std::string(239, 'x')));
    CHECK_FALSE(contains(text, "x\xe7\n"));
    CHECK_FALSE(contains(text, "x\xe7 "));
}

TEST_CASE("text report: times that no calendar shows are given as the number") {
    Dump dump = decoded_dump();
    dump.timestamp_us = ~std::uint64_t{0};
    CHECK(contains(english(dump, {}), "18446744073709551615 us"));
}

TEST_CASE("text report: a damaged dump says so") {
    Dump dump = decoded_dump();
    dump.diagnostics.push_back({Severity::error, "record_truncated", "the record ends early"});
    CHECK(contains(english(dump, full_location()), "damaged dump, partial result"));
    CHECK(contains(chinese(dump, full_location()), "文件损坏"));
}

TEST_CASE("text report: the failure of a file names the file, and its escape sequences stay visible") {
    const Result<Dump> dump = decode_file("/nowhere/\x1b[31mred");
    REQUIRE_FALSE(dump.ok());
    const std::string document = failure_to_json(dump.error());
    CHECK_FALSE(contains(document, "\x1b"));
    CHECK(contains(document, "file_not_found"));
    CHECK(contains(document, "red"));
}

TEST_CASE(
    "text report: the line on a failed file has code, file, place and reason, and nothing that steers a terminal") {
    const Error error{ErrorCode::header_malformed, "field \x1b[2J is cut", "/tmp/\x1b[31m\xc2\x9b\x7fred\n", 40};
    CHECK(failure_to_text(error) ==
          "error [header_malformed] /tmp/\\x1b[31m\\xc2\\x9b\\x7fred\\x0a: at byte 40: field \\x1b[2J is cut\n");
    ReportOptions options;
    options.language = Language::chinese;
    CHECK(contains(failure_to_text(error, options), "错误 [header_malformed]"));
    CHECK(is_safe(failure_to_text(error, options)));
}

// What pages for people state about an answer: the operator, how sure it is, why it is unknown, causes, remarks that
// limit it, evidence, and labels of verdicts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <opdebug/api.hpp>
#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/tensor.hpp>

#include "remarks/diagnose.hpp"
#include "remarks/word.hpp"

namespace opdebug::report {

/// "name (type)"; the kernel where there is no name. Empty: neither is known, and a kernel that is only a hash names
/// nothing.
std::string operator_text(const OperatorAnswer& answer);

/// "exact: 3 log lines", "kernel name only", "likeliest of 2 candidates: …". `location` has an operator.
std::string confidence_text(const Location& location, Language language);

/// Why the operator is unknown, and the one thing to do.
struct UnknownOperator {
    std::string_view code;  ///< of the diagnostic that gives the reason; empty: none does
    std::string reason, next;
};
UnknownOperator why_unknown(const Dump& dump, const Location& location, Language language);

/// What a cause means, and what to do about it, in one line.
std::string meaning_of(const CauseDefinition& cause, Language language);
std::string next_of(const CauseDefinition& cause, Language language);

/// "float, fp16": a cause's id without what most have in common.
std::string short_cause(std::string_view id);

/// Bits, name and meaning of each cause, a row for each; with `verbose` what the catalogue states of it.
std::string causes_text(const StatusExplanation& status, const ReportOptions& options);

/// What to do, numbered below a heading; empty without steps.
std::string next_steps_text(const std::vector<std::string>& steps, const ReportOptions& options);

/// Records of one unit with one status: the cores of a chip mostly agree.
struct UnitStatus {
    const Record* record = nullptr;
    std::uint64_t count = 0;
    std::vector<std::uint64_t> cores;
};

std::vector<UnitStatus> overflowed_units(const Dump& dump);

/// A row of the table. "reason": why the operator is unknown; the first that fits counts. "warning": what makes an
/// answer doubtful. "failure": the task did not only overflow.
struct ShownRemark {
    std::string code, shows;
    std::string unless;        ///< another code that states the same with more detail
    LocalizedText text, next;  ///< no text: the remark's own message, which has values
};

const std::vector<ShownRemark>& shown_remarks();

/// An answer in words of one language. Texts are empty if there is nothing to state.
struct AnswerWords {
    std::string op;                     ///< operator, or kernel
    std::string reason, next;           ///< why the operator is unknown, and what to do
    std::string failure, failure_next;  ///< the task failed, and what to do
    std::vector<std::string> warnings;  ///< what else limits the answer, most important first
    std::string
        statistics;  ///< the file with the statistics of the operator's inputs, where its values were not dumped
    std::vector<std::string_view> codes;  ///< of the remarks that these texts state
};

AnswerWords answer_words_of(const Dump& dump, const Location& location, Language language);

/// What the next steps after an overflow depend on.
struct OverflowFacts {
    std::optional<Origin> origin;
    bool has_op_dump = false, tensors_measured = false;
    bool shows_statistics = false;  ///< the page has the finding of the list of statistics
    std::vector<const CauseDefinition*> causes;
};

/// What to do, most urgent first, each once. The step for an unknown operator is `words.next`.
std::vector<std::string> next_steps_of(const OverflowFacts& facts, const AnswerWords& words, Language language);

/// "  ! TEXT", a line for each of the first; the failure is not among them.
std::string warnings_text(const std::vector<std::string>& warnings, const ReportOptions& options);

/// The file and line of a piece of evidence, and what is stated there: "SaveDumpTask  stream 21 task 118 →
/// …/softmax/Exp". With options.verbose `file` contains the line, and the statement is the whole text.
struct EvidenceRow {
    std::string file, line, statement;
};

/// The ids of the task that the evidence is about.
struct TaskNumbers {
    std::optional<std::uint64_t> stream_id, task_id;
};

/// Each log line once.
std::vector<EvidenceRow> evidence_rows(const std::vector<Evidence>& evidence, const TaskNumbers& task,
                                       const Location& location, const ReportOptions& options);

/// Of the best operator, then of the model. The dump itself is a row only with options.verbose.
std::vector<EvidenceRow> evidence_rows(const Dump& dump, const Location& location, const ReportOptions& options);

/// Without options.verbose only the first five rows, below the path of their file.
std::string evidence_lines(const std::vector<EvidenceRow>& rows, const ReportOptions& options);

inline std::string_view verdict_label(OriginVerdict verdict, Language language) {
    return remarks::word(fmt::format("page.{}", to_string(verdict)), language);
}

inline std::string_view api_verdict_label(ApiVerdict verdict, Language language) {
    return remarks::word(fmt::format("api_verdict.{}", to_string(verdict)), language);
}

/// How sure a tie is.
inline std::string_view api_tie_label(ApiTieLevel level, Language language) {
    return remarks::word(fmt::format("api_tie.{}", to_string(level)), language);
}

/// Of a dump in a chain: the verdict, or why there is none. The label also shows that the operator's dump is damaged,
/// or that the origin of a bad value is not visible.
inline std::string_view chain_label(const std::optional<Origin>& origin, OpDumpState op_dump, Language language) {
    const bool is_damaged = op_dump == OpDumpState::damaged;
    if (!origin) {
        return remarks::word(op_dump == OpDumpState::absent ? "page.no_op_dump"
                             : is_damaged                   ? "page.not_measured_damaged"
                                                            : "page.not_measured",
                             language);
    }
    if (origin->verdict != OriginVerdict::not_visible || !(origin->bad_output || is_damaged)) {
        return verdict_label(origin->verdict, language);
    }
    return remarks::word(origin->bad_output ? "page.origin_unknown" : "page.not_visible_damaged", language);
}

}  // namespace opdebug::report

// The settings of a next run that bring the evidence which a report lacks.
//
//   report document ─► facts (report_facts) ─► settings from lib/data/next/settings.json (settings) ─► text, JSON
//   (pages)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>
#include <opdebug/result.hpp>

namespace opdebug::next {

/// What a report states about its culprits.
struct Facts {
    std::string schema;                  ///< of the report; empty: no known report
    std::vector<std::string> calls;      ///< API calls, at most 20, each with its forward twin
    std::vector<std::string> operators;  ///< of graphs
    std::vector<std::string> watched;    ///< operators whose output may be overwritten
    bool is_name_of_file = false;        ///< operators have the names of dump files, which graphs do not have
    bool is_single_operator = false;     ///< the folders are those of operators outside of graphs
    /// Writer of the operators: "mindspore", "graph", "atb" or "aclgraph"; "no_calls": the report lacks calls or their
    /// statistics. Empty: calls of msprobe, or operators of unknown writers.
    std::string writer;
    std::string model;                              ///< empty: unknown
    std::vector<std::uint64_t> steps, ranks;        ///< empty: all
    std::vector<std::uint64_t> iterations;          ///< of a graph; how they relate to steps is unknown
    std::uint64_t train_step = 0, train_begin = 0;  ///< in a training log: the fault, the start of the process; 0: none
    std::string log_format;                         ///< names of the training log's formats, separated by ", "
    bool has_culprit = false;                       ///< otherwise nothing is missing
};

/// Reads a report: JSON, or JSON lines of scan and tensors.
Facts facts_of(const std::string& text, const Limits& limits);
/// The same for a file. Errors: those of reading.
Result<Facts> read_facts(const std::string& path, const Limits& limits);

/// One file to write.
struct SettingsFile {
    std::string name, tool;
    LocalizedText answers, put;
    std::string source;
    nlohmann::ordered_json body;
};

struct Variable {
    std::string name, value;
    LocalizedText why;
};

/// A file that cannot be written, because the report does not contain a fact.
struct MissingFile {
    std::string name, tool, needs;  ///< needs: calls, call, operators, exact_name, model, steps, iterations, pytorch,
                                    ///< pynative or settings
};

struct NextRun {
    Facts facts;
    std::string purpose;
    LocalizedText purpose_text;
    std::vector<SettingsFile> files;
    std::vector<Variable> environment;
    std::vector<MissingFile> missing;
};

struct NextOptions {
    std::string purpose;  ///< empty: that of the report's schema
    std::string dump_path;
    bool all_steps = false;               ///< dump all steps if the report names none
    std::string absolute_dump_path = {};  ///< MindSpore accepts no other path; empty: `dump_path`
};

/// Whether JSON can contain the text: it is UTF-8.
bool is_json_text(std::string_view text);

NextRun next_run(Facts facts, const NextOptions& options);

std::string next_to_text(const NextRun& run, const ReportOptions& options);

/// The document "opdebug.next/1".
std::string next_to_json(const NextRun& run);

}  // namespace opdebug::next

// Judges the calls of one file during parsing, and keeps only facts that the answer of the run may need; the report on
// judged files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <boost/container_hash/hash.hpp>

#include <opdebug/api.hpp>

#include "api_culprits/file_facts.hpp"
#include "api_culprits/judge_call.hpp"
#include "api_dump/dump_files.hpp"

namespace opdebug::api_culprits {

/// Remarks on findings. of_verdicts: none that need clean calls, for a benchmark, whose findings are not listed.
enum class Remarks { all, of_verdicts };

class FileJudge {
public:
    /// `rank`: of the file, for calls that name the giving rank. `findings`: limit for each verdict.
    FileJudge(ApiSource source, std::optional<std::uint64_t> rank, std::uint64_t findings, Remarks remarks)
        : rounded_(source == ApiSource::statistic_csv),
          notes_clean_(remarks == Remarks::all),
          rank_(rank),
          bound_(findings) {}

    /// The facts are valid until the next call.
    Call add(const ApiEntry& entry);

    /// Ends the file. Do not use the judge afterwards.
    FileFacts finish(ApiFile file);

private:
    using Shape = std::vector<std::uint64_t>;

    /// The last clean value of a shape.
    struct CleanUse {
        std::string call;
        std::uint64_t position = 0;
        ApiValueKind kind = ApiValueKind::input;
        std::string index;
    };

    /// Calls between ranks whose results may be complete only after a wait, with all values they passed.
    struct Unawaited {
        std::uint64_t calls = 0, waits = 0;
        Transfer given;
    };

    const KnownApi& api_of(const ApiEntry& entry);
    void note_values(const Call& call);
    std::uint64_t order_of(const ApiEntry& entry) const;
    void judge(const Call& call);
    void note_clean_values(const Call& call);
    void report_last_clean(const Call& call, const Evidence& evidence, DraftFinding& draft) const;
    void note_results(const Call& call, const Evidence& evidence, Meaning meaning, std::optional<std::size_t> index);
    void trace_inputs(const Call& call, const Evidence& evidence, DraftFinding& draft);
    void report_source(const Call& call, const ApiValue& value, DraftFinding& draft);
    std::optional<std::size_t> add_draft(DraftFinding&& draft, const ApiEntry& entry);
    void note_transfers(const Call& call, const Evidence& evidence, std::optional<std::size_t> draft);
    std::uint32_t number_of(Group group);
    void join_with_waits(Transfer& transfer);

    bool rounded_, notes_clean_;
    std::optional<std::uint64_t> rank_;
    std::uint64_t bound_;
    std::uint64_t last_time_ = 0;  ///< of the kernels so far; 0: unknown
    FileFacts facts_;
    std::map<Group, std::uint32_t> group_numbers_;  ///< indices in the groups of facts_
    ByName<KnownApi> apis_;
    std::vector<ApiState> states_;
    SeenValues seen_;
    std::unordered_map<Shape, CleanUse, boost::hash<Shape>> clean_uses_;
    std::map<ApiVerdict, std::uint64_t> counts_;
    std::unordered_set<std::size_t> fed_;  ///< findings whose result was used later
    Unawaited unawaited_;
};

/// Judges one file. `after` receives each call after its judgement, with its entry; may be empty.
Result<FileFacts> judge_file(const api_dump::DumpFile& dump, const ApiOptions& options, Remarks remarks = Remarks::all,
                             const std::function<void(const Call&, ApiEntry&&)>& after = {});

/// The report on judged files.
ApiReport report_on(const api_dump::DumpList& dumps, std::vector<Result<FileFacts>>&& judged,
                    const std::vector<std::string>& inputs, const ApiOptions& options);

/// See find_api_culprits(). Never fails: unreadable files are failures in the report, and a stopped report is not
/// complete.
ApiReport culprits_in(const api_dump::DumpList& dumps, const std::vector<std::string>& inputs,
                      const ApiOptions& options);

/// The number of threads for pieces of work with one open file each.
unsigned threads_of(const ApiOptions& options, std::size_t pieces);

}  // namespace opdebug::api_culprits

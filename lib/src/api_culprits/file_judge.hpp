// Judges the calls of one file during parsing, and keeps only facts that the answer of the run may need.
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

    void add(const ApiEntry& entry);

    /// Ends the file. Do not use the judge afterwards.
    FileFacts finish(ApiFile file);

private:
    struct Waiting {  ///< gradients that were written at the module's forward
        std::size_t draft;
        std::string module;
    };

    /// A call without a bad value. If the file lists overflows only, it is a finding.
    struct Clean {
        DraftFinding draft;
        bool has_known_result = false;
    };

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

    const CommunicationApi* communication_of(const ApiEntry& entry);
    void note_values(const ApiEntry& entry);
    bool is_plain(const ApiEntry& entry) const;
    std::uint64_t order_of(const ApiEntry& entry) const;
    void judge(const Call& call);
    void note_clean_values(const ApiEntry& entry);
    void report_last_clean(const Call& call, const Evidence& evidence, DraftFinding& draft) const;
    void note_results(const Call& call, const Evidence& evidence, Meaning meaning, std::optional<std::size_t> index);
    void trace_inputs(const Call& call, const Evidence& evidence, DraftFinding& draft);
    void note_feeders(const Call& call, const Evidence& evidence, DraftFinding& draft) const;
    void report_source(const Call& call, const Evidence& evidence, DraftFinding& draft);
    std::optional<std::size_t> add_draft(DraftFinding&& draft, const ApiEntry& entry);
    void note_transfers(const Call& call, const Evidence& evidence, std::optional<std::size_t> draft);
    void join_with_waits(Transfer& transfer);
    std::uint32_t number_of(Group group);
    void give_groups();
    void place_gradients(const ApiEntry& entry);
    void keep_clean(const ApiEntry& entry);
    void settle_lists();

    bool rounded_, notes_clean_;
    std::optional<std::uint64_t> rank_;
    std::uint64_t bound_;
    std::uint64_t last_time_ = 0;  ///< of the kernels so far; 0: unknown
    FileFacts facts_;
    KnownApis::ByName<const CommunicationApi*> communication_;  ///< by API; null: none
    SeenValues seen_;
    std::unordered_map<Shape, CleanUse, boost::hash<Shape>> clean_uses_;
    std::map<Group, std::uint32_t> group_numbers_;  ///< in FileFacts::groups
    std::map<ApiVerdict, std::uint64_t> counts_;
    std::unordered_set<std::size_t> fed_;  ///< findings whose result was used later
    std::vector<Waiting> waiting_;
    Unawaited unawaited_;
    std::vector<Clean> clean_;  ///< for files that list overflows only
};

/// Judges one file. `after` receives each call after its judgement; may be empty.
Result<FileFacts> judge_file(const api_dump::FoundDump& dump, const ApiOptions& options, Remarks remarks = Remarks::all,
                             const std::function<void(ApiEntry&&)>& after = {});

/// The number of threads for pieces of work with one open file each.
unsigned threads_of(const ApiOptions& options, std::size_t pieces);

}  // namespace opdebug::api_culprits

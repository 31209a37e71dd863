// Judges the calls of one file during parsing, and keeps only facts that the answer of the run may need.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include <opdebug/api.hpp>

#include "api_culprits/file_facts.hpp"
#include "api_culprits/judge_call.hpp"
#include "api_dump/dump_files.hpp"
#include "bytes/hash_factors.hpp"

namespace opdebug::api_culprits {

class CleanUses {
public:
    struct Use {
        std::vector<std::uint64_t> shape;
        std::string call;
        std::uint64_t position = 0;
        ApiValueKind kind = ApiValueKind::input;
        std::string index;
        bool is_one = false;
    };

    void add(const ApiEntry& entry, const ApiValue& value) {
        Use& use = uses_[place_of(value.shape)];
        if (use.position != entry.position || !use.is_one) {
            use.call = entry.name;
        }
        use.shape = value.shape;
        use.position = entry.position;
        use.kind = value.kind;
        use.index = value.index;
        use.is_one = true;
    }

    /// Null if there was none, or if another shape replaced it.
    const Use* find(const std::vector<std::uint64_t>& shape) const {
        const Use& use = uses_[place_of(shape)];
        return use.is_one && use.shape == shape ? &use : nullptr;
    }

private:
    static constexpr std::size_t kPlaces = 256;  // networks have some dozen shapes

    static std::size_t place_of(const std::vector<std::uint64_t>& shape) {
        std::uint64_t hash = shape.size();
        for (const std::uint64_t dimension : shape) {
            hash = (hash ^ dimension) * bytes::kHashFactor;
        }
        return (hash >> 56U) % kPlaces;
    }

    std::array<Use, kPlaces> uses_;
};

class FileJudge {
public:
    /// `rank`: of the file, for calls that name the giving rank. `findings`: limit for each verdict.
    FileJudge(ApiSource source, std::optional<std::uint64_t> rank, std::uint64_t findings)
        : rounded_(source == ApiSource::statistic_csv), rank_(rank), bound_(findings) {}

    void add(const ApiEntry& entry);

    /// Ends the file. Do not use the judge afterwards.
    FileFacts finish(ApiFile file);

private:
    struct Waiting {  ///< gradients that were written at the module's forward
        std::size_t draft;
        std::string module;
    };

    /// Calls between ranks whose results may be complete only after a wait, with all values they passed.
    struct Unawaited {
        std::uint64_t calls = 0, waits = 0;
        Transfer given;
    };

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

    bool rounded_;
    std::optional<std::uint64_t> rank_;
    std::uint64_t bound_;
    std::uint64_t last_time_ = 0;  ///< of the kernels so far; 0: unknown
    FileFacts facts_;
    SeenValues seen_;
    CleanUses clean_uses_;
    std::map<Group, std::uint32_t> group_numbers_;  ///< in FileFacts::groups
    std::map<ApiVerdict, std::uint64_t> counts_;
    std::unordered_map<std::size_t, bool> fed_;  ///< findings whose result was used later
    std::vector<Waiting> waiting_;
    Unawaited unawaited_;
    std::vector<DraftFinding> clean_;  ///< for files that list overflows only
};

/// Judges one file. `after` receives each call after its judgement; may be empty.
Result<FileFacts> judge_file(const api_dump::FoundDump& dump, const ApiOptions& options,
                             const std::function<void(ApiEntry&&)>& after = {});

/// Does `item` for 0 to count - 1. `threads`: 0: one for each core.
void do_in_parallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& item);

/// The results of the files in their order. They do not depend on the number of threads.
std::vector<Result<FileFacts>> judge_files(const std::vector<api_dump::FoundDump>& dumps, const ApiOptions& options);

}  // namespace opdebug::api_culprits

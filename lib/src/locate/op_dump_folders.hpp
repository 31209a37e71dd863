// Which files of a folder name operators: their dumps by task id, and lists of statistics; and which of them fit a
// task, nearest in time first.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/locate.hpp>
#include <opdebug/tree.hpp>

#include "locate/query.hpp"
#include "tree/folder.hpp"
#include "tree/mapping.hpp"

namespace opdebug::locate_stage {

/// dump: the binary with all values; tensor: one of them as .npy; statistics: CANN's .csv of one operator; row: of a
/// statistic.csv of MindSpore or msprobe, which lists operators.
enum class OpFileKind { dump, tensor, statistics, row };

/// A file of an operator as its folder shows it.
struct OpDumpFile {
    OpFileKind kind = OpFileKind::dump;
    std::uint64_t task_id = 0;
    std::string_view name;
    std::string_view real_name;             ///< differs from the name when mapping.csv gives it
    std::string_view dump_name;             ///< the part of the real name that is the dump's: all of it for a dump
    std::shared_ptr<const DumpName> row{};  ///< what a row lists

    std::optional<DumpName> parse() const { return row ? std::optional(*row) : parse_dump_name(dump_name); }
};

/// The operator dumps of a folder. Most are compared by task only, so their names are not parsed. And the names of its
/// overflow dumps.
class OpDumpFolder {
public:
    /// Lists the folder; empty when the folder is gone (the dump may be gone by now, its record is still valid).
    OpDumpFolder(const std::string& folder, tree::KnownMappings& mappings, const Limits& limits);

    OpDumpFolder(const OpDumpFolder&) = delete;
    OpDumpFolder& operator=(const OpDumpFolder&) = delete;

    /// The files of the tasks whose ids have the same lower 16 bits, in order of names.
    using Range = std::pair<std::vector<OpDumpFile>::const_iterator, std::vector<OpDumpFile>::const_iterator>;
    Range of_task(std::uint64_t task_id) const;

    const std::string& path() const noexcept { return path_; }

    /// Whether an overflow dump with the ids of the query is nearer to a time than the query's own dump.
    bool has_nearer_overflow_dump(std::uint64_t time_us, const TaskQuery& query, const Limits& limits) const;

    std::optional<Error> unread;        ///< why files may be missing
    std::optional<Error> names_unread;  ///< files called by numbers are there, but mapping.csv cannot be read

private:
    std::string_view real_name_of(std::string_view name, tree::KnownMappings& mappings, const Limits& limits);
    void add(std::string_view name, std::string_view real_name);
    /// Those of a statistic.csv. Unreadable rows are left out; reports on API dumps mention them.
    void add_rows(const Limits& limits);

    std::string path_;
    std::vector<OpDumpFile> dumps_;  ///< by the lower half of the task, then by name
    std::vector<std::pair<std::uint64_t, std::string_view>> overflow_dumps_;  ///< by the time in the name
    std::vector<tree::FolderEntry> entries_;                                  ///< listed here
    std::shared_ptr<const Result<tree::NameMapping>> mapping_;  ///< read only when a file called by a number is there
};

/// The operator's dump is written within milliseconds of the overflow dump; beyond this the ids may have been reused.
constexpr std::uint64_t kNearUs = 60'000'000;
/// Operators of one task that ran so close to the overflow cannot be distinguished by their times.
constexpr std::uint64_t kSameExecutionUs = 1'000'000;
constexpr std::uint64_t kUnknownDistance = std::numeric_limits<std::uint64_t>::max();

std::uint64_t distance_of(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) noexcept;

/// One execution of an operator, as its files show it.
struct OpExecution {
    const OpDumpFolder* folder = nullptr;    ///< must outlive this
    const OpDumpFile* file = nullptr;        ///< the dump; without one the first of its tensors, statistics, or a row
    std::vector<const OpDumpFile*> tensors;  ///< its .npy files; empty where `file` holds all
    DumpName name;
    bool context_fits = false;  ///< the name carries the record's context, or neither has one
    std::uint64_t distance_us = kUnknownDistance;

    bool is_row() const noexcept { return file->kind == OpFileKind::row; }
    bool has_values() const noexcept { return !tensors.empty() || file->kind == OpFileKind::dump; }
    std::string path_of(const OpDumpFile& of_it) const { return tree::join_path(folder->path(), of_it.name); }
};

/// Whether a name fits better: the context in it first, then the nearest time.
inline bool is_nearer(const OpExecution& a, const OpExecution& b) noexcept {
    return a.context_fits != b.context_fits ? a.context_fits : a.distance_us < b.distance_us;
}

/// Those of a folder that fit best, in order of names: the nearest dumps, and the rows that are as near or less than a
/// second from the overflow dump.
std::vector<OpExecution> nearest_executions(const OpDumpFolder& folder, const TaskQuery& query, TaskIds ids);

/// The folders with the operator dumps of the same rank and iteration, in order; none for other folders.
std::vector<std::string> graph_folders_of(const std::string& folder);

}  // namespace opdebug::locate_stage

/// Indexes by folder, made when first requested; the real names in them are those that overflow dumps are given, too.
struct opdebug::OpDumpFolders::Contents {
    opdebug::tree::KnownMappings mappings;
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<const locate_stage::OpDumpFolder>> folders;
    std::map<std::string, std::vector<std::string>> graph_folders;

    std::shared_ptr<const locate_stage::OpDumpFolder> index_of(const std::string& folder, const Limits& limits);

    /// As locate_stage::graph_folders_of().
    std::vector<std::string> graph_folders_of(const std::string& folder);
};

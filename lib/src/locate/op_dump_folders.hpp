// Which files of a folder name operators: their dumps by task id, and lists of statistics.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/locate.hpp>

#include "bytes/open_folder.hpp"
#include "locate/statistic_list.hpp"
#include "tree/folder.hpp"
#include "tree/mapping.hpp"

namespace opdebug::locate_stage {

/// dump: the binary with all values; tensor: one of them as .npy; statistics: CANN's .csv of one operator.
enum class OpFileKind { dump, tensor, statistics };

/// A file of an operator as its folder shows it.
struct OpDumpFile {
    OpFileKind kind = OpFileKind::dump;
    std::uint64_t task_id = 0;
    std::string_view name;
    std::string_view real_name;  ///< differs from the name when mapping.csv gives it
    std::string_view dump_name;  ///< the part of the real name that is the dump's: all of it for a dump
};

/// The operator dumps of a folder. Of most of them nobody asks more than the task, so their names are not taken apart.
class OpDumpFolder {
public:
    /// Lists the folder; there are none when it is gone (the dump may be so by now; its record still stands).
    OpDumpFolder(const std::string& folder, tree::KnownMappings& mappings, const Limits& limits);

    /// The folder as `listed` says, which must live as long.
    explicit OpDumpFolder(const std::vector<std::string>& listed);

    OpDumpFolder(const OpDumpFolder&) = delete;
    OpDumpFolder& operator=(const OpDumpFolder&) = delete;

    /// The files of the tasks whose ids have the same lower 16 bits, in order of names.
    using Range = std::pair<std::vector<OpDumpFile>::const_iterator, std::vector<OpDumpFile>::const_iterator>;
    Range of_task(std::uint64_t task_id) const;

    /// It contains MindSpore's statistic.csv.
    bool has_statistic_list() const noexcept { return has_statistic_list_; }

    const std::optional<Error>& unread() const noexcept { return unread_; }  ///< why files may be missing

    /// Files called by numbers are there, but mapping.csv cannot be read.
    const std::optional<Error>& names_unread() const noexcept { return names_unread_; }

private:
    std::string_view real_name_of(std::string_view name, const std::string& folder, tree::KnownMappings& mappings,
                                  const Limits& limits);
    void add(std::string_view name, std::string_view real_name);
    void put_in_order();

    std::vector<OpDumpFile> dumps_;  ///< by the lower half of the task, then by name
    bool has_statistic_list_ = false;
    std::vector<tree::FolderEntry> entries_;                    ///< listed here
    std::shared_ptr<const Result<tree::NameMapping>> mapping_;  ///< read only when a file called by a number is there
    std::optional<Error> unread_;
    std::optional<Error> names_unread_;
};

}  // namespace opdebug::locate_stage

/// Indexes by folder, made when first asked for; the real names in them are those that overflow dumps are given, too.
struct opdebug::OpDumpFolders::Contents {
    opdebug::tree::KnownMappings mappings;
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<const locate_stage::OpDumpFolder>> folders;
    std::map<std::string, std::shared_ptr<const locate_stage::StatisticList>> statistic_lists;
    std::map<std::string, std::vector<std::string>> graph_folders;

    /// A folder that a walk has listed, and the files in it that name operators; they outlive this.
    struct Listed {
        std::string folder;
        const std::vector<std::string>* names = nullptr;
    } listed;

    /// The dumps' folder while it is open; nothing where files are to be opened by their paths.
    std::optional<bytes::OpenFolder> open;
    const bytes::OpenFolder* open_folder() const noexcept { return open ? &*open : nullptr; }

    std::shared_ptr<const locate_stage::OpDumpFolder> index_of(const std::string& folder, const Limits& limits);

    /// The statistic.csv of a folder.
    std::shared_ptr<const locate_stage::StatisticList> statistics_of(const std::string& folder, const Limits& limits);

    /// As locate_stage::graph_folders_of().
    std::vector<std::string> graph_folders_of(const std::string& folder);
};

namespace opdebug::locate_stage {

/// The folders with the operator dumps of the same rank and iteration, in order; none for other folders.
std::vector<std::string> graph_folders_of(const std::string& folder);

}  // namespace opdebug::locate_stage

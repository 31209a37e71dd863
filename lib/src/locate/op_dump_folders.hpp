// Which operator dumps a folder holds, by task id.
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
#include "tree/known_mappings.hpp"
#include "tree/packed_names.hpp"

namespace opdebug::locate_stage {

/// An operator dump as its folder shows it.
struct OpDumpFile {
    std::uint64_t task_id = 0;
    std::string_view name;
    std::string_view real_name;  ///< differs from the name when mapping.csv gives it
};

/// The operator dumps of a folder. Of most of them nobody asks more than the task, so their names are not taken apart.
class OpDumpFolder {
public:
    /// Lists the folder; there are none when it is gone (the dump may be so by now; its record still stands).
    OpDumpFolder(const std::string& folder, tree::KnownMappings& mappings, const Limits& limits);

    /// The folder as `listed` says, which must live as long.
    explicit OpDumpFolder(const tree::PackedNames& listed);

    OpDumpFolder(const OpDumpFolder&) = delete;
    OpDumpFolder& operator=(const OpDumpFolder&) = delete;

    /// The dumps of a task, in order of names.
    using Range = std::pair<std::vector<OpDumpFile>::const_iterator, std::vector<OpDumpFile>::const_iterator>;
    Range of_task(std::uint64_t task_id) const;

    const std::optional<Error>& unread() const noexcept { return unread_; }  ///< why files may be missing

    /// Files called by numbers are there, but mapping.csv cannot be read.
    const std::optional<Error>& names_unread() const noexcept { return names_unread_; }

private:
    std::string_view real_name_of(std::string_view name, const std::string& folder, tree::KnownMappings& mappings,
                                  const Limits& limits);
    void add(std::string_view name, std::string_view real_name);
    void put_in_order();

    std::vector<OpDumpFile> dumps_;                             ///< by task, then by name
    tree::PackedNames names_;                                   ///< listed here
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

    /// The operator dumps of the only folder that will be asked for, where a walk saw them all; it outlives this.
    const opdebug::tree::PackedNames* listed = nullptr;

    /// That folder while it is open; nothing where files are to be opened by their paths.
    std::optional<bytes::OpenFolder> open;
    const bytes::OpenFolder* open_folder() const noexcept { return open ? &*open : nullptr; }

    std::shared_ptr<const locate_stage::OpDumpFolder> index_of(const std::string& folder, const Limits& limits);
};

// Dumps that were given: where they lie now, and what their answers rest on.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/scan.hpp>

#include "tree/file_place.hpp"
#include "watch/file_version.hpp"
#include "watch/missed_dumps.hpp"
#include "watch/op_dumps_seen.hpp"

namespace opdebug::watch {

/// How a path that comes stands to the dumps that were given. fresh: it is none of them; known: one of them, as it was
/// read; elsewhere: one of them that changed, and is to be read under its own path; changed: one of them, to be read
/// under this path.
enum class Meeting { fresh, known, elsewhere, changed };

struct Met {
    Meeting meeting = Meeting::fresh;
    std::uint64_t number = 0;  ///< but for fresh ones
};

/// A dump counts once, whatever paths lead to it: paths to watch may overlap, links lead to dumps, dumps and folders
/// are renamed while a job runs.
class GivenDumps {
public:
    /// Judges a path. Where a dump was renamed, or known by a link only, its path is this one from now on. `before`:
    /// the dump that this path led to before.
    Met meet(const std::string& file, std::optional<std::uint64_t> before, const std::optional<tree::FilePlace>& place,
             const FileVersion& version);

    /// Remembers a dump that is given: the one of that number as it is now, else a further one. Returns its number.
    std::uint64_t remember(std::optional<std::uint64_t> number, const std::optional<tree::FilePlace>& place,
                           const FileVersion& version, const ScannedDump& scanned, OpDumpsSeen seen);

    std::uint64_t count() const noexcept { return dumps_.size(); }

    /// Those from that number on.
    std::vector<SeenDump> since(std::uint64_t number) const;

    const std::string& path_of(std::uint64_t number) const { return dumps_[number].path; }

    /// The numbers of all whose place is known, folder by folder.
    std::vector<std::uint64_t> by_folder() const;

    /// Whether there is a file, and it was written since it was read or is another one.
    bool is_written_since(std::uint64_t number) const;

    /// Whether the report would tell another thing of this dump if it were read now, though nobody wrote into it.
    bool may_differ(std::uint64_t number, OpDumpFolders& op_dumps, const Limits& limits) const;

private:
    struct Given {
        std::string path;
        FileVersion version;
        DumpState state = DumpState::failed;
        std::optional<std::uint64_t> timestamp_us;
        bool has_other_path = false;  ///< than that under which it was given
        OpDumpsSeen seen;             ///< of overflows
    };
    Met met(std::uint64_t number, const FileVersion& version) const;
    Met met_under_new_path(std::uint64_t number, const std::string& file, const FileVersion& version);
    std::optional<std::uint64_t> renamed(const FileVersion& version) const;

    std::vector<Given> dumps_;  ///< by number
    std::map<tree::FilePlace, std::uint64_t> by_place_;
    std::map<std::pair<dev_t, ino_t>, std::uint64_t> by_file_;  ///< of further names of a file the one that came last
    /// An overflow is none any more, or another place in the order: which is the first must be asked of all.
    bool order_changed_ = false;
};

}  // namespace opdebug::watch

#include "watch/given_dumps.hpp"

#include "tree/folder.hpp"

namespace opdebug::watch {
namespace {

bool is_link(const std::string& path) {
    const Result<tree::EntryKind> kind = tree::examine_entry(path, false);
    return kind && *kind == tree::EntryKind::link;
}

}  // namespace

Met GivenDumps::met(std::uint64_t number, const FileVersion& version) const {
    return {dumps_[number].version == version ? Meeting::known : Meeting::changed, number};
}

Met GivenDumps::met_under_new_path(std::uint64_t number, const std::string& file, const FileVersion& version) {
    Given& given = dumps_[number];
    given.path = file;
    given.has_other_path = true;
    order_changed_ = order_changed_ || given.state == DumpState::overflowed;  // its step may be another one
    return met(number, version);
}

/// The dump whose file lies under another path now. The system gives the number of a deleted file to a new one, so the
/// times must agree, too.
std::optional<std::uint64_t> GivenDumps::renamed(const FileVersion& version) const {
    const auto same_file = by_file_.find(version.number);
    if (same_file == by_file_.end() || dumps_[same_file->second].version != version) {
        return std::nullopt;
    }
    const std::optional<FileVersion> there = version_of(dumps_[same_file->second].path);
    return there && there->number == version.number ? std::nullopt : std::optional(same_file->second);
}

Met GivenDumps::meet(const std::string& file, std::optional<std::uint64_t> before,
                     const std::optional<tree::FilePlace>& place, const FileVersion& version) {
    const auto same_place = place ? by_place_.find(*place) : by_place_.end();
    if (same_place != by_place_.end()) {
        const std::uint64_t number = same_place->second;
        const Given& given = dumps_[number];
        if (given.path == file) {
            return met(number, version);
        }
        if (tree::place_of(given.path) == place) {
            if (is_link(given.path) && !is_link(file)) {
                return met_under_new_path(number, file, version);
            }
            return {given.version == version ? Meeting::known : Meeting::elsewhere, number};
        }
        if (given.version == version) {  // its folder was renamed; else the folder's number was given to a new one
            return met_under_new_path(number, file, version);
        }
    }
    if (before && dumps_[*before].path == file) {
        return met(*before, version);
    }
    if (const auto number = renamed(version)) {
        if (place) {
            by_place_[*place] = *number;
        }
        return met_under_new_path(*number, file, version);
    }
    return {};
}

std::uint64_t GivenDumps::remember(std::optional<std::uint64_t> number, const std::optional<tree::FilePlace>& place,
                                   const FileVersion& version, const ScannedDump& scanned, OpDumpsSeen seen) {
    if (!number) {
        number = dumps_.size();
        dumps_.emplace_back();
    }
    Given& given = dumps_[*number];
    const auto timestamp_us = scanned.dump ? scanned.dump->timestamp_us : std::nullopt;
    order_changed_ = order_changed_ || (given.state == DumpState::overflowed &&
                                        (scanned.state != given.state || timestamp_us != given.timestamp_us));
    given = {scanned.file, version, scanned.state, timestamp_us, false, std::move(seen)};
    if (place) {
        by_place_[*place] = *number;
        by_file_[version.number] = *number;
    }
    return *number;
}

std::vector<SeenDump> GivenDumps::since(std::uint64_t number) const {
    std::vector<SeenDump> seen;
    for (std::uint64_t i = number; i < dumps_.size(); ++i) {
        seen.push_back({dumps_[i].path, dumps_[i].version});
    }
    return seen;
}

std::vector<std::uint64_t> GivenDumps::by_folder() const {
    std::vector<std::uint64_t> numbers;
    numbers.reserve(by_place_.size());
    std::vector<bool> taken(dumps_.size());
    for (const auto& [place, number] : by_place_) {
        if (!taken[number]) {  // a renamed one has two
            taken[number] = true;
            numbers.push_back(number);
        }
    }
    return numbers;
}

bool GivenDumps::is_written_since(std::uint64_t number) const {
    const std::optional<FileVersion> there = version_of(dumps_[number].path);
    return there && *there != dumps_[number].version;
}

bool GivenDumps::may_differ(std::uint64_t number, OpDumpFolders& op_dumps, const Limits& limits) const {
    const Given& given = dumps_[number];
    return given.has_other_path || given.state == DumpState::failed ||
           (given.state == DumpState::overflowed &&
            (order_changed_ || given.seen.may_differ(given.path, op_dumps, limits)));
}

}  // namespace opdebug::watch

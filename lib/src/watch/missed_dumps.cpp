#include "watch/missed_dumps.hpp"

#include <map>
#include <string_view>
#include <utility>

#include <opdebug/tree.hpp>

namespace opdebug::watch {
namespace {

/// A dump may be written on while it is moved. One with another name must have the same time and size, for the system
/// gives the number of a deleted file to a new one; one with another number must come from another file system, for
/// dumps that are written together have equal times.
bool is_same(const SeenDump& missed, const SeenDump& there) {
    const bool same_name = file_name_of(missed.file) == file_name_of(there.file);
    const bool same_version = missed.version == there.version;
    if (missed.version.number == there.version.number) {
        return same_name || same_version;
    }
    return same_name && same_version && missed.version.number.first != there.version.number.first;
}

/// Dumps that came, each to be found by what a moved one keeps.
class Found {
public:
    explicit Found(const std::vector<SeenDump>& dumps) : dumps_(dumps), taken_(dumps.size()) {
        for (std::size_t i = 0; i < dumps.size(); ++i) {
            by_name_.emplace(file_name_of(dumps[i].file), i);
            by_number_.emplace(dumps[i].version.number, i);
        }
    }

    bool take_same(const SeenDump& missed) {
        return take_same(missed, by_number_.equal_range(missed.version.number)) ||
               take_same(missed, by_name_.equal_range(file_name_of(missed.file)));
    }

    bool take_of_name(std::string_view name) {
        const auto [begin, end] = by_name_.equal_range(name);
        for (auto found = begin; found != end; ++found) {
            if (!taken_[found->second]) {
                taken_[found->second] = true;
                return true;
            }
        }
        return false;
    }

private:
    template <typename Range>
    bool take_same(const SeenDump& missed, const Range& range) {
        for (auto found = range.first; found != range.second; ++found) {
            if (is_same(missed, dumps_[found->second])) {
                taken_[found->second] = true;
                return true;
            }
        }
        return false;
    }

    const std::vector<SeenDump>& dumps_;
    std::vector<bool> taken_;
    std::multimap<std::string_view, std::size_t> by_name_;
    std::multimap<std::pair<dev_t, ino_t>, std::size_t> by_number_;
};

}  // namespace

std::uint64_t MissedDumps::take_gone(const std::vector<SeenDump>& there) {
    Found found(there);
    std::uint64_t gone = 0;
    for (const SeenDump& missed : missed_) {
        gone += missed.was_examined() && !found.take_same(missed) ? 1U : 0U;
    }
    for (const SeenDump& missed : missed_) {  // behind those that are known better
        gone += !missed.was_examined() && !found.take_of_name(file_name_of(missed.file)) ? 1U : 0U;
    }
    missed_.clear();
    return gone;
}

}  // namespace opdebug::watch

#include "logs/processes/own_logs.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <opdebug/tree.hpp>

#include "logs/files/log_name.hpp"
#include "tree/folder.hpp"

namespace opdebug::logs {
namespace {

void begin_behind(std::int64_t first_us, std::int64_t last_us, OwnLogs::Relation& relation) noexcept {
    relation.kinship = begins_within(first_us, last_us) ? OwnLogs::Kinship::at_once : relation.kinship;
    relation.distance_us = std::min(relation.distance_us, distance_us(first_us, last_us));
}

template <class Log>
std::string_view name_of(const Log& log, const OwnLogs::Files& files) {
    return std::string_view(files[log.file]).substr(log.name_begin, log.name_size);
}

}  // namespace

class OwnLogs::IsBefore {
public:
    explicit IsBefore(const Files& files) noexcept : files_(files) {}
    bool operator()(const Log& a, const Log& b) const {
        return a.first_us != b.first_us ? a.first_us < b.first_us
                                        : a.file != b.file && name_of(a, files_) < name_of(b, files_);
    }

private:
    const Files& files_;
};

OwnLogs::OwnLogs(const std::vector<OwnLog>& logs, const Files& files) : size_(logs.size()) {
    for (const OwnLog& log : logs) {
        const std::string& path = files[log.file];
        const std::string_view name = read_log_name(file_name_of(path)).stem;
        const auto begin = name.empty() ? std::ptrdiff_t{0} : name.data() - path.data();
        of_folder_[tree::folder_of(path)].push_back({log.first_us, log.last_us, log.file,
                                                     static_cast<std::uint32_t>(name.size()),
                                                     static_cast<std::size_t>(begin)});
    }
    for (auto& [folder, of_folder] : of_folder_) {
        std::sort(of_folder.begin(), of_folder.end(), IsBefore(files));
        carry_on_ends(of_folder, 0);
    }
}

void OwnLogs::carry_on_ends(Logs& logs, std::size_t from) noexcept {
    for (std::size_t i = std::max<std::size_t>(from, 1); i < logs.size(); ++i) {
        logs[i].last_us = std::max(logs[i].last_us, logs[i - 1].last_us);
    }
}

/// Most of what comes later begins later: only what begins behind the first of it is moved.
void OwnLogs::add(const OwnLogs& further, const Files& files) {
    const IsBefore is_before(files);
    for (const auto& [folder, logs] : further.of_folder_) {
        Logs& all = of_folder_[folder];
        const auto size = static_cast<std::ptrdiff_t>(all.size());
        all.insert(all.end(), logs.begin(), logs.end());
        const auto first = std::upper_bound(all.begin(), all.begin() + size, logs.front(), is_before);
        std::inplace_merge(first, all.begin() + size, all.end(), is_before);
        carry_on_ends(all, static_cast<std::size_t>(first - all.begin()));
    }
    size_ += further.size_;
}

/// In the order in which all of them begin: each log behind those of the other process that began before it. Of a row
/// of logs behind one, the first tells whether it began too early, and the nearest ones how far away they are.
void OwnLogs::relate(const Logs& more, const Logs& fewer, const Files& files, Relation& relation) {
    const IsBefore is_before(files);
    auto place = std::lower_bound(more.begin(), more.end(), fewer.front(), is_before);
    for (auto log = fewer.begin(); log != fewer.end(); ++log) {
        if (place != more.end() && !is_before(*log, *place)) {
            relation = {Kinship::one_log, 0};
            return;
        }
        if (place != more.begin()) {
            begin_behind(log->first_us, std::prev(place)->last_us, relation);
        }
        const auto next = std::next(log);
        const auto end = next == fewer.end() ? more.end() : std::lower_bound(place, more.end(), *next, is_before);
        if (place != end) {
            begin_behind(place->first_us, log->last_us, relation);
            const auto later =
                std::partition_point(place, end, [&log](const Log& behind) { return behind.first_us < log->last_us; });
            for (auto near = later == place ? later : std::prev(later); near != end && near <= later; ++near) {
                begin_behind(near->first_us, log->last_us, relation);
            }
        }
        place = end;
    }
}

OwnLogs::Relation OwnLogs::relation_to(const OwnLogs& other, const Files& files) const {
    if (other.of_folder_.size() < of_folder_.size()) {
        return other.relation_to(*this, files);
    }
    Relation relation;
    for (const auto& [folder, logs] : of_folder_) {
        const auto same = other.of_folder_.find(folder);
        if (same != other.of_folder_.end() && relation.kinship != Kinship::one_log) {
            const bool has_more = logs.size() > same->second.size();
            relate(has_more ? logs : same->second, has_more ? same->second : logs, files, relation);
        }
    }
    return relation;
}

}  // namespace opdebug::logs

#include "logs/processes/own_logs.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <opdebug/tree.hpp>

#include "logs/files/log_name.hpp"
#include "tree/folder.hpp"

namespace opdebug::logs {
namespace {

constexpr auto is_before = [](const auto& a, const auto& b) {
    return std::tie(a.first_us, a.name) < std::tie(b.first_us, b.name);
};

}  // namespace

OwnLogs::OwnLogs(const std::vector<OwnLog>& logs, const std::vector<std::string>& files) {
    for (const OwnLog& log : logs) {
        const std::string& path = files[log.file];
        const std::string_view name = read_log_name(file_name_of(path)).stem;
        of_folder_[tree::folder_of(path)].push_back({log.first_us, log.last_us, std::string(name)});
    }
    for (auto& [folder, of_folder] : of_folder_) {
        std::sort(of_folder.begin(), of_folder.end(), is_before);
    }
}

void OwnLogs::add(const OwnLogs& further) {
    for (const auto& [folder, logs] : further.of_folder_) {
        Logs& all = of_folder_[folder];
        Logs merged;
        merged.reserve(all.size() + logs.size());
        std::merge(all.begin(), all.end(), logs.begin(), logs.end(), std::back_inserter(merged), is_before);
        all = std::move(merged);
    }
}

/// By the order in which all of them begin.
void OwnLogs::relate(const Logs& a, const Logs& b, Relation& relation) {
    std::optional<std::int64_t> last_of_a, last_of_b;  // until then
    const auto begin = [&relation](const Log& log, std::optional<std::int64_t>& own,
                                   const std::optional<std::int64_t>& others) {
        if (others && begins_within(log.first_us, *others)) {
            relation.kinship = Kinship::at_once;
        }
        if (others) {
            relation.distance_us = std::min(relation.distance_us, logs::distance_us(log.first_us, *others));
        }
        own = std::max(own.value_or(log.last_us), log.last_us);
    };
    auto next_a = a.begin(), next_b = b.begin();
    while (next_a != a.end() || next_b != b.end()) {
        const bool is_a = next_b == b.end() || (next_a != a.end() && !is_before(*next_b, *next_a));
        if (is_a && next_b != b.end() && !is_before(*next_a, *next_b)) {
            relation = {Kinship::one_log, 0};
            return;
        }
        is_a ? begin(*next_a++, last_of_a, last_of_b) : begin(*next_b++, last_of_b, last_of_a);
    }
}

OwnLogs::Relation OwnLogs::relation_to(const OwnLogs& other) const {
    Relation relation;
    for (const auto& [folder, logs] : of_folder_) {
        const auto same = other.of_folder_.find(folder);
        if (same != other.of_folder_.end() && relation.kinship != Kinship::one_log) {
            relate(logs, same->second, relation);
        }
    }
    return relation;
}

bool OwnLogs::shares_name_with(const OwnLogs& other) const {
    for (const auto& [folder, logs] : of_folder_) {
        const auto same = other.of_folder_.find(folder);
        if (same == other.of_folder_.end()) {
            continue;
        }
        std::set<std::string_view> names;
        for (const Log& log : logs) {
            names.insert(log.name);
        }
        for (const Log& log : same->second) {
            if (names.count(log.name) != 0) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace opdebug::logs

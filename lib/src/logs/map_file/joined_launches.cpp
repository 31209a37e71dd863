#include "logs/map_file/joined_launches.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "logs/facts/launch_lines.hpp"

namespace opdebug::logs {
namespace {

/// Submit lines take this mark off.
bool is_open_launch(const StoredFact& stored) noexcept {
    return is_kernel_launch(stored.fact) && stored.fact.task_id_provisional;
}

/// Which piece read which lines, and which open launches it has.
class PiecesOfLaunches {
public:
    PiecesOfLaunches(const Process& process, const std::vector<PieceOfProcess>& pieces,
                     const std::vector<std::string>& files)
        : pieces_(pieces), files_(files) {
        for (const OwnLog& log : process.own_logs) {
            logs_[files[log.file]].push_back(&log);
        }
        for (const StoredFact& stored : process.facts) {
            if (is_open_launch(stored)) {
                open_[line_of(stored)].insert(piece_of(stored.place.file));
            }
        }
    }

    bool is_settled(const StoredFact& launch) const {
        const auto logs = logs_.find(files_[launch.place.file]);
        const std::set<std::size_t>& open = open_.at(line_of(launch));
        return logs != logs_.end() && std::any_of(logs->second.begin(), logs->second.end(), [&](const OwnLog* log) {
                   const std::size_t piece = piece_of(log->file);
                   const bool goes_on = launch.time_us < pieces_[piece].last_us;
                   return log->first_us <= launch.time_us && launch.time_us <= log->last_us && goes_on &&
                          open.count(piece) == 0;
               });
    }

private:
    using Line = std::pair<std::string_view, std::string_view>;  ///< path and text, which holds the time

    Line line_of(const StoredFact& stored) const { return {files_[stored.place.file], stored.place.text}; }
    /// Pieces are in the order of their files.
    std::size_t piece_of(std::uint32_t file) const {
        const auto next =
            std::upper_bound(pieces_.begin(), pieces_.end(), file,
                             [](std::uint32_t place, const PieceOfProcess& piece) { return place < piece.begin_file; });
        return static_cast<std::size_t>(next - pieces_.begin()) - 1;
    }

    const std::vector<PieceOfProcess>& pieces_;
    const std::vector<std::string>& files_;
    std::map<std::string_view, std::vector<const OwnLog*>> logs_;  ///< by path
    std::map<Line, std::set<std::size_t>> open_;                   ///< the pieces that have the launch
};

}  // namespace

void drop_settled_launches(Process& process, const std::vector<PieceOfProcess>& pieces,
                           const std::vector<std::string>& files) {
    if (std::none_of(process.facts.begin(), process.facts.end(), is_open_launch)) {
        return;
    }
    const PiecesOfLaunches launches(process, pieces, files);
    std::vector<bool> is_settled;
    is_settled.reserve(process.facts.size());
    for (const StoredFact& stored : process.facts) {
        is_settled.push_back(is_open_launch(stored) && launches.is_settled(stored));
    }
    std::size_t place = 0;
    process.facts.erase(std::remove_if(process.facts.begin(), process.facts.end(),
                                       [&](const StoredFact& /*stored*/) { return is_settled[place++]; }),
                        process.facts.end());
}

}  // namespace opdebug::logs

#include "logs/map_file/joined_runs.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "logs/collecting/run_begins.hpp"
#include "logs/facts/launch_lines.hpp"
#include "logs/facts/time_gap.hpp"
#include "tree/folder.hpp"

namespace opdebug::logs {
namespace {

/// What RunBegins looks at.
bool tells_of_runs(FactKind kind) noexcept {
    return tells_runs_apart(kind) || kind == FactKind::model_end;
}

bool is_break(const StoredFact& stored) noexcept {
    return stored.fact.kind == FactKind::run_begin || stored.fact.kind == FactKind::run_pause;
}

auto place_in_time(const StoredFact& stored) {
    return std::tie(stored.time_us, stored.place.file, stored.place.line);
}

/// In the order of time, what several pieces tell once.
std::vector<const StoredFact*> told_of_runs(const Process& process) {
    std::vector<const StoredFact*> told;
    for (const StoredFact& stored : process.facts) {
        if (tells_of_runs(stored.fact.kind)) {
            told.push_back(&stored);
        }
    }
    std::sort(told.begin(), told.end(),
              [](const StoredFact* a, const StoredFact* b) { return place_in_time(*a) < place_in_time(*b); });
    std::set<std::pair<std::int64_t, std::string_view>> known;
    told.erase(std::remove_if(told.begin(), told.end(),
                              [&known](const StoredFact* stored) {
                                  return !known.emplace(stored->time_us, stored->place.text).second;
                              }),
               told.end());
    return told;
}

/// In the order of time, and found by their files.
class Pieces {
public:
    explicit Pieces(std::vector<PieceOfProcess> pieces) : in_time_(std::move(pieces)) {
        std::sort(in_time_.begin(), in_time_.end(), [](const PieceOfProcess& a, const PieceOfProcess& b) {
            return std::tie(a.first_us, a.begin_file) < std::tie(b.first_us, b.begin_file);
        });
        for (std::uint32_t piece = 0; piece < in_time_.size(); ++piece) {
            by_file_.emplace(in_time_[piece].begin_file, piece);
        }
    }
    /// Pieces have different files.
    std::uint32_t of_file(std::uint32_t file) const { return std::prev(by_file_.upper_bound(file))->second; }
    std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(in_time_.size()); }
    const PieceOfProcess& operator[](std::uint32_t piece) const { return in_time_[piece]; }

private:
    std::vector<PieceOfProcess> in_time_;
    std::map<std::uint32_t, std::uint32_t> by_file_;
};

/// Of each piece the file where something of it is told first.
std::vector<std::uint32_t> first_files(const Pieces& pieces, const StoredFacts& facts) {
    std::vector<const StoredFact*> first(pieces.size());
    for (const StoredFact& stored : facts) {
        const StoredFact*& of_piece = first[pieces.of_file(stored.place.file)];
        if (of_piece == nullptr || place_in_time(stored) < place_in_time(*of_piece)) {
            of_piece = &stored;
        }
    }
    std::vector<std::uint32_t> files;
    for (std::uint32_t piece = 0; piece < pieces.size(); ++piece) {
        files.push_back(first[piece] != nullptr ? first[piece]->place.file : pieces[piece].begin_file);
    }
    return files;
}

/// Begins of runs, and pauses, between pieces.
std::vector<StoredFact> breaks_between(const Pieces& pieces, const std::vector<const StoredFact*>& told,
                                       const StoredFacts& facts) {
    RunBegins runs;
    for (std::uint32_t piece = 0; piece < pieces.size(); ++piece) {
        if (pieces[piece].last_us != 0) {  // its lines have times
            runs.add_lines(piece, {}, pieces[piece].first_us, pieces[piece].last_us);
        }
    }
    for (const StoredFact* stored : told) {
        runs.see(*stored, pieces.of_file(stored->place.file));
    }
    std::vector<StoredFact> found = runs.finish();
    const std::vector<std::uint32_t> files = found.empty() ? std::vector<std::uint32_t>() : first_files(pieces, facts);
    for (StoredFact& stored : found) {
        if (stored.fact.kind == FactKind::run_pause) {
            stored.place.file = files[stored.place.file];
        }
    }
    return found;
}

/// When lines were written in a folder, as far as it is known, and by which piece.
class TimesOfLines {
public:
    TimesOfLines(const StoredFacts& facts, const Pieces& pieces, const std::vector<std::string>& files)
        : pieces_(pieces), files_(files) {
        for (const StoredFact& stored : facts) {
            if (!is_break(stored)) {
                times_[folder_of(stored.place.file)].emplace_back(stored.time_us, pieces.of_file(stored.place.file));
            }
        }
        for (auto& [folder, times] : times_) {
            std::sort(times.begin(), times.end());
        }
    }

    /// Whether another piece tells of a line just before.
    bool is_filled(const StoredFact& gap_end) {
        const std::uint32_t own = pieces_.of_file(gap_end.place.file);
        const std::string& folder = folder_of(gap_end.place.file);
        const auto is_just_before = [&gap_end](std::int64_t time_us) {
            return time_us < gap_end.time_us && !is_gap(time_us, gap_end.time_us, kLongerThanRotationUs);
        };
        for (std::uint32_t piece = 0; piece < pieces_.size(); ++piece) {
            const PieceOfProcess& other = pieces_[piece];
            if (piece != own && other.folders->count(folder) != 0 &&
                (is_just_before(other.first_us) || is_just_before(other.last_us))) {
                return true;
            }
        }
        const std::vector<Time>& times = times_[folder];
        const auto next = std::lower_bound(times.begin(), times.end(), Time{gap_end.time_us, 0});
        return next != times.begin() && std::prev(next)->second != own && is_just_before(std::prev(next)->first);
    }

private:
    using Time = std::pair<std::int64_t, std::uint32_t>;  ///< and the piece

    const std::string& folder_of(std::uint32_t file) {
        const auto [known, is_new] = folders_.try_emplace(file);
        if (is_new) {
            known->second = tree::folder_of(files_[file]);
        }
        return known->second;
    }

    const Pieces& pieces_;
    const std::vector<std::string>& files_;
    std::map<std::uint32_t, std::string> folders_;
    std::map<std::string, std::vector<Time>> times_;
};

/// Lines on which nothing that an earlier file left open begins anew.
class NewBeginnings {
public:
    explicit NewBeginnings(const std::vector<const StoredFact*>& told) {
        RunBegins runs;
        for (const StoredFact* stored : told) {
            lines_.emplace(stored->place.file, stored->place.line);
            runs.see(*stored);
        }
        for (const LogPlace& repeated : runs.repeated()) {
            files_that_repeat_.insert(repeated.file);
        }
    }
    bool has(const LogPlace& place) const {
        return lines_.count({place.file, place.line}) != 0 && files_that_repeat_.count(place.file) == 0;
    }

private:
    std::set<std::pair<std::uint32_t, std::uint64_t>> lines_;
    std::set<std::uint32_t> files_that_repeat_;
};

void drop_refuted_breaks(StoredFacts& facts, const Pieces& pieces, const std::vector<const StoredFact*>& told,
                         const std::vector<std::string>& files) {
    if (std::none_of(facts.begin(), facts.end(), is_break)) {
        return;
    }
    TimesOfLines times(facts, pieces, files);
    const NewBeginnings beginnings(told);
    const auto is_refuted = [&](const StoredFact& stored) {
        const bool is_begin = stored.fact.kind == FactKind::run_begin;
        return is_break(stored) && (times.is_filled(stored) || (is_begin && beginnings.has(stored.place)));
    };
    facts.erase(std::remove_if(facts.begin(), facts.end(), is_refuted), facts.end());
}

}  // namespace

void find_joined_runs(Process& process, std::vector<PieceOfProcess> of_process, const std::vector<std::string>& files) {
    if (process.on_device) {
        return;
    }
    const Pieces pieces(std::move(of_process));
    const std::vector<const StoredFact*> told = told_of_runs(process);
    std::vector<StoredFact> found = breaks_between(pieces, told, process.facts);
    drop_refuted_breaks(process.facts, pieces, told, files);  // moves what `told` points to
    std::move(found.begin(), found.end(), std::back_inserter(process.facts));
}

}  // namespace opdebug::logs

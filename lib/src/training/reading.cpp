// Files of training logs: lines, without what terminals and launchers add.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include <boost/regex.hpp>

#include "bytes/utf8.hpp"
#include "logs/files/byte_source.hpp"
#include "remarks/diagnose.hpp"
#include "training/formats.hpp"
#include "training/series.hpp"
#include "training/training.hpp"

namespace opdebug::training {
namespace {

using remarks::phrase;

constexpr std::size_t kPiece = std::size_t{64} << 10U;  // of a line; the rest of a longer one is not read
constexpr std::size_t kRead = std::size_t{256} << 10U;

/// Removes "ESC [ … letter", the colours of terminals.
std::string without_colors(const std::string& line) {
    static const boost::regex color("\x1b\\[[^A-Za-z]*[A-Za-z]?");
    return boost::regex_replace(line, color, "");
}

/// The rank in a path: "rank_3/train.log", "worker_3.log", "log_3.log".
std::optional<std::uint64_t> rank_in_path(const std::string& path) {
    static const boost::regex pattern(R"((?:^|/)(?:rank|worker|log)_?(\d{1,6})(?:\.log|\.txt|\.out)?(?=/|$))");
    std::optional<std::uint64_t> rank;
    for (boost::sregex_iterator found(path.begin(), path.end(), pattern), end; found != end; ++found) {
        rank = std::stoull((*found)[1].str());
    }
    return rank;
}

std::optional<UnreadFault> earlier(const std::optional<UnreadFault>& a, const std::optional<UnreadFault>& b) {
    return !b || (a && a->line < b->line) ? a : b;
}

/// Takes the text of a file in pieces and gives its runs.
class LogText {
public:
    explicit LogText(std::string file) { counts_.path = std::move(file); }

    /// Terminals show only what follows the last carriage return or backspaces; logs of progress bars have thousands.
    void add(std::string_view text) {
        constexpr std::string_view kEnds = "\n\r\b";
        for (std::size_t end = text.find_first_of(kEnds); end != std::string_view::npos;
             end = text.find_first_of(kEnds)) {
            add_to_piece(text.substr(0, end));
            end_piece();
            counts_.lines += text[end] == '\n' ? 1U : 0U;
            text.remove_prefix(end + 1);
        }
        add_to_piece(text);
    }

    std::vector<Run> finish() {
        if (!piece_.empty()) {  // its end may be missing: it counts only if it states a certain fault
            const std::size_t known = facts_.size();
            const std::uint64_t damaged = counts_.damaged;
            end_piece();
            counts_.cut = counts_.damaged != damaged || facts_.size() != known;
            counts_.damaged = damaged;
            const auto may_be_cut = [](const LineFacts& fact) {
                return !fact.has_fault && !is_bad(fact.number(Number::loss)) &&
                       !is_bad(fact.number(Number::main_loss)) && !is_bad(fact.number(Number::grad_norm));
            };
            facts_.erase(std::remove_if(facts_.begin() + static_cast<std::ptrdiff_t>(known), facts_.end(), may_be_cut),
                         facts_.end());
            ++counts_.lines;
        }
        drop_guesses();
        counts_.damaged += static_cast<std::uint64_t>(
            std::count_if(facts_.begin(), facts_.end(), [](const LineFacts& fact) { return fact.is_partly_read; }));
        counts_.matched = facts_.size();
        std::vector<Run> runs;
        const auto rank = rank_in_path(counts_.path);
        for (const ProcessLines& lines : processes_of(facts_, counts_.damaged)) {
            for (Series& series : series_of(lines)) {
                series.file = counts_.path;
                series.cut = counts_.cut;
                series.unread_fault = earlier(unread_fault_, lines.unread_fault);
                series.rank = series.rank ? series.rank : rank;
                runs.push_back(judge(std::move(series)));
            }
        }
        return runs;
    }

    const TrainingFile& counts() const noexcept { return counts_; }

private:
    void add_to_piece(std::string_view text) { piece_ += text.substr(0, kPiece - std::min(piece_.size(), kPiece)); }

    void end_piece() {
        std::string text = piece_.find('\x1b') == std::string::npos ? piece_ : without_colors(piece_);
        piece_.clear();
        if (counts_.lines == 0 && text.starts_with(bytes::kByteOrderMark)) {
            text.erase(0, bytes::kByteOrderMark.size());
        }
        std::erase(text, '\0');  // a crash of the host leaves them
        const Stripped stripped = without_prefixes(text);
        note_bar(stripped.text);
        const std::size_t known = facts_.size();
        counts_.damaged += add_facts(stripped, counts_.lines + 1, facts_) ? 0U : 1U;
        for (std::size_t i = known; i < facts_.size(); ++i) {
            auto& step = facts_[i].numbers[static_cast<std::size_t>(Number::step)];
            if (facts_[i].format->is_step && !step) {
                step = step_of_bar();
                facts_[i].numbers[static_cast<std::size_t>(Number::total)] = static_cast<double>(line_total_);
            }
        }
        if (!unread_fault_) {
            note_unread_fault(stripped.text, known);
        }
    }

    /// `known`: facts before this line.
    void note_unread_fault(std::string_view text, std::size_t known) {
        const auto first = facts_.begin() + static_cast<std::ptrdiff_t>(known);
        const bool is_read = std::any_of(first, facts_.end(), [](const LineFacts& fact) {
            return !fact.format->is_step || is_bad(fact.number(Number::loss)) ||
                   is_bad(fact.number(Number::main_loss)) || is_bad(fact.number(Number::grad_norm)) ||
                   fact.count(Number::skipped).value_or(0) != 0;
        });
        if (!is_read && states_unread_fault(text, first != facts_.end())) {
            unread_fault_ = UnreadFault{counts_.lines + 1, std::string(text.substr(0, UnreadFault::kShown))};
        }
    }

    /// Keeps the position of the progress bar of training: " 31%|███  | 310/1000 [". Bars with a text before the
    /// percentage belong to other work. After a line took its step from a bar, only bars with this total count.
    void note_bar(std::string_view text) {
        static const boost::regex pattern(R"(\s*\d{1,3}%\|[^|]*\| *(\d{1,9})/(\d{1,9}) \[)");
        boost::cmatch bar;
        if (text.find("%|") != std::string_view::npos &&
            boost::regex_search(text.data(), text.data() + text.size(), bar, pattern, boost::match_continuous)) {
            const std::uint64_t total = std::stoull(bar[2].str());
            if (line_total_ == 0 || total == line_total_) {
                bar_step_ = std::stoull(bar[1].str());
                bar_total_ = total;
            }
        }
    }

    /// The step of a line without a number. Empty if the bar has not advanced since the last such line: then it is not
    /// the bar of training, and the next bar counts.
    std::optional<double> step_of_bar() {
        const bool is_stuck = bar_step_ == line_step_;
        line_total_ = is_stuck ? 0 : bar_total_;
        line_step_ = bar_step_;
        return is_stuck ? std::nullopt : std::optional(static_cast<double>(bar_step_));
    }

    /// A guess counts only if the file has no steps of a known format.
    void drop_guesses() {
        constexpr std::ptrdiff_t kEnough = 3;
        const auto is_guess = [](const LineFacts& fact) { return fact.format->fallback; };
        const auto is_known_step = [](const LineFacts& fact) { return fact.format->is_step && !fact.format->fallback; };
        if (std::count_if(facts_.begin(), facts_.end(), is_known_step) >= kEnough ||
            std::count_if(facts_.begin(), facts_.end(), is_guess) < kEnough) {
            std::erase_if(facts_, is_guess);
        }
    }

    TrainingFile counts_;
    std::vector<LineFacts> facts_;
    std::optional<UnreadFault> unread_fault_;  ///< the first one
    std::string piece_;
    std::uint64_t bar_step_ = 0, bar_total_ = 0;
    std::uint64_t line_step_ = 0, line_total_ = 0;  ///< of the bar, at the last line without a number
};

/// Whether a folder has this file for people or programs: documents with samples of lines, not logs.
bool is_document(const std::filesystem::path& path) {
    constexpr std::string_view kEndings[] = {".md", ".rst", ".py", ".json", ".html"};
    return std::find(std::begin(kEndings), std::end(kEndings), path.extension().string()) != std::end(kEndings);
}

/// The files below a folder, by path, without hidden ones and documents.
std::vector<std::string> files_below(const std::string& folder) {
    namespace fs = std::filesystem;
    std::vector<std::string> files;
    std::error_code failed;
    for (fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, failed), end;
         !failed && entry != end; entry.increment(failed)) {
        std::error_code unknown;
        if (entry->path().filename().string().starts_with('.')) {
            entry.disable_recursion_pending();
        } else if (entry->is_regular_file(unknown) && !is_document(entry->path())) {
            files.push_back(entry->path().string());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// Whether a binary file of a folder should be a log. Others are checkpoints, data or files of TensorBoard.
bool has_name_of_log(const std::string& path) {
    const std::string name = std::filesystem::path(path).filename().string();
    return name.find(".log") != std::string::npos || name.find(".txt") != std::string::npos;
}

/// A file without lines of a training log. The text is "FILE: REASON".
Failure unreadable(const std::string& path, LocalizedText text) {
    return {{ErrorCode::log_unreadable, text.en.substr(path.size() + 2), path, {}}, std::move(text)};
}

Failure failure_of(Error error, const std::string& path) {
    error.file = path;
    LocalizedText text = remarks::text_of(error);
    return {std::move(error), std::move(text)};
}

struct Fault {
    Failure failure;
    bool lacks_steps = false;  ///< a text that was read to its end
};

/// Adds the runs of one file. Errors: those of reading; log_unreadable for a file without lines of a training log. Of
/// a folder, binary files are not read.
std::optional<Fault> read_file(const std::string& path, bool is_in_folder, const std::function<bool()>& stop,
                               TrainingLogs& logs) {
    Result<logs::ByteSource> source = logs::ByteSource::open(path);
    if (!source) {
        return Fault{failure_of(source.error(), path)};
    }
    if (source->start().empty()) {
        return Fault{unreadable(path, phrase("training_file_empty", {{"file", path}})), true};
    }
    const bool is_binary = source->start().find('\0') != std::string_view::npos;
    const auto binary = [&path] { return Fault{unreadable(path, phrase("training_file_binary", {{"file", path}}))}; };
    if (is_binary && is_in_folder) {
        return binary();
    }
    LogText text(path);
    std::string buffer(kRead, '\0');
    std::optional<Fault> fault;
    while (!(stop && stop())) {
        const Result<std::size_t> count = source->read(buffer.data(), buffer.size());
        if (!count) {
            fault = Fault{failure_of(count.error(), path)};
            break;
        }
        if (*count == 0) {
            break;
        }
        text.add(std::string_view(buffer).substr(0, *count));
    }
    std::vector<Run> runs = text.finish();
    if (runs.empty() && !fault) {
        const LocalizedText unknown = phrase("training_file_unknown", {{"file", path}, {"lines", text.counts().lines}});
        return is_binary ? binary() : Fault{unreadable(path, unknown), true};
    }
    for (Run& run : runs) {
        run.series.in_folder = is_in_folder;
    }
    if (runs.empty() && is_in_folder) {
        return fault;
    }
    logs.files.push_back(text.counts());
    std::move(runs.begin(), runs.end(), std::back_inserter(logs.runs));
    return fault;
}

}  // namespace

std::vector<Run> runs_of_text(std::string_view text, const std::string& file, TrainingFile& counts) {
    LogText log(file);
    log.add(text);
    std::vector<Run> runs = log.finish();
    counts = log.counts();
    return runs;
}

TrainingLogs read_training_logs(const std::vector<std::string>& paths, const std::function<bool()>& stop) {
    TrainingLogs logs;
    std::vector<Failure> without_steps;
    for (const std::string& path : paths) {
        std::error_code unknown;
        const bool is_folder = std::filesystem::is_directory(path, unknown);
        const std::size_t known = logs.runs.size();
        const auto known_without = static_cast<std::ptrdiff_t>(without_steps.size());
        for (const std::string& file : is_folder ? files_below(path) : std::vector<std::string>{path}) {
            const std::size_t before = logs.runs.size();
            auto fault = read_file(file, is_folder, stop, logs);
            if (fault && fault->lacks_steps) {
                without_steps.push_back(std::move(fault->failure));
            } else if (fault && (fault->failure.error.code != ErrorCode::log_unreadable || !is_folder ||
                                 has_name_of_log(file) || logs.runs.size() != before)) {
                logs.failures.push_back(std::move(fault->failure));
            }
        }
        if (is_folder && logs.runs.size() == known) {
            without_steps.erase(without_steps.begin() + known_without, without_steps.end());
            logs.failures.push_back(unreadable(path, phrase("training_folder_unknown", {{"file", path}})));
        }
    }
    if (logs.runs.empty()) {
        std::move(without_steps.begin(), without_steps.end(), std::back_inserter(logs.failures));
    } else {
        for (const Failure& failure : without_steps) {
            logs.without_steps.push_back(failure.error.file);
        }
    }
    return logs;
}

}  // namespace opdebug::training

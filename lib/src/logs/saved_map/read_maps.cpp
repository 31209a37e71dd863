#include "logs/saved_map/read_maps.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "logs/files/log_files.hpp"
#include "logs/processes/process_facts.hpp"

namespace opdebug::logs {
namespace {

constexpr std::size_t kPartSize = std::size_t{256} << 10U;

/// The built-in formats, the user's and those that were the user's when the map was made.
Result<std::shared_ptr<const LogFormats>> formats_of(const SavedMap& map, const ReadLogsOptions& options,
                                                     const std::shared_ptr<const LogFormats>& formats) {
    std::vector<NamedText> further;
    for (const NamedText& saved : map.tables().log_formats) {
        const auto is_same = [&saved](const NamedText& given) { return given.text == saved.text; };
        if (std::none_of(options.log_formats.begin(), options.log_formats.end(), is_same)) {
            further.push_back(saved);
        }
    }
    if (further.empty()) {
        return formats;
    }
    std::vector<NamedText> all = built_in_log_format_files();
    all.insert(all.end(), options.log_formats.begin(), options.log_formats.end());
    all.insert(all.end(), further.begin(), further.end());
    return LogFormats::load(all, options.limits);
}

/// One map, read file by file.
class MapReading {
public:
    MapReading(const SavedMap& map, const LogFormats& formats, const Limits& limits, const LineTakers& takers,
               std::optional<std::vector<LineNumber>> wanted_lines)
        : map_(map),
          takers_(takers),
          reader_(formats, limits.line_bytes, takers.builder.wanted()),
          tasks_(map, map.tables().task_frames, std::move(wanted_lines)),
          general_(map, map.tables().general_frames) {}

    /// What the lines of a file state. Its files are read in their order.
    std::optional<Error> read_file(std::uint32_t file, const HostsOfWriters& hosts) {
        const SavedFile& saved = map_.tables().files[file];
        takers_.builder.begin_file(saved.path, {hosts, map_.is_file()});
        if (takers_.writer != nullptr) {
            takers_.writer->begin_file(saved.path, hosts);
        }
        StatedLines shown;
        for (const SavedWriter& writer : saved.writers) {
            shown.writers.emplace(writer.writer, writer.lines);
        }
        take({}, std::move(shown));
        special_ = saved.special_lines.begin();
        special_end_ = saved.special_lines.end();
        while (FrameLines* const next = next_lines(file)) {
            if (takers_.watch.must_stop()) {
                return std::nullopt;
            }
            add(*next->current());
            next->advance();
        }
        flush({});
        const std::optional<Error>& error = tasks_.error() ? tasks_.error() : general_.error();
        if (error) {
            takers_.builder.mark_damaged(saved.path);
        }
        return error;
    }

private:
    /// Those whose next line is the next one of the file; null where none is left.
    FrameLines* next_lines(std::uint32_t file) {
        FrameLines* next = nullptr;
        for (FrameLines* const lines : {&general_, &tasks_}) {
            while (lines->current() != nullptr && lines->current()->number.file < file) {
                lines->advance();  // of a map that somebody else made
            }
            const SavedLine* const line = lines->current();
            if (line != nullptr && line->number.file == file &&
                (next == nullptr || line->number < next->current()->number)) {
                next = lines;
            }
        }
        return next;
    }

    void add(const SavedLine& line) {
        while (special_ != special_end_ && special_->line < line.number.line) {
            ++special_;
        }
        const bool is_special = special_ != special_end_ && special_->line == line.number.line;
        if (is_special) {
            flush({});
        }
        numbers_.push_back(line.number.line);
        text_ += line.text;
        if (!is_special || !special_->is_cut) {
            text_ += '\n';
        }
        if (is_special || text_.size() >= kPartSize) {
            flush(is_special ? special_->time_us : std::nullopt);
        }
    }

    /// `time_us`: of lines that have none themselves.
    void flush(std::optional<std::int64_t> time_us) {
        if (text_.empty()) {
            numbers_.clear();
            return;
        }
        StatedLines lines = reader_.read(text_);
        for (StatedLine& line : lines.lines) {
            line.number = numbers_[static_cast<std::size_t>(line.number - 1)];
            line.time_us = line.lacks_time && time_us ? time_us : line.time_us;
        }
        for (auto& [writer, shown] : lines.writers) {  // all of that is in the tables
            shown = {};
        }
        lines.diagnostics.clear();  // reported when the map was made
        lines.long_lines = 0;
        take(text_, std::move(lines));
        takers_.watch.add(text_.size());
        text_.clear();
        numbers_.clear();
    }

    void take(std::string_view text, StatedLines lines) {
        if (takers_.writer != nullptr) {
            takers_.writer->add(text, lines);
        }
        takers_.builder.add(std::move(lines));
    }

    const SavedMap& map_;
    LineTakers takers_;
    PartReader reader_;
    FrameLines tasks_, general_;
    std::vector<SpecialLine>::const_iterator special_, special_end_;  ///< of the file
    std::string text_;                                                ///< lines that are read next
    std::vector<std::uint64_t> numbers_;                              ///< theirs
};

/// A map on its way: files that are still to be read, and what reads them.
struct OpenMap {
    const SavedMap* map = nullptr;
    std::size_t place = 0;  ///< among the maps
    std::shared_ptr<const LogFormats> formats;
    std::unique_ptr<MapReading> reading;
    std::uint32_t next_file = 0;
    bool has_next() const noexcept { return next_file < map->tables().files.size(); }
    const std::string& next_path() const { return map->tables().files[next_file].path; }
};

Result<OpenMap> open_map(const SavedMap& map, const ReadLogsOptions& options,
                         const std::shared_ptr<const LogFormats>& formats, const LineTakers& takers) {
    OpenMap open;
    open.map = &map;
    const auto of_map = formats_of(map, options, formats);
    if (!of_map) {
        return of_map.error();
    }
    open.formats = *of_map;
    std::optional<std::vector<LineNumber>> wanted;
    if (options.wanted && map.is_file()) {
        Result<std::vector<LineNumber>> lines = map.lines_of(*options.wanted);
        if (!lines) {
            return lines.error();
        }
        wanted = *std::move(lines);
    }
    open.reading = std::make_unique<MapReading>(map, *open.formats, options.limits, takers, std::move(wanted));
    if (takers.writer != nullptr) {
        takers.writer->use_formats(*open.formats, map.tables().log_formats);
    }
    return open;
}

/// When the last line of the file was written, as far as the map knows it.
std::int64_t end_of_next(const OpenMap& map) {
    std::int64_t end = std::numeric_limits<std::int64_t>::min();
    for (const SavedWriter& writer : map.map->tables().files[map.next_file].writers) {
        end = std::max(end, writer.lines.last_time_us.value_or(end));
    }
    return end;
}

/// Of one file in several maps, the map that was made first comes first: what it leaves open the others end.
bool is_before(const OpenMap& a, const OpenMap& b) {
    const LogOrder of_a = log_order(a.next_path()), of_b = log_order(b.next_path());
    return of_a != of_b ? of_a < of_b : end_of_next(a) < end_of_next(b);
}

/// The one whose next file is the next of all.
OpenMap* next_of(std::vector<OpenMap>& maps) {
    OpenMap* next = nullptr;
    for (OpenMap& map : maps) {
        if (map.has_next() && (next == nullptr || is_before(map, *next))) {
            next = &map;
        }
    }
    return next;
}

}  // namespace

void read_maps(const std::vector<SavedMap>& maps, const ReadLogsOptions& options,
               const std::shared_ptr<const LogFormats>& formats, const LineTakers& takers, ReadLogs& result) {
    const SameProcesses processes(maps);
    const std::vector<Diagnostic> remarks = processes.remarks();
    result.diagnostics.insert(result.diagnostics.end(), remarks.begin(), remarks.end());
    std::vector<OpenMap> open;
    for (std::size_t place = 0; place < maps.size(); ++place) {
        Result<OpenMap> map = open_map(maps[place], options, formats, takers);
        if (!map) {
            result.failures.push_back(map.error());
            continue;
        }
        map->place = place;
        open.push_back(*std::move(map));
        result.files += maps[place].is_file() ? 1U : 0U;
    }
    while (OpenMap* const next = next_of(open)) {
        if (takers.watch.must_stop()) {
            break;
        }
        const HostsOfWriters hosts = processes.hosts_of(next->place, next->next_file);
        if (std::optional<Error> error = next->reading->read_file(next->next_file++, hosts)) {
            next->next_file = static_cast<std::uint32_t>(next->map->tables().files.size());
            result.failures.push_back(*std::move(error));
        }
    }
}

}  // namespace opdebug::logs

// Lines of logs that state something → a saved map.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <opdebug/result.hpp>

#include "bytes/thread_pool.hpp"
#include "logs/formats/formats.hpp"
#include "logs/processes/builder.hpp"
#include "logs/processes/lines_of_tasks.hpp"
#include "logs/reading/part_reader.hpp"
#include "logs/saved_map/map_tables.hpp"

namespace opdebug::logs {

/// Takes what a TaskMapBuilder takes, in the same order. A map holds all lines that state something: reading it gives
/// the facts of the logs.
class MapWriter {
public:
    /// `threads`: at most so many compress.
    explicit MapWriter(unsigned threads) : threads_(threads), pool_(threads > 1 ? threads : 0) {}

    /// By which the lines that follow are read. `of_the_user`: those among them that are not built in.
    void use_formats(const LogFormats& formats, const std::vector<NamedText>& of_the_user);
    void begin_file(const std::string& path, const HostsOfWriters& hosts = {});
    /// The next part of the file: its text, and what its lines state.
    void add(std::string_view text, const StatedLines& lines);

    /// What the writer's process states, be it kept or not: known when all lines are there.
    using StatementsOf =
        std::function<TaskMapBuilder::Statements(const std::string& path, const Writer& writer, std::uint32_t host)>;
    /// The bytes of the map. `states` may be null. Error: write_failed where it is too large.
    Result<std::string> finish(LinesOfTasks& lines, const StatementsOf& states);

private:
    struct OpenFrame {
        std::string text;
        LineFrame frame;
    };
    struct Compressing {
        bool is_general = false;
        LineFrame frame;
        std::future<std::string> bytes;
    };
    /// What lines of one process were recorded as general that would be lines of tasks.
    struct KnownOfProcess {
        bool has_submit_line = false;
    };

    bool matters_to_all(const StatedLine& line);
    KnownOfProcess& known_of(const Writer& writer);
    void record(std::string_view line, std::uint64_t number, bool is_general);
    void close(OpenFrame& open, bool is_general);
    void store_first();
    FilePart store_skippable(const std::string& content);

    unsigned threads_;
    MapTables tables_;
    std::set<std::string, std::less<>> used_once_;  ///< names of what lines use up that complete other lines
    std::string line_begin_;                        ///< of the file that is read: its path and a colon
    std::string root_, folder_;
    std::map<Writer, std::size_t> writers_;  ///< of the file: their rows in the table
    HostsOfWriters hosts_;
    std::int64_t last_time_us_ = 0;  ///< of the line before, as in TaskMapBuilder
    std::map<std::tuple<std::string, Writer, std::uint32_t>, KnownOfProcess> known_;
    OpenFrame tasks_, general_;
    std::deque<Compressing> compressing_;
    std::vector<std::pair<LineFrame, std::string>> general_frames_;  ///< to be put after the others
    std::string file_ = std::string(kMapHeader, '\0');               ///< the header is written last
    bytes::ThreadPool pool_;
};

}  // namespace opdebug::logs

// The prefixes of a log's lines up to the time: "[INFO] GE(370,python3):". A log has a few of them, which its lines
// repeat: a line that begins with a known one is not parsed again.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "logs/formats/formats.hpp"
#include "logs/lines/line.hpp"

namespace opdebug::logs {

/// Who wrote a line: the process id that the line prints. Device-side processes have pids of their own.
struct Writer {
    std::int64_t pid = -1;
    bool on_device = false;
    // NOLINTNEXTLINE(modernize-use-nullptr): the check takes the comparison with 0 for one of pointers
    friend auto operator<=>(const Writer&, const Writer&) = default;
};

/// What the line shows of its writer.
Writer writer_of(const LogLine& line) noexcept;

/// What all lines of one writer show, whether they state something or not.
struct WriterLines {
    std::optional<std::int64_t> first_time_us, last_time_us;
    bool of_host = false;  ///< a line of the runtime, GE or AscendCL, or a printed error: they run on the host only
    std::uint64_t runtime_info = 0, ge_info = 0;  ///< lines of level INFO or DEBUG
    /// By lines on tasks that nobody wants: that some state something, and that some name an operator or a kernel.
    bool states_unwanted = false, names_unwanted = false;

    void add(const LogLine& line) noexcept;
    void add(const WriterLines& further) noexcept;
};

struct KnownPrefix {
    std::string text;
    LogLine parts;  ///< views into `text`
    Writer writer;
    const ModuleFormats* formats = nullptr;  ///< null: lines of the module state nothing
    std::uint64_t lines = 0;                 ///< since take_lines() was called last
    std::int64_t first_time_us = 0, last_time_us = 0;

    void add_time(std::int64_t time_us) noexcept {
        first_time_us = lines == 0 ? time_us : std::min(first_time_us, time_us);
        last_time_us = lines == 0 ? time_us : std::max(last_time_us, time_us);
        ++lines;
    }
    /// The parts of a line with this prefix, as parse_line_prefix() gives them; its time and what follows it are known.
    LogLine parts_of(std::string_view line, std::int64_t time_us, std::string_view rest) const noexcept;
};

class KnownPrefixes {
public:
    /// The prefix that the line begins with, or null where it is not known.
    KnownPrefix* find(std::string_view line) noexcept;

    /// Keeps the prefix of a line that was parsed, and replaces one with the same hash. Lines that have something
    /// before their prefix, or not the common form of it, are passed over.
    void learn(std::string_view line, const LogLine& parts, const LogFormats& formats,
               std::map<Writer, WriterLines>& writers);

    /// Adds what the lines so far show, and forgets it.
    void take_lines(std::map<Writer, WriterLines>& writers);

private:
    static constexpr std::size_t kPlaceBits = 12;
    static std::size_t place_of(std::string_view line) noexcept;

    std::array<std::unique_ptr<KnownPrefix>, std::size_t{1} << kPlaceBits> prefixes_;
};

}  // namespace opdebug::logs

// The prefixes of a log's lines up to the time: "[INFO] GE(370,python3):". A log has a few of them, which its lines
// repeat: a line is compared with the one that it may have instead of being taken apart, which is a quarter of the
// work.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>

#include "logs/formats.hpp"
#include "logs/line.hpp"
#include "logs/matched_lines.hpp"

namespace opdebug::logs {

/// The first bytes of a line: level, module and process number lie in them.
using PrefixWords = std::array<std::uint64_t, 3>;

/// What all lines with one prefix have in common, and what those so far show.
struct LinePrefix {
    std::string_view text() const noexcept { return {bytes.data(), size}; }
    void add_time(std::int64_t time_us) noexcept;
    /// The parts of a line with this prefix, as parse_line_prefix() gives them; its time and what follows it are known.
    LogLine parts_of(std::string_view line, std::int64_t time_us, std::string_view rest) const noexcept;
    /// Adds what the lines so far show, and forgets it.
    void give_lines(std::map<Writer, WriterLines>& writers);

    /// Where each word of a line's first bytes that belongs to the prefix is equal to that of the prefix. A call for
    /// so few bytes took as long as all else of the search.
    bool has_begin(const PrefixWords& line) const noexcept {
        std::uint64_t different = 0;
        for (std::size_t index = 0; index < line.size(); ++index) {
            different |= (line[index] ^ begin[index]) & begin_mask[index];
        }
        return different == 0;
    }

    // What each line asks for stands together, in two lines of the processor's cache.
    std::size_t size = 0;                    ///< 0: none
    PrefixWords begin{}, begin_mask{};       ///< the first bytes; which of them belong to the prefix
    const ModuleFormats* formats = nullptr;  ///< null: lines of the module state nothing
    std::uint64_t lines = 0;                 ///< with the times of the first and the last
    std::int64_t first_time_us = 0, last_time_us = 0;
    std::array<char, 80> bytes{};
    LogLine parts;  ///< of this prefix alone
    Writer writer;
    bool of_host = false, runtime_info = false, ge_info = false;
};

class LinePrefixes {
public:
    static constexpr std::size_t kMost = 256;  ///< that are known at a time: several processes in one log have so many

    /// The prefix that the line begins with, or null where it is not known.
    LinePrefix* find(std::string_view line) noexcept;

    /// Where the prefix of a line that was taken apart can be kept. Null for lines that have something before their
    /// prefix, not the common form of it or a very long one. The one that is there now is to give its lines before.
    LinePrefix* place_for(std::string_view line, const LogLine& parts) noexcept;

    auto begin() noexcept { return prefixes_.begin(); }
    auto end() noexcept { return prefixes_.end(); }

private:
    std::array<LinePrefix, kMost> prefixes_;
};

/// What the line shows of its writer.
Writer writer_of(const LogLine& line) noexcept;
/// Takes the line's prefix, with no lines yet.
void learn_prefix(std::string_view line, const LogLine& parts, const LogFormats& formats, LinePrefix& prefix);

}  // namespace opdebug::logs

// The prefixes of a log's lines up to the time: "[INFO] GE(370,python3):". A log has a few of them, which its lines
// repeat: a line is compared with the one that it may have instead of being taken apart, which is a quarter of the
// work.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <string_view>

#include "bytes/hash_factors.hpp"
#include "logs/formats/formats.hpp"
#include "logs/matching/matched_lines.hpp"
#include "logs/text/line.hpp"
#include "logs/text/same_bytes.hpp"

namespace opdebug::logs {

/// The first bytes of a line: level, module and process number lie in them.
using PrefixWords = std::array<std::uint64_t, 3>;

/// Vector extension of GCC and clang; two registers or more where the processor has shorter ones.
typedef std::uint64_t PrefixBlock __attribute__((vector_size(16)));

/// What all lines with one prefix have in common, and what those so far show. What each line asks for stands together,
/// in two lines of the processor's cache.
struct alignas(64) LinePrefix {
    static constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::max();
    static constexpr std::size_t kCompared = 48;  ///< all of most prefixes; each line that is known has more bytes
    static constexpr std::size_t kShortest = sizeof(PrefixBlock);

    std::string_view text() const noexcept { return {bytes.data(), size}; }
    void add_time(std::int64_t time_us) noexcept {
        first_time_us = std::min(first_time_us, time_us);
        last_time_us = std::max(last_time_us, time_us);
        ++lines;
    }
    /// The parts of a line with this prefix, as parse_line_prefix() gives them; its time and what follows it are known.
    LogLine parts_of(std::string_view line, std::int64_t time_us, std::string_view rest) const noexcept;
    /// Adds what the lines so far show, and forgets it.
    void give_lines(std::map<Writer, WriterLines>& writers);

    /// Whether a line of at least kCompared bytes begins with it. As many blocks for each prefix, of which some have
    /// bytes in common: a loop over those that it has ends where the processor does not expect it, as lines change from
    /// one to the next.
    bool begins(std::string_view line) const noexcept {
        const PrefixBlock different = differing(line, 0) | differing(line, middle_block) | differing(line, last_block);
        return (different[0] | different[1]) == 0 &&
               (size <= kCompared || (size <= line.size() &&
                                      same_bytes(line.data() + kCompared, bytes.data() + kCompared, size - kCompared)));
    }

    std::size_t size = 0;                                           ///< 0: none
    std::uint8_t middle_block = 0, last_block = 0;                  ///< where they begin in the first kCompared bytes
    const ModuleFormats* formats = nullptr;                         ///< null: lines of the module state nothing
    std::uint64_t lines = 0;                                        ///< since they were last given
    std::int64_t first_time_us = kNoTime, last_time_us = -kNoTime;  ///< of these lines
    alignas(64) std::array<char, 80> bytes{};
    LogLine parts;  ///< of this prefix alone
    Writer writer;
    bool of_host = false, runtime_info = false, ge_info = false;

private:
    static PrefixBlock block_at(const char* place) noexcept {
        PrefixBlock block;
        std::memcpy(&block, place, sizeof block);
        return block;
    }
    PrefixBlock differing(std::string_view line, std::size_t place) const noexcept {
        return block_at(line.data() + place) ^ block_at(bytes.data() + place);
    }
};

class LinePrefixes {
public:
    static constexpr std::size_t kMost = 256;  ///< that are known at a time: several processes in one log have so many

    /// The prefix that the line begins with, or null where it is not known.
    LinePrefix* find(std::string_view line) noexcept {
        if (line.size() < LinePrefix::kCompared) {
            return nullptr;
        }
        const PrefixWords words = words_of(line);
        const std::size_t first = place_of(words);
        for (std::size_t place = first; place < first + kTries; ++place) {
            LinePrefix& prefix = prefixes_[known_at_[place % kPlaces]];
            if (prefix.begins(line) && prefix.size != 0) {
                return &prefix;
            }
        }
        return nullptr;
    }

    /// Where the prefix of a line that was taken apart can be kept. Null for lines that have something before their
    /// prefix, not the common form of it or a very long one. The one that is there now is to give its lines before.
    LinePrefix* place_for(std::string_view line, const LogLine& parts) noexcept;

    /// Those that are known.
    LinePrefix* begin() noexcept { return prefixes_.data() + 1; }
    LinePrefix* end() noexcept { return begin() + count_; }

private:
    /// Places of a table that is nearly empty: so the first one that is looked at has the prefix, mostly.
    static constexpr std::size_t kPlaceBits = 10;
    static constexpr std::size_t kPlaces = std::size_t{1} << kPlaceBits;
    static constexpr std::size_t kTries = 4;

    static PrefixWords words_of(std::string_view line) noexcept {
        PrefixWords words{};
        for (std::size_t index = 0; index < words.size(); ++index) {  // one by one, into registers
            std::memcpy(&words[index], line.data() + index * sizeof words[index], sizeof words[index]);
        }
        return words;
    }
    static std::size_t place_of(const PrefixWords& words) noexcept {
        constexpr auto& kFactors = bytes::kHashFactors;
        const std::uint64_t mixed = words[0] * kFactors[0] + words[1] * kFactors[1] + words[2] * kFactors[2];
        return mixed >> (64 - kPlaceBits);
    }
    std::size_t next_number() noexcept;

    std::array<std::uint16_t, kPlaces> known_at_{};  ///< for each place the number of a prefix; 0: none
    std::array<LinePrefix, kMost + 1> prefixes_;     ///< by their numbers, from 1; the first one is none
    std::array<std::uint16_t, kMost + 1> places_{};  ///< of each number
    std::size_t count_ = 0;
    std::size_t replaced_ = 0;  ///< how many had to make room for others
};

/// What the line shows of its writer.
Writer writer_of(const LogLine& line) noexcept;
/// Takes the line's prefix, with no lines yet.
void learn_prefix(std::string_view line, const LogLine& parts, const LogFormats& formats, LinePrefix& prefix);

}  // namespace opdebug::logs

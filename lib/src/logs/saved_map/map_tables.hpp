// The tables of a saved map: which logs it holds, and where their lines are. Layout: docs/internals/logs.md.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/result.hpp>

#include "logs/processes/lines_of_tasks.hpp"
#include "logs/reading/part_reader.hpp"

namespace opdebug::logs {

/// A skippable frame of Zstandard: what begins and ends a map, and is no line.
constexpr std::uint32_t kSkippableFrame = 0x184D2A5DU;
constexpr std::size_t kSkippableHeader = 8;  ///< this number and the size of what follows
constexpr std::string_view kMapName = "OPDEBUG-MAP\n";
/// The name, then where the tables are, their compressed and their real size, and the size of the file.
constexpr std::size_t kMapNumbers = kSkippableHeader + kMapName.size();
constexpr std::size_t kMapHeader = kMapNumbers + 4 * sizeof(std::uint64_t);

/// Compressed bytes in the file: one frame.
struct FilePart {
    std::uint64_t offset = 0, size = 0;
    std::uint64_t content_size = 0;
};

/// Compressed bytes can claim any size: some kilobytes could request the machine's memory. Contents of real maps are at
/// most some 60 times as large.
constexpr std::uint64_t most_content(std::uint64_t compressed_size) noexcept {
    constexpr std::uint64_t kOfSmallParts = std::uint64_t{64} << 10U, kMost = std::uint64_t{256} << 20U;
    return std::min(kOfSmallParts + 128 * std::min(compressed_size, kMost), kMost);
}

/// Whether it is inside a file of this size, and its content is not too large.
bool is_inside_file(const FilePart& part, std::uint64_t file_size) noexcept;

/// One frame, with the size of the content in its header and a checksum at its end. Throws std::bad_alloc.
std::string compress_frame(std::string_view content);
/// The content of one frame; nothing where the frame is damaged or its content has another size. Throws std::bad_alloc.
std::optional<std::string> decompress_frame(Bytes frame, std::uint64_t content_size);

/// `width` bytes, low ones first.
void append_little_endian(std::string& bytes, std::uint64_t value, unsigned width = sizeof(std::uint64_t));

/// What all lines of one writer in a file show, be they in the map or not.
struct SavedWriter {
    Writer writer;
    std::uint32_t host = 0;  ///< distinguishes processes of different hosts whose ids and folders are equal
    WriterLines lines;
};

/// A line that has facts outside of its text.
struct SpecialLine {
    std::uint64_t line = 0;
    std::optional<std::int64_t> time_us;  ///< of the line before, where the line has none
    bool is_cut = false;                  ///< no line break ended it
};

struct SavedFile {
    std::string path;
    std::vector<SavedWriter> writers;
    std::vector<SpecialLine> special_lines;  ///< ascending
};

struct LinesOfFile {
    std::uint32_t file = 0;
    std::uint64_t count = 0;
};

/// Whole lines, in the order of the files.
struct LineFrame {
    FilePart part;
    std::uint64_t first_line = 0;
    std::vector<LinesOfFile> files;  ///< never empty
    LineNumber first() const { return {files.front().file, first_line}; }
};

/// Keys with their lines, sorted.
struct KeyPage {
    FilePart part;
    LineKey first;
};

struct MapTables {
    std::vector<NamedText> log_formats;  ///< of the user
    std::vector<SavedFile> files;
    std::vector<LineFrame> task_frames;     ///< lines that matter to one task only
    std::vector<LineFrame> general_frames;  ///< all others
    std::vector<KeyPage> task_pages, address_pages;
    std::vector<LineNumber> open_launches;  ///< their submit lines may be in another map
};

/// What each recorded line of a file begins with, before its number.
std::string line_begin_of(const std::string& path);

/// As JSON.
std::string write_tables(const MapTables& tables);
/// Nothing where they are malformed, name parts outside of a file of this size, or parts twice.
std::optional<MapTables> read_tables(const std::string& json, std::uint64_t file_size);

/// `store`: puts the content of a page into the file.
std::vector<KeyPage> write_key_pages(std::vector<KeyedLine>& lines,
                                     const std::function<FilePart(const std::string&)>& store);

/// The pages that may hold one of the keys, which are sorted.
std::vector<KeyPage> pages_with(const std::vector<KeyPage>& pages, const std::vector<LineKey>& keys);

/// Adds the lines of the keys, which are sorted, that the content of a page holds; false where it is malformed.
bool find_lines(std::string_view page, const std::vector<LineKey>& keys, std::vector<LineNumber>& lines);

}  // namespace opdebug::logs

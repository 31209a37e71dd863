#include "logs/saved_map/map_tables.hpp"

#include <zstd.h>
#include <array>
#include <charconv>
#include <iterator>
#include <memory>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bytes/little_endian.hpp"
#include "bytes/utf8.hpp"
#include "json/document.hpp"

/// A time that may be missing.
template <>
struct nlohmann::adl_serializer<std::optional<std::int64_t>> {
    static void to_json(json& value, const std::optional<std::int64_t>& time) {
        value = time ? json(*time) : json(nullptr);
    }
    static void from_json(const json& value, std::optional<std::int64_t>& time) {
        time = value.is_null() ? std::nullopt : std::optional(value.get<std::int64_t>());
    }
};

namespace opdebug {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NamedText, name, text)

}  // namespace opdebug

namespace opdebug::logs {

/// A list: a log can have hundreds of thousands of writers, and an object takes five times the memory.
void to_json(nlohmann::json& value, const SavedWriter& saved) {
    const WriterLines& lines = saved.lines;
    value = {saved.writer.pid,     saved.writer.on_device, saved.host,    lines.of_host,       lines.states_unwanted,
             lines.names_unwanted, lines.runtime_info,     lines.ge_info, lines.first_time_us, lines.last_time_us};
}

void from_json(const nlohmann::json& value, SavedWriter& saved) {
    std::size_t next = 0;
    const auto take = [&value, &next](auto& member) { value.at(next++).get_to(member); };
    WriterLines& lines = saved.lines;
    take(saved.writer.pid);
    take(saved.writer.on_device);
    take(saved.host);
    take(lines.of_host);
    take(lines.states_unwanted);
    take(lines.names_unwanted);
    take(lines.runtime_info);
    take(lines.ge_info);
    take(lines.first_time_us);
    take(lines.last_time_us);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SpecialLine, line, time_us, is_cut)

/// JSON is UTF-8, names of files need not be: a backslash and other bytes are "\\xNN".
std::string escaped(const std::string& path) {
    std::string text;
    for (std::size_t place = 0; place < path.size();) {
        const bytes::Utf8Sequence sequence = bytes::utf8_sequence(path, place);
        for (const char byte : path.substr(place, sequence.length)) {
            text += sequence.valid && byte != '\\' ? std::string(1, byte)
                                                   : fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
        }
        place += sequence.length;
    }
    return text;
}

std::string unescaped(const std::string& text) {
    std::string path;
    for (std::size_t place = 0; place < text.size();) {
        unsigned byte = static_cast<unsigned char>(text[place++]);
        if (byte == '\\') {
            const std::string digits = text.substr(std::min(place + 1, text.size()), 2);
            std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
            place += 3;
        }
        path += static_cast<char>(byte);
    }
    return path;
}

void to_json(nlohmann::json& value, const SavedFile& file) {
    value = {{"path", escaped(file.path)}, {"writers", file.writers}, {"special_lines", file.special_lines}};
}

void from_json(const nlohmann::json& value, SavedFile& file) {
    file.path = unescaped(value.at("path").get<std::string>());
    value.at("writers").get_to(file.writers);
    value.at("special_lines").get_to(file.special_lines);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FilePart, offset, size, content_size)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LinesOfFile, file, count)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LineFrame, part, first_line, files)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KeyPage, part, first)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LineNumber, file, line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MapTables, log_formats, files, task_frames, general_frames, task_pages,
                                   address_pages, open_launches)

namespace {

/// Level 3 takes twice the time and saves a tenth.
constexpr int kLevel = 1;

/// A row of a page: key, file, line; numbers of eight bytes.
using Row = std::array<std::uint64_t, 4>;
constexpr std::size_t kRowsOfPage = 4096;

struct Free {
    void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
    void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

/// All numbers of the tables are integers.
bool holds_a_fraction(const nlohmann::json& value) {
    return value.is_number_float() ||
           (value.is_structured() && std::any_of(value.begin(), value.end(), holds_a_fraction));
}

bool are_sound(const MapTables& tables, std::uint64_t file_size) {
    std::uint64_t end = kMapHeader;
    // Each part follows the one before: none is read twice.
    const auto follows = [&](const auto& entry) {
        const FilePart& part = entry.part;
        const bool is_after = part.offset >= std::exchange(end, part.offset + part.size);
        return is_after && is_inside_file(part, file_size);
    };
    const auto is_known = [&tables](const auto& entry) { return entry.file < tables.files.size(); };
    const auto is_frame = [&](const LineFrame& frame) {
        return follows(frame) && !frame.files.empty() && std::all_of(frame.files.begin(), frame.files.end(), is_known);
    };
    const auto all = [](const auto& list, const auto& test) { return std::all_of(list.begin(), list.end(), test); };
    return all(tables.task_frames, is_frame) && all(tables.general_frames, is_frame) &&
           all(tables.task_pages, follows) && all(tables.address_pages, follows);
}

Row row_of(const KeyedLine& line) {
    return {line.key.first, line.key.second, line.line.file, line.line.line};
}

}  // namespace

bool is_inside_file(const FilePart& part, std::uint64_t file_size) noexcept {
    return part.offset <= file_size && part.size <= file_size - part.offset &&
           part.content_size <= most_content(part.size);
}

std::string compress_frame(std::string_view content) {
    const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
    if (context == nullptr) {
        throw std::bad_alloc();
    }
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    std::string frame(ZSTD_compressBound(content.size()), '\0');
    const std::size_t size = ZSTD_compress2(context.get(), frame.data(), frame.size(), content.data(), content.size());
    if (ZSTD_isError(size) != 0) {  // of a bounded buffer: only want of memory is left
        throw std::bad_alloc();
    }
    frame.resize(size);
    return frame;
}

std::optional<std::string> decompress_frame(Bytes frame, std::uint64_t content_size) {
    if (ZSTD_getFrameContentSize(frame.data(), frame.size()) != content_size) {
        return std::nullopt;
    }
    const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
    if (context == nullptr) {
        throw std::bad_alloc();
    }
    std::string content(static_cast<std::size_t>(content_size), '\0');
    const std::size_t size =
        ZSTD_decompressDCtx(context.get(), content.data(), content.size(), frame.data(), frame.size());
    return size == content_size ? std::optional(std::move(content)) : std::nullopt;
}

void append_little_endian(std::string& bytes, std::uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i) {
        bytes += static_cast<char>(static_cast<std::uint8_t>(value >> (8U * i)));
    }
}

std::string line_begin_of(const std::string& path) {
    std::string begin = path;
    std::replace(begin.begin(), begin.end(), '\n', '?');
    return begin + ":";
}

std::string write_tables(const MapTables& tables) {
    return nlohmann::json(tables).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::optional<MapTables> read_tables(const std::string& json, std::uint64_t file_size) {
    json_stage::Fault fault;
    const nlohmann::json document = json_stage::parse_document(json, fault);
    if (fault.found() || holds_a_fraction(document)) {
        return std::nullopt;
    }
    try {
        MapTables tables = document.get<MapTables>();
        return are_sound(tables, file_size) ? std::optional(std::move(tables)) : std::nullopt;
    } catch (const nlohmann::json::exception&) {  // a member is missing or of another type
        return std::nullopt;
    }
}

std::vector<KeyPage> write_key_pages(std::vector<KeyedLine>& lines,
                                     const std::function<FilePart(const std::string&)>& store) {
    const auto by_row = [](const KeyedLine& a, const KeyedLine& b) { return row_of(a) < row_of(b); };
    const auto is_same_row = [](const KeyedLine& a, const KeyedLine& b) { return row_of(a) == row_of(b); };
    std::sort(lines.begin(), lines.end(), by_row);
    lines.erase(std::unique(lines.begin(), lines.end(), is_same_row), lines.end());
    std::vector<KeyPage> pages;
    for (std::size_t begin = 0; begin < lines.size(); begin += kRowsOfPage) {
        std::string page;
        for (std::size_t i = begin; i < std::min(begin + kRowsOfPage, lines.size()); ++i) {
            for (const std::uint64_t number : row_of(lines[i])) {
                append_little_endian(page, number);
            }
        }
        pages.push_back({store(page), lines[begin].key});
    }
    return pages;
}

std::vector<KeyPage> pages_with(const std::vector<KeyPage>& pages, const std::vector<LineKey>& keys) {
    std::vector<KeyPage> found;
    for (auto page = pages.begin(); page != pages.end(); ++page) {
        const auto key = std::lower_bound(keys.begin(), keys.end(), page->first);
        const auto next = std::next(page);
        if (key != keys.end() && (next == pages.end() || *key <= next->first)) {
            found.push_back(*page);
        }
    }
    return found;
}

bool find_lines(std::string_view page, const std::vector<LineKey>& keys, std::vector<LineNumber>& lines) {
    for (std::uint64_t offset = 0; offset < page.size(); offset += sizeof(Row)) {
        Row row{};
        for (std::size_t i = 0; i < row.size(); ++i) {
            const auto number = bytes::read_u64(Bytes(page), offset + i * sizeof(std::uint64_t));
            if (!number) {
                return false;
            }
            row[i] = *number;
        }
        if (std::binary_search(keys.begin(), keys.end(), LineKey(row[0], row[1]))) {
            lines.push_back({static_cast<std::uint32_t>(row[2]), row[3]});
        }
    }
    return true;
}

}  // namespace opdebug::logs

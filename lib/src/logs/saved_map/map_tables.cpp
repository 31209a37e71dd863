// Each table is described once, by pass_...(): what a TableWriter writes so, a TableReader reads.
#include "logs/saved_map/map_tables.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "logs/saved_map/byte_numbers.hpp"

namespace opdebug::logs {
namespace {

class TableWriter {
public:
    void number(std::uint64_t value) { out_.number(value); }
    void signed_number(std::int64_t value) { out_.signed_number(value); }
    void text(const std::string& value) { out_.text(value); }

    template <class... Flag>
    void flags(const Flag&... flag) {
        std::uint64_t bits = 0, bit = 1;
        ((bits |= flag ? bit : 0U, bit <<= 1U), ...);
        number(bits);
    }

    void time(bool is_there, const std::optional<std::int64_t>& time_us) {
        if (is_there) {
            signed_number(*time_us);
        }
    }

    template <class Element, class Pass>
    void list(const std::vector<Element>& list, const Pass& pass) {
        number(list.size());
        std::for_each(list.begin(), list.end(), pass);
    }

    void part(const FilePart& part, std::uint64_t) {
        number(part.offset);
        number(part.size);
        number(part.content_size);
    }

    void require(bool) noexcept {}

    std::string take() { return out_.take(); }

private:
    ByteWriter out_;
};

/// Counts what it reads: nothing takes more memory than a file of this size may.
class TableReader {
public:
    TableReader(Bytes bytes, std::uint64_t file_size)
        : in_(bytes), file_size_(file_size), memory_left_(most_memory(file_size)) {
        take_memory(bytes.size());
    }

    template <class Number>
    void number(Number& value) {
        value = static_cast<Number>(in_.number());
    }
    void signed_number(std::int64_t& value) { value = in_.signed_number(); }
    void text(std::string& value) { value = in_.text(); }

    template <class... Flag>
    void flags(Flag&... flag) {
        std::uint64_t bits = in_.number();
        ((flag = (bits & 1U) != 0, bits >>= 1U), ...);
    }

    void time(bool is_there, std::optional<std::int64_t>& time_us) {
        if (is_there) {
            time_us = in_.signed_number();
        }
    }

    template <class Element, class Pass>
    void list(std::vector<Element>& list, const Pass& pass) {
        for (std::uint64_t left = in_.count(); left != 0 && in_.ok(); --left) {
            take_memory(2 * sizeof(Element));  // a vector grows to twice its size
            pass(list.emplace_back());
        }
    }

    /// Each part follows the one before: none is read twice. `memory`: that a byte of its content takes.
    void part(FilePart& part, std::uint64_t memory) {
        part.offset = in_.number();
        part.size = in_.number();
        part.content_size = in_.number();
        require(part.offset >= parts_end_ && is_inside_file(part, file_size_));
        if (in_.ok()) {
            parts_end_ = part.offset + part.size;
            take_memory(part.content_size * memory);
        }
    }

    void require(bool condition) noexcept {
        if (!condition) {
            in_.fail();
        }
    }

    bool is_complete() const noexcept { return in_.at_end(); }

private:
    void take_memory(std::uint64_t bytes) noexcept {
        require(bytes <= memory_left_);
        memory_left_ -= std::min(bytes, memory_left_);
    }

    ByteReader in_;
    std::uint64_t file_size_;
    std::uint64_t memory_left_;
    std::uint64_t parts_end_ = kMapHeader;
};

template <class Table, class Saved>
void pass_writer(Table& table, Saved& saved) {
    auto& lines = saved.lines;
    bool has_times = lines.first_time_us && lines.last_time_us;
    table.signed_number(saved.writer.pid);
    table.flags(saved.writer.on_device, lines.of_host, lines.states_unwanted, lines.names_unwanted, has_times);
    table.number(saved.host);
    table.number(lines.runtime_info);
    table.number(lines.ge_info);
    table.time(has_times, lines.first_time_us);
    table.time(has_times, lines.last_time_us);
}

template <class Table, class Line>
void pass_special_line(Table& table, Line& line) {
    bool has_time = line.time_us.has_value();
    table.number(line.line);
    table.flags(has_time, line.is_cut);
    table.time(has_time, line.time_us);
}

template <class Table, class Frame>
void pass_frame(Table& table, Frame& frame, std::size_t files) {
    table.part(frame.part, 1);
    table.number(frame.first_line);
    table.list(frame.files, [&table, files](auto& lines) {
        table.number(lines.file);
        table.require(lines.file < files);
        table.number(lines.count);
    });
    table.require(!frame.files.empty());
}

template <class Table, class Tables>
void pass_tables(Table& table, Tables& tables) {
    table.list(tables.log_formats, [&table](auto& format) {
        table.text(format.name);
        table.text(format.text);
    });
    table.list(tables.files, [&table](auto& file) {
        table.text(file.path);
        table.list(file.writers, [&table](auto& writer) { pass_writer(table, writer); });
        table.list(file.special_lines, [&table](auto& line) { pass_special_line(table, line); });
    });
    for (auto* const frames : {&tables.task_frames, &tables.general_frames}) {
        table.list(*frames, [&](auto& frame) { pass_frame(table, frame, tables.files.size()); });
    }
    for (auto* const pages : {&tables.task_pages, &tables.address_pages}) {
        table.list(*pages, [&table](auto& page) {
            table.part(page.part, sizeof(LineNumber));  // a line takes two bytes of it
            table.number(page.first.first);
            table.number(page.first.second);
        });
    }
    table.list(tables.open_launches, [&table](auto& launch) {
        table.number(launch.file);
        table.number(launch.line);
    });
}

constexpr std::size_t kPageSize = std::size_t{32} << 10U;

auto parts(const KeyedLine& line) {
    return std::tie(line.key, line.line);
}

/// Lines of one key, each by its distance from the one before.
void write_lines(std::vector<KeyedLine>::const_iterator begin, std::vector<KeyedLine>::const_iterator end,
                 ByteWriter& out) {
    out.number(static_cast<std::uint64_t>(end - begin));
    LineNumber before;
    for (auto line = begin; line != end; ++line) {
        const bool is_same_file = line->line.file == before.file;
        out.number(line->line.file - before.file);
        out.number(line->line.line - (is_same_file ? before.line : 0));
        before = line->line;
    }
}

}  // namespace

bool is_inside_file(const FilePart& part, std::uint64_t file_size) noexcept {
    return part.offset <= file_size && part.size <= file_size - part.offset && part.size <= kMostContent &&
           part.content_size <= std::min(kMostContent, most_memory(file_size));
}

std::string line_begin_of(const std::string& path) {
    std::string begin = path;
    std::replace(begin.begin(), begin.end(), '\n', '?');
    return begin + ":";
}

std::string write_tables(const MapTables& tables) {
    TableWriter table;
    pass_tables(table, tables);
    return table.take();
}

std::optional<MapTables> read_tables(Bytes bytes, std::uint64_t file_size) {
    TableReader table(bytes, file_size);
    MapTables tables;
    pass_tables(table, tables);
    return table.is_complete() ? std::optional(std::move(tables)) : std::nullopt;
}

std::vector<KeyPage> write_key_pages(std::vector<KeyedLine>& lines,
                                     const std::function<FilePart(const std::string&)>& store) {
    std::sort(lines.begin(), lines.end(), [](const KeyedLine& a, const KeyedLine& b) { return parts(a) < parts(b); });
    lines.erase(std::unique(lines.begin(), lines.end(),
                            [](const KeyedLine& a, const KeyedLine& b) { return parts(a) == parts(b); }),
                lines.end());
    std::vector<KeyPage> pages;
    ByteWriter page;
    LineKey first, before;
    for (auto begin = lines.cbegin(); begin != lines.cend();) {
        const LineKey key = begin->key;
        const auto end = std::find_if(begin, lines.cend(), [&key](const KeyedLine& line) { return line.key != key; });
        if (page.size() == 0) {
            first = key;
            before = {};
        }
        page.number(key.first - before.first);
        page.number(key.second - (key.first == before.first ? before.second : 0));
        write_lines(begin, end, page);
        before = key;
        begin = end;
        if (page.size() >= kPageSize || begin == lines.cend()) {
            pages.push_back({store(page.take()), first});
        }
    }
    return pages;
}

std::vector<KeyPage> pages_with(const std::vector<KeyPage>& pages, const std::vector<LineKey>& keys) {
    std::vector<KeyPage> found;
    for (auto page = pages.begin(); page != pages.end(); ++page) {
        const auto key = std::lower_bound(keys.begin(), keys.end(), page->first);
        const auto next = std::next(page);
        if (key != keys.end() && (next == pages.end() || *key < next->first)) {
            found.push_back(*page);
        }
    }
    return found;
}

bool find_lines(Bytes page, const std::vector<LineKey>& keys, std::vector<LineNumber>& lines) {
    ByteReader in(page);
    LineKey key;
    while (in.ok() && !in.at_end()) {
        const std::uint64_t step = in.number();
        key.second = in.number() + (step == 0 ? key.second : 0);
        key.first += step;
        const bool is_wanted = std::binary_search(keys.begin(), keys.end(), key);
        LineNumber line;
        for (std::uint64_t left = in.count(); left != 0 && in.ok(); --left) {
            const std::uint64_t files = in.number();
            line.line = in.number() + (files == 0 ? line.line : 0);
            line.file += static_cast<std::uint32_t>(files);
            if (is_wanted) {
                lines.push_back(line);
            }
        }
    }
    return in.ok();
}

}  // namespace opdebug::logs

#include "logs/saved_map/map_tables.hpp"

#include <algorithm>
#include <utility>

#include "logs/saved_map/byte_numbers.hpp"

namespace opdebug::logs {
namespace {

constexpr unsigned kOnDevice = 1, kOfHost = 2, kStates = 4, kNames = 8, kHasTimes = 16;
constexpr unsigned kHasTime = 1, kIsCut = 2;

unsigned flag(bool is_set, unsigned bit) noexcept {
    return is_set ? bit : 0U;
}

void write_writer(const SavedWriter& saved, ByteWriter& out) {
    const WriterLines& lines = saved.lines;
    const bool has_times = lines.first_time_us && lines.last_time_us;
    out.signed_number(saved.writer.pid);
    out.number(flag(saved.writer.on_device, kOnDevice) | flag(lines.of_host, kOfHost) |
               flag(lines.states_unwanted, kStates) | flag(lines.names_unwanted, kNames) | flag(has_times, kHasTimes));
    out.number(saved.host);
    out.number(lines.runtime_info);
    out.number(lines.ge_info);
    if (has_times) {
        out.signed_number(*lines.first_time_us);
        out.signed_number(*lines.last_time_us);
    }
}

SavedWriter read_writer(ByteReader& in) {
    SavedWriter saved;
    WriterLines& lines = saved.lines;
    saved.writer.pid = in.signed_number();
    const std::uint64_t flags = in.number();
    saved.writer.on_device = (flags & kOnDevice) != 0;
    lines.of_host = (flags & kOfHost) != 0;
    lines.states_unwanted = (flags & kStates) != 0;
    lines.names_unwanted = (flags & kNames) != 0;
    saved.host = static_cast<std::uint32_t>(in.number());
    lines.runtime_info = in.number();
    lines.ge_info = in.number();
    if ((flags & kHasTimes) != 0) {
        lines.first_time_us = in.signed_number();
        lines.last_time_us = in.signed_number();
    }
    return saved;
}

void write_file(const SavedFile& file, ByteWriter& out) {
    out.text(file.path);
    out.number(file.writers.size());
    for (const SavedWriter& writer : file.writers) {
        write_writer(writer, out);
    }
    out.number(file.special_lines.size());
    for (const SpecialLine& special : file.special_lines) {
        out.number(special.line);
        out.number(flag(special.time_us.has_value(), kHasTime) | flag(special.is_cut, kIsCut));
        if (special.time_us) {
            out.signed_number(*special.time_us);
        }
    }
}

SpecialLine read_special_line(ByteReader& in) {
    SpecialLine special;
    special.line = in.number();
    const std::uint64_t flags = in.number();
    special.is_cut = (flags & kIsCut) != 0;
    if ((flags & kHasTime) != 0) {
        special.time_us = in.signed_number();
    }
    return special;
}

void write_part(const FilePart& part, ByteWriter& out) {
    out.number(part.offset);
    out.number(part.size);
    out.number(part.content_size);
}

/// Counts what it reads: nothing takes more memory than a file of this size may.
class TableReader {
public:
    TableReader(Bytes bytes, std::uint64_t file_size)
        : in_(bytes), file_size_(file_size), memory_left_(most_memory(file_size)) {
        take_memory(bytes.size());
    }

    std::optional<MapTables> read() {
        MapTables tables;
        read_list(tables.log_formats, [this] {
            std::string name(in_.text());
            return NamedText{std::move(name), std::string(in_.text())};
        });
        read_list(tables.files, [this] { return read_file(); });
        for (auto* const frames : {&tables.task_frames, &tables.general_frames}) {
            read_list(*frames, [this, &tables] { return read_frame(tables.files.size()); });
        }
        for (auto* const pages : {&tables.task_pages, &tables.address_pages}) {
            read_list(*pages, [this] { return read_page(); });
        }
        read_list(tables.open_launches, [this] {
            const auto file = static_cast<std::uint32_t>(in_.number());
            return LineNumber{file, in_.number()};
        });
        return in_.at_end() ? std::optional(std::move(tables)) : std::nullopt;
    }

private:
    void take_memory(std::uint64_t bytes) noexcept {
        if (bytes > memory_left_) {
            in_.fail();
        }
        memory_left_ -= std::min(bytes, memory_left_);
    }

    template <class Element, class ReadElement>
    void read_list(std::vector<Element>& list, const ReadElement& read_element) {
        for (std::uint64_t left = in_.count(); left != 0 && in_.ok(); --left) {
            take_memory(2 * sizeof(Element));  // a vector grows to twice its size
            list.push_back(read_element());
        }
    }

    SavedFile read_file() {
        SavedFile file;
        file.path = in_.text();
        read_list(file.writers, [this] { return read_writer(in_); });
        read_list(file.special_lines, [this] { return read_special_line(in_); });
        return file;
    }

    /// Each part follows the one before: none is read twice.
    FilePart read_part() {
        FilePart part;
        part.offset = in_.number();
        part.size = in_.number();
        part.content_size = in_.number();
        if (part.offset < parts_end_ || !is_inside_file(part, file_size_)) {
            in_.fail();
            return {};
        }
        parts_end_ = part.offset + part.size;
        return part;
    }

    LineFrame read_frame(std::size_t files) {
        LineFrame frame;
        frame.part = read_part();
        take_memory(frame.part.content_size);
        frame.first_line = in_.number();
        read_list(frame.files, [this, files] {
            const std::uint64_t file = in_.number();
            if (file >= files) {
                in_.fail();
            }
            return LinesOfFile{static_cast<std::uint32_t>(file), in_.number()};
        });
        if (frame.files.empty()) {
            in_.fail();
        }
        return frame;
    }

    KeyPage read_page() {
        KeyPage page;
        page.part = read_part();
        take_memory(page.part.content_size * sizeof(LineNumber));  // a line takes two bytes of it
        page.first.first = in_.number();
        page.first.second = in_.number();
        return page;
    }

    ByteReader in_;
    std::uint64_t file_size_;
    std::uint64_t memory_left_;
    std::uint64_t parts_end_ = kMapHeader;
};

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
    ByteWriter out;
    out.number(tables.log_formats.size());
    for (const NamedText& format : tables.log_formats) {
        out.text(format.name);
        out.text(format.text);
    }
    out.number(tables.files.size());
    for (const SavedFile& file : tables.files) {
        write_file(file, out);
    }
    for (const auto* const frames : {&tables.task_frames, &tables.general_frames}) {
        out.number(frames->size());
        for (const LineFrame& frame : *frames) {
            write_part(frame.part, out);
            out.number(frame.first_line);
            out.number(frame.files.size());
            for (const LinesOfFile& lines : frame.files) {
                out.number(lines.file);
                out.number(lines.count);
            }
        }
    }
    for (const auto* const pages : {&tables.task_pages, &tables.address_pages}) {
        out.number(pages->size());
        for (const KeyPage& page : *pages) {
            write_part(page.part, out);
            out.number(page.first.first);
            out.number(page.first.second);
        }
    }
    out.number(tables.open_launches.size());
    for (const LineNumber& launch : tables.open_launches) {
        out.number(launch.file);
        out.number(launch.line);
    }
    return out.take();
}

std::optional<MapTables> read_tables(Bytes bytes, std::uint64_t file_size) {
    return TableReader(bytes, file_size).read();
}

}  // namespace opdebug::logs

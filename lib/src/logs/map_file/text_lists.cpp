#include "logs/map_file/text_lists.hpp"

#include "logs/map_file/tables.hpp"

namespace opdebug::logs::map_file {

void write_texts(std::span<const std::string_view> texts, ByteWriter& out) {
    out.number(texts.size());
    for (const std::string_view text : texts) {
        out.text(text);
    }
}

std::vector<std::string_view> read_texts(ByteReader& in, MemoryLeft& memory) {
    std::vector<std::string_view> texts;
    const std::uint64_t count = in.count();
    if (!memory.take(ListMemory::kOfText * count)) {
        in.fail();
        return texts;
    }
    texts.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
        texts.push_back(in.text());
    }
    return texts;
}

std::string shared_texts_section(const std::vector<SharedTextsPart>& parts) {
    ByteWriter out;
    out.number(parts.size());
    out.number(parts.empty() ? 0 : parts.front().packed.offset);
    for (const SharedTextsPart& part : parts) {
        out.number(part.process);
        write_packed(part.packed, out);
    }
    return out.result();
}

bool read_shared_texts(Bytes section, std::uint64_t file_size, std::vector<SharedTextsPart>& parts) {
    ByteReader in(section);
    const std::uint64_t count = in.count();
    std::uint64_t offset = in.number();
    for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
        SharedTextsPart part;
        part.process = in.number();
        const bool rises = parts.empty() || parts.back().process < part.process;
        if (!rises || !read_packed(in, file_size, offset, part.packed)) {
            return false;
        }
        parts.push_back(part);
    }
    return in.at_end();
}

}  // namespace opdebug::logs::map_file

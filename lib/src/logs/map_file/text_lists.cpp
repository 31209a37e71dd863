#include "logs/map_file/text_lists.hpp"

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

}  // namespace opdebug::logs::map_file

#include "logs/map_file/text_lists.hpp"

#include <cstdint>
#include <utility>

namespace opdebug::logs::map_file {

void write_texts(std::span<const std::string_view> texts, ByteWriter& out) {
    out.number(texts.size());
    for (const std::string_view text : texts) {
        out.text(text);
    }
}

std::vector<std::string_view> read_texts(ByteReader& in) {
    std::vector<std::string_view> texts;
    const std::uint64_t count = in.count();
    texts.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
        texts.push_back(in.text());
    }
    return texts;
}

std::string shared_texts_section(std::span<const SharedTexts* const> of_processes) {
    ByteWriter out;
    for (const SharedTexts* const shared : of_processes) {
        write_texts(shared != nullptr ? std::span(shared->texts()) : std::span<const std::string_view>(), out);
    }
    return out.result();
}

std::optional<std::vector<std::vector<std::string_view>>> read_shared_texts(Bytes section, std::size_t processes) {
    std::vector<std::vector<std::string_view>> of_processes;
    ByteReader in(section);
    for (std::size_t i = 0; i < processes && in.ok(); ++i) {
        of_processes.push_back(read_texts(in));
    }
    return in.at_end() ? std::optional(std::move(of_processes)) : std::nullopt;
}

}  // namespace opdebug::logs::map_file

#include "logs/map_file/block_lists.hpp"

#include <utility>

#include "logs/map_file/text_lists.hpp"

namespace opdebug::logs::map_file {
namespace {

/// For one more of a list.
bool has_memory(ByteReader& in, MemoryLeft& memory, std::uint64_t bytes) {
    if (in.ok() && !memory.take(bytes)) {
        in.fail();
    }
    return in.ok();
}

std::size_t members_of(Filling filling, const Names& names) noexcept {
    switch (filling) {
        case Filling::time:
        case Filling::thread: return 1;
        case Filling::decimal:
        case Filling::hexadecimal: return names.numbers.size();
        case Filling::text: return names.texts.size();
    }
    return 0;
}

/// `place`: in the line, from where on it is no part of one before.
FormPart read_part(ByteReader& in, const Names& names, std::string_view line, std::uint64_t place) {
    const std::uint64_t before = in.number();
    const std::uint64_t size = in.number();
    const std::uint64_t number = in.number();
    const auto filling = static_cast<Filling>(number % kFillings);
    const std::uint64_t member = number / kFillings;
    const std::uint64_t left = line.size() - place;
    if (before > left || size > left - before || member >= members_of(filling, names)) {
        in.fail();
        return {};
    }
    return {static_cast<std::uint32_t>(place + before), static_cast<std::uint32_t>(size), filling,
            static_cast<std::uint8_t>(member)};
}

/// Marks for more members than there are names are a fault.
std::uint64_t read_mask(ByteReader& in, std::size_t members) {
    const std::uint64_t mask = in.number();
    if (members < 64 && (mask >> members) != 0) {
        in.fail();
    }
    return in.ok() ? mask : 0;
}

}  // namespace

BlockLists::BlockLists(ByteReader& in, const BlockFrame& frame, MemoryLeft& memory)
    : frame_(frame), texts_(read_texts(in, memory)) {
    read_forms(in, memory);
    read_row_kinds(in, memory);
}

std::optional<std::string_view> BlockLists::text(std::uint64_t number) {
    if (number % 2 == 1 && !shared_texts_) {
        shared_texts_ = frame_.shared_texts();
    }
    const std::span<const std::string_view> texts = number % 2 == 0 ? std::span(std::as_const(texts_)) : *shared_texts_;
    return number / 2 < texts.size() ? std::optional(texts[static_cast<std::size_t>(number / 2)]) : std::nullopt;
}

void BlockLists::read_forms(ByteReader& in, MemoryLeft& memory) {
    for (std::uint64_t left = in.count(); left > 0 && has_memory(in, memory, ListMemory::kOfForm); --left) {
        const std::optional<std::string_view> line = text(in.number());
        if (!line) {
            in.fail();
            return;
        }
        std::vector<FormPart> parts;
        std::size_t place = 0;
        for (std::uint64_t of_form = in.count(); of_form > 0 && has_memory(in, memory, ListMemory::kOfPart);
             --of_form) {
            parts.push_back(read_part(in, frame_.names, *line, place));
            place = parts.back().end();
        }
        forms_.emplace_back(*line, std::move(parts));
    }
}

void BlockLists::read_row_kinds(ByteReader& in, MemoryLeft& memory) {
    const Names& names = frame_.names;
    for (std::uint64_t left = in.count(); left > 0 && has_memory(in, memory, ListMemory::kOfRowKind); --left) {
        RowKind row;
        const std::uint64_t kind = in.number();
        const std::uint64_t log = in.number();
        row.format = in.number();
        row.further_mask = read_mask(in, names.places.size());
        row.number_mask = read_mask(in, names.numbers.size());
        row.text_mask = read_mask(in, names.texts.size());
        row.flags = read_mask(in, names.flags.size());
        if (kind >= names.kinds.size() || log >= names.logs.size()) {
            in.fail();
            return;
        }
        row.kind = names.kinds[static_cast<std::size_t>(kind)];
        row.log = names.logs[static_cast<std::size_t>(log)];
        row_kinds_.push_back(row);
    }
}

}  // namespace opdebug::logs::map_file

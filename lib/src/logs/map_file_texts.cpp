#include "logs/map_file_texts.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace opdebug::logs::map_file {

std::uint64_t BlockTexts::index_of(std::string_view text) {
    if (2 * (texts_.size() + 1) > slots_.size()) {
        grow();
    }
    const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>()(text));
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t place = hash & mask;; place = (place + 1) & mask) {
        Slot& slot = slots_[place];
        if (slot.number == 0) {
            texts_.push_back(text);
            bytes_ += text.size() + 2;
            slot = {hash, static_cast<std::uint32_t>(texts_.size())};
        }
        if (slot.hash == hash && texts_[slot.number - 1] == text) {
            return slot.number - 1;
        }
    }
}

void BlockTexts::grow() {
    constexpr std::size_t kFirst = 4096;  // twice as many as most blocks have texts
    std::vector<Slot> slots(std::max(kFirst, 2 * slots_.size()));
    const std::size_t mask = slots.size() - 1;
    for (const Slot& slot : slots_) {
        std::size_t place = slot.hash & mask;
        while (slots[place].number != 0) {
            place = (place + 1) & mask;
        }
        slots[place] = slot;
    }
    slots_ = std::move(slots);
}

void BlockTexts::write_to(ByteWriter& out) const {
    out.number(texts_.size());
    for (const std::string_view text : texts_) {
        out.text(text);
    }
}

void BlockTexts::clear() noexcept {
    std::fill(slots_.begin(), slots_.end(), Slot());
    texts_.clear();
    bytes_ = 0;
}

}  // namespace opdebug::logs::map_file

#include "logs/packing/shared_texts.hpp"

namespace opdebug::logs {

std::optional<std::uint32_t> SharedTexts::number_of(std::string_view text) {
    if (const std::optional<std::uint32_t> number = table_.find(text)) {
        return number;
    }
    if (memory_.size() == kMost || text.size() > kMostBytes - bytes_) {
        return std::nullopt;
    }
    const std::shared_ptr<char[]> kept = std::make_shared_for_overwrite<char[]>(text.size());
    text.copy(kept.get(), text.size());
    memory_.push_back(kept);
    bytes_ += text.size();
    return table_.place_of({kept.get(), text.size()});
}

}  // namespace opdebug::logs

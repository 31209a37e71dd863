#include "logs/packing/line_forms.hpp"

#include <utility>

namespace opdebug::logs {

LineForms::OfKind* LineForms::of_kind(const LineKind& kind) {
    for (std::size_t place = 0; place < kinds_.size(); ++place) {
        if (kinds_[place].kind_ == kind) {
            if (place == 0) {
                return &kinds_[place];
            }
            std::swap(kinds_[place], kinds_[place - 1]);
            return &kinds_[place - 1];
        }
    }
    if (kinds_.size() == kMost) {
        return nullptr;
    }
    OfKind& added = kinds_.emplace_back();
    added.kind_ = kind;
    return &added;
}

bool LineForms::has_room(const OfKind& of_kind) const noexcept {
    return of_kind.numbers_.size() < kMostOfKind;
}

std::uint32_t LineForms::add(OfKind& of_kind, std::string_view line, const KnownValues& known) {
    forms_.push_back(std::make_shared<const Kept>(line, known));
    of_kind.numbers_.push_back(static_cast<std::uint32_t>(forms_.size()));
    return of_kind.numbers_.back();
}

}  // namespace opdebug::logs

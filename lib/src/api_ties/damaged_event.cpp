#include "api_ties/damaged_event.hpp"

namespace opdebug::api_ties {
namespace {

constexpr std::size_t kMostOpen = std::size_t{1} << 20U;

bool is_blank(char c) noexcept {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// Whether a list may begin behind it.
bool is_before_value(char c) noexcept {
    return c == ':' || c == ',' || c == '[';
}

}  // namespace

bool DamagedEvent::is_lost() const noexcept {
    return open_.size() > kMostOpen;
}

std::size_t DamagedEvent::pass(std::string_view text) {
    for (std::size_t i = 0; i < text.size() && !is_lost(); ++i) {
        const char next = text[i];
        if (in_text_) {
            is_over_ = pass_in_text(next);
            if (is_over_) {
                return i;
            }
            continue;
        }
        if (is_blank(next)) {
            continue;
        }
        is_over_ = is_event(next);
        if (is_over_) {
            return i;
        }
        has_list_end_ = has_list_end_ || (next == ']' && open_.empty());
        const bool in_place_of_event = next == '[' && open_.empty() && (last_ == ',' || last_ == '\0');
        const bool is_stray = next == '[' && !open_.empty() && !is_before_value(last_);
        last_ = comma_in_front_ && next == ',' ? '\0' : in_place_of_event ? ',' : next;
        comma_in_front_ = false;
        if (in_place_of_event || is_stray) {
            continue;
        }
        switch (next) {
            case '"':
                in_text_ = true;
                last_in_text_ = 0;
                break;
            case '{':
            case '[': open(next); break;
            case '}': close('{'); break;
            case ']': close('['); break;
            default: break;
        }
    }
    return text.size();
}

/// Whether the next event begins here.
bool DamagedEvent::pass_in_text(char next) noexcept {
    const bool is_event = next == '{' && last_in_text_ == ',';
    if (!is_blank(next)) {
        const bool is_comma_behind = next == ',' && last_in_text_ == '}';
        last_in_text_ = next == '}' || is_comma_behind ? next : '\0';
    }
    if (escaped_) {
        escaped_ = false;
    } else if (next == '\\') {
        escaped_ = true;
    } else if (next == '"') {
        in_text_ = false;
    } else if (next == '\n') {  // a quote is missing, and the comma in front of the break was taken for text
        in_text_ = false;
        last_ = ',';
    }
    return is_event;
}

bool DamagedEvent::is_event(char next) const noexcept {
    return next == '{' && last_ == ',' && (open_.empty() || open_.back() == '{');
}

void DamagedEvent::open(char bracket) {
    open_ += bracket;
    objects_ += bracket == '{' ? 1U : 0U;
}

/// Brackets inside are closed with it.
void DamagedEvent::close(char bracket) {
    const std::size_t of_kind = bracket == '{' ? objects_ : open_.size() - objects_;
    if (of_kind == 0) {
        if (bracket == '{') {
            open_.clear();  // lists only
        }
        return;
    }
    for (char closed = 0; closed != bracket;) {
        closed = open_.back();
        open_.pop_back();
        objects_ -= closed == '{' ? 1U : 0U;
    }
}

}  // namespace opdebug::api_ties

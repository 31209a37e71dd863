// Where the list of a trace goes on behind an event that cannot be read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace opdebug::api_ties {

/// Passes over the event in pieces: up to the next one, an object behind a comma. A bracket that closes the list may as
/// well be one whose opening one is damaged, so it is no end as long as an event follows. Quotes are respected, but
/// where one is missing what is text and what is not changes places. So a line break ends a text, for it stands in
/// none, and an object behind it is the next event; so is one whose begin follows on an object's end within a text.
/// Brackets that were not closed, as of an event whose end is missing, are closed by one around them, or where an
/// object begins behind a comma of an object: that is the next event. A brace that closes nothing is the end of the
/// event, whose own begin is damaged.
class DamagedEvent {
public:
    /// `is_first`: the event is the first of its list, so that no comma stands in front of it.
    explicit DamagedEvent(bool is_first) : comma_in_front_(!is_first) {}

    /// How many bytes of the text, which goes on where the last one ended, belong to the event.
    std::size_t pass(std::string_view text);

    /// Whether the next event begins at the next byte.
    bool is_over() const noexcept { return is_over_; }
    /// Whether the list of events has ended, where the file does.
    bool has_list_end() const noexcept { return has_list_end_; }
    /// More brackets are open than anything sensible has: no end is looked for.
    bool is_lost() const noexcept;

private:
    bool pass_in_text(char next) noexcept;
    bool is_event(char next) const noexcept;
    void open(char bracket);
    void close(char bracket);

    bool comma_in_front_;
    bool in_text_ = false, escaped_ = false;
    char last_ = 0;          ///< of those that are no blanks
    char last_in_text_ = 0;  ///< of the end of an object and the comma behind it
    bool is_over_ = false, has_list_end_ = false;
    std::string open_;  ///< opening brackets
    std::size_t objects_ = 0;
};

}  // namespace opdebug::api_ties

// The events of a trace, one after the other, and what stands around their list.
#pragma once

#include <cstdint>
#include <functional>

#include "api_ties/trace_event.hpp"
#include "json/cursor.hpp"

namespace opdebug::api_ties {

/// Where in a trace the reading is, whatever cursors it is read with.
class EventReader {
public:
    /// `use` gets each whole event, and must outlive this.
    explicit EventReader(const std::function<void(const TraceEvent&)>& use) : use_(use) {}

    /// One event, or what stands before and behind the list. False: the cursor has stopped, or all is read.
    bool read_some(json_stage::JsonCursor& cursor);

    bool is_done() const noexcept { return place_ == Place::behind; }
    bool has_begun() const noexcept { return place_ != Place::start && place_ != Place::members; }
    bool is_first() const noexcept { return first_; }  ///< no comma stands in front of the next event
    std::uint64_t events() const noexcept { return events_; }

    /// Behind an event that was passed over. `at_event`: no comma is in front of the next one.
    void go_on(bool at_event) noexcept { first_ = at_event; }

private:
    enum class Place { start, members, events, behind };

    bool read_start(json_stage::JsonCursor& cursor);
    bool read_member(json_stage::JsonCursor& cursor);
    bool read_event(json_stage::JsonCursor& cursor);

    const std::function<void(const TraceEvent&)>& use_;
    Place place_ = Place::start;
    bool first_ = true;
    std::uint64_t events_ = 0;
};

}  // namespace opdebug::api_ties

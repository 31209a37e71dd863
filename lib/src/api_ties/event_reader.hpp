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

    bool is_done() const noexcept { return place_ == Place::end; }
    bool is_behind_list() const noexcept { return place_ == Place::behind; }  ///< what follows is still to be seen
    bool has_begun() const noexcept { return place_ != Place::start && place_ != Place::members; }
    bool is_first() const noexcept { return first_; }  ///< no comma stands in front of the next event
    std::uint64_t events() const noexcept { return events_; }

    /// At the begin of an event, behind one that was passed over: no comma is in front of it any longer.
    void go_on() noexcept {
        first_ = true;
        place_ = Place::events;
    }

private:
    enum class Place { start, members, events, behind, end };

    bool read_start(json_stage::JsonCursor& cursor);
    bool read_member(json_stage::JsonCursor& cursor);
    bool read_event(json_stage::JsonCursor& cursor);
    static bool pass_other(json_stage::JsonCursor& cursor);
    bool read_behind(json_stage::JsonCursor& cursor);

    const std::function<void(const TraceEvent&)>& use_;
    Place place_ = Place::start;
    bool first_ = true, in_object_ = false;
    std::uint64_t events_ = 0;
};

}  // namespace opdebug::api_ties

#include "api_ties/event_reader.hpp"

#include <string_view>

namespace opdebug::api_ties {

using json_stage::JsonCursor;

bool EventReader::read_some(JsonCursor& cursor) {
    switch (place_) {
        case Place::start: return read_start(cursor);
        case Place::members: return read_member(cursor);
        case Place::events: return read_event(cursor);
        case Place::behind: return false;
    }
    return false;
}

bool EventReader::read_start(JsonCursor& cursor) {
    char next = 0;
    if (!cursor.peek(next)) {
        return false;
    }
    if (next != '[' && next != '{') {
        return cursor.malformed();
    }
    cursor.pass();
    place_ = next == '[' ? Place::events : Place::members;
    return true;
}

bool EventReader::read_member(JsonCursor& cursor) {
    bool closed = false;
    std::string_view key;
    if (!cursor.next_member('}', first_, closed)) {
        return false;
    }
    if (closed) {
        return cursor.malformed();  // an object without events
    }
    char next = 0;
    if (!cursor.key(key) || !cursor.peek(next)) {
        return false;
    }
    if (key == "traceEvents" && next == '[') {
        cursor.pass();
        place_ = Place::events;
        first_ = true;
        return true;
    }
    if (!cursor.skip_value()) {
        return false;
    }
    first_ = false;
    return true;
}

bool EventReader::read_event(JsonCursor& cursor) {
    bool closed = false;
    if (!cursor.next_member(']', first_, closed)) {
        return false;
    }
    if (closed) {
        place_ = Place::behind;
        return true;
    }
    TraceEvent event;
    if (!read_trace_event(cursor, event)) {
        return false;
    }
    ++events_;
    first_ = false;
    use_(event);
    return true;
}

}  // namespace opdebug::api_ties

#include "api_ties/event_reader.hpp"

#include <string_view>

namespace opdebug::api_ties {

using json_stage::JsonCursor;

bool EventReader::read_some(JsonCursor& cursor) {
    switch (place_) {
        case Place::start: return read_start(cursor);
        case Place::members: return read_member(cursor);
        case Place::events: return read_event(cursor);
        case Place::behind: return read_behind(cursor);
        case Place::end: return false;
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
    in_object_ = next == '{';
    place_ = in_object_ ? Place::members : Place::events;
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
    char next = 0;
    if (!cursor.peek(next)) {
        return false;
    }
    if (next != '{') {
        first_ = false;
        return pass_other(cursor);
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

/// An event is an object. A list that begins with one is damage: the events are inside.
bool EventReader::pass_other(JsonCursor& cursor) {
    char next = 0;
    const JsonCursor::Place begin = cursor.place();
    if (!cursor.peek(next)) {
        return false;
    }
    if (next == '[') {
        cursor.pass();
        if (!cursor.peek(next)) {
            return false;
        }
        if (next == '{') {
            return cursor.malformed();
        }
        cursor.go_back(begin);
    }
    return cursor.skip_value();
}

/// What must follow on the list, lest its end is a damaged byte: nothing, or in an object its end or another member.
bool EventReader::read_behind(JsonCursor& cursor) {
    char next = 0;
    if (!cursor.peek(next)) {
        return false;
    }
    if (in_object_ && next == ',') {
        cursor.pass();
        if (!cursor.peek(next)) {
            return false;
        }
        if (next != '"') {
            return cursor.malformed();
        }
    } else if (!in_object_ || next != '}') {
        return cursor.malformed();
    }
    place_ = Place::end;
    return true;
}

}  // namespace opdebug::api_ties

#include "api_dump/known_members.hpp"

namespace opdebug::api_dump {

bool KnownMembers::read(JsonCursor& cursor, std::size_t ordinal, Member*& member) {
    if (ordinal < kOrdinals) {
        for (Member& known : members_[ordinal]) {
            if (!known.gap.empty() && cursor.pass_text(known.gap)) {
                member = &known;
                return true;
            }
        }
    }
    return read_new(cursor, ordinal, member);
}

bool KnownMembers::read_new(JsonCursor& cursor, std::size_t ordinal, Member*& member) {
    const JsonCursor::Place before = cursor.place();
    bool closed = false;
    std::string_view key;
    char next = 0;
    if (!cursor.next_member('}', ordinal == 0, closed)) {
        return false;
    }
    if (closed) {
        member = nullptr;
        return true;
    }
    if (!cursor.key(key) || !cursor.peek(next)) {
        return false;
    }
    constexpr std::size_t kLongestGap = 64;
    const std::string_view gap = cursor.text_since(before);
    const bool is_usual = ordinal < kOrdinals && gap.size() <= kLongestGap;
    Member& read = is_usual ? members_[ordinal][oldest_[ordinal]++ % kWays] : unusual_;
    read.gap = is_usual ? gap : std::string_view();
    read.key = key;
    read.text.clear();
    read.meaning = node_member(key);
    member = &read;
    return true;
}

bool KnownMembers::read_scalar(JsonCursor& cursor, Member& member, JsonScalar& value) {
    const JsonCursor::Place before = cursor.place();
    if (!member.text.empty() && cursor.pass_text(member.text)) {
        value.kind = JsonScalar::Kind::text;
        value.text = cursor.text_since(before).substr(1, member.text.size() - 2);
        return true;
    }
    if (!cursor.scalar(value)) {
        return false;
    }
    constexpr std::size_t kLongest = 64;
    const std::string_view written = cursor.text_since(before);
    if (value.kind == JsonScalar::Kind::text && written.size() == value.text.size() + 2 && written.size() <= kLongest) {
        member.text = written;  // without escapes: their length would differ
    }
    return true;
}

}  // namespace opdebug::api_dump

// Members of objects that look as the same member of the object before: the program that wrote the file wrote thousands
// of tensors in one layout. What stands between two values, blanks and key, is then compared as a whole, which takes a
// quarter of the time of reading it.
#pragma once

#include <array>
#include <string>

#include "api_dump/value_node.hpp"
#include "json/cursor.hpp"

namespace opdebug::api_dump {

using json_stage::JsonCursor;
using json_stage::JsonScalar;

class KnownMembers {
public:
    struct Member {
        std::string gap;  ///< from the end of the value before to the begin of this one
        std::string key;
        std::string text;  ///< the value before, with its quotation marks; empty where it was no text
        NodeMember meaning = NodeMember::other;
    };

    /// Reads on to the value of the next member, the `ordinal`th of its object; null where the closing bracket came
    /// instead. False: the cursor has stopped.
    bool read(JsonCursor& cursor, std::size_t ordinal, Member*& member);

    /// The member's value, which is no list and no object.
    bool read_scalar(JsonCursor& cursor, Member& member, JsonScalar& value);

private:
    static constexpr std::size_t kOrdinals = 16, kWays = 2;  // tensors and scalars alternate

    bool read_new(JsonCursor& cursor, std::size_t ordinal, Member*& member);

    std::array<std::array<Member, kWays>, kOrdinals> members_;
    std::array<std::size_t, kOrdinals> oldest_{};
    Member unusual_;
};

}  // namespace opdebug::api_dump

#include "api_dump/construct_file.hpp"

#include <utility>

#include "api_dump/side_file.hpp"
#include "tree/number.hpp"

namespace opdebug::api_dump {

using json_stage::JsonCursor;
using json_stage::JsonScalar;

namespace {

/// A name, or null for none.
bool read_parent(JsonCursor& cursor, ConstructNode& node) {
    JsonScalar parent;
    if (!cursor.scalar(parent)) {
        return false;
    }
    if (parent.kind == JsonScalar::Kind::text) {
        node.parent = parent.text;
    }
    return parent.kind == JsonScalar::Kind::text || parent.kind == JsonScalar::Kind::null;
}

/// [parent, micro step]
bool read_parent_and_step(JsonCursor& cursor, ConstructNode& node) {
    JsonScalar step;
    if (!cursor.expect('[') || !read_parent(cursor, node) || !cursor.expect(',') || !cursor.scalar(step) ||
        !cursor.expect(']')) {
        return false;
    }
    node.micro_step = step.kind == JsonScalar::Kind::number ? tree::parse_number(step.text) : std::nullopt;
    return true;
}

/// False: the cursor has stopped. A value of another form is passed, for the entries behind it.
bool read_node(JsonCursor& cursor, ConstructNode& node) {
    char next = 0;
    if (!cursor.peek(next)) {
        return false;
    }
    const JsonCursor::Place value = cursor.place();
    if (!cursor.skip_value()) {
        return false;
    }
    const JsonCursor::Place behind = cursor.place();
    cursor.go_back(value);
    node.is_told = next == '[' ? read_parent_and_step(cursor, node) : read_parent(cursor, node);
    cursor.go_back(behind);
    return true;
}

}  // namespace

Result<bool> read_construct_file(const std::string& path, const ApiReadOptions& options,
                                 const std::function<bool(std::string_view)>& is_wanted,
                                 const std::function<void(ConstructNode&&)>& use) {
    return read_side_file(path, options, "construct.json: calls and their modules",
                          [&](JsonCursor& cursor, std::string_view key) {
                              if (!is_wanted(key)) {
                                  return cursor.skip_value();
                              }
                              ConstructNode node;
                              node.name = key;
                              if (!read_node(cursor, node)) {
                                  return false;
                              }
                              use(std::move(node));
                              return true;
                          });
}

}  // namespace opdebug::api_dump

// Strict reading of a JSON document: every access checks, the first fault stays and names its place.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "json/document.hpp"

namespace opdebug::json_stage {

/// One value of the document with its JSON pointer. After a fault the functions return empty values.
class Node {
public:
    /// The document and the fault must outlive the node.
    Node(const nlohmann::json& value, std::string pointer, Fault& fault);

    const std::string& pointer() const noexcept { return pointer_; }
    void report(std::string reason, std::string remedy) const;

    /// The value is an object and has no members but these.
    void only(std::initializer_list<std::string_view> known) const;
    bool has(std::string_view key) const;
    Node member(std::string_view key) const;
    /// The items of a list.
    std::vector<Node> items() const;
    /// The items of a list that must have at least one.
    std::vector<Node> some_items() const;

    /// A string that is not empty and neither starts nor ends with a blank.
    std::string text() const;
    /// A name of the form [a-z][a-z0-9_]*.
    std::string identifier() const;
    /// "0x" and one to sixteen hex digits, not zero.
    std::uint64_t bits() const;
    bool truth() const;
    /// The index of the value in the list of spellings; 0 after a fault.
    std::size_t choice(std::initializer_list<std::string_view> spellings) const;

private:
    const nlohmann::json* value_;
    std::string pointer_;
    Fault* fault_;
};

/// Whether the text has the form [a-z][a-z0-9_]*.
bool is_identifier(std::string_view text) noexcept;

}  // namespace opdebug::json_stage

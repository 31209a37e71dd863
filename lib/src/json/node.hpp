// Strict access to a JSON document: every access is checked, and the first fault and its location are kept.
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

    /// Requires an object with no other members.
    void only(std::initializer_list<std::string_view> known) const;
    bool has(std::string_view key) const;
    Node member(std::string_view key) const;
    /// The items of a list.
    std::vector<Node> items() const;
    /// The items of a list with at least one item.
    std::vector<Node> some_items() const;

    /// A non-empty string without leading or trailing blank.
    std::string text() const;
    /// A name of the form [a-z][a-z0-9_]*.
    std::string identifier() const;
    /// "0x" and one to sixteen hex digits, not zero.
    std::uint64_t bits() const;
    bool truth() const;
    /// The index of the value in the list of names; 0 after a fault.
    std::size_t choice(std::initializer_list<std::string_view> spellings) const;

private:
    const nlohmann::json* value_;
    std::string pointer_;
    Fault* fault_;
};

/// Whether the text has the form [a-z][a-z0-9_]*.
bool is_identifier(std::string_view text) noexcept;

}  // namespace opdebug::json_stage

// The two kinds of headers, read slowly from the tables of docs/internals/formats.md: the message DumpData, and the
// TLVs of nano.
#pragma once

#include <string>
#include <vector>

#include "expected_container.hpp"

namespace opdebug::damage {

/// Part of the bytes: where it begins, and the first byte after it.
struct Range {
    std::size_t begin;
    std::size_t end;
    std::size_t size() const { return end - begin; }
};

std::string text_of(const Buffer& bytes, Range range);

/// As strings of protobuf are.
bool is_utf8(const std::string& text);

/// Fields up to its last byte.
bool is_message(const Buffer& bytes, Range range);

/// The first field with bytes in it and this number, among the first eight of the message.
std::optional<Range> early_field(const Buffer& bytes, Range message, std::uint64_t number);

/// Reads the message; false when it is none. Sizes of buffers, then of workspaces, go to `further`. `v1`: tensors'
/// bytes are in the message.
bool read_message(const Buffer& bytes, Range message, bool v1, ExpectedContainer& file,
                  std::vector<std::uint64_t>& further);

/// Reads what is after the length: magic, version and TLVs; false when they are damaged.
bool read_nano(const Buffer& bytes, Range head, ExpectedContainer& file);

}  // namespace opdebug::damage

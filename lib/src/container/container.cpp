#include "container/container.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "bytes/little_endian.hpp"
#include "bytes/packed_form.hpp"
#include "bytes/passed_limit.hpp"
#include "container/forms.hpp"

namespace opdebug::container {
namespace {

/// Most headers of operator dumps have some hundred bytes. Those of operators with hundreds of inputs have tens of
/// thousands. A larger header is read within the limits.
constexpr std::size_t kHeaderGuess = 16U << 10U;
constexpr std::uint64_t kLargeHeader = 256U << 10U;

/// A v1 file begins with field 1, the version string "1.x" or "2.x". As a v2 length these bytes exceed 2^40, so the
/// formats cannot be confused.
bool begins_like_v1(Bytes bytes) noexcept {
    return bytes.size() >= 4 && bytes[0] == 0x0A && bytes[1] < 0x20 && (bytes[2] == '1' || bytes[2] == '2') &&
           bytes[3] == '.';
}

/// Accepts text in any encoding. No encoding in use has a byte 0xFF, but unwritten disk blocks are full of it.
bool looks_like_text(Bytes bytes) noexcept {
    const Bytes start = bytes.slice(0, 64);
    return std::all_of(start.begin(), start.end(), [](std::uint8_t byte) {
        return (byte >= 0x20 && byte != 0x7F && byte != 0xFF) || byte == '\t' || byte == '\n' || byte == '\r';
    });
}

Contents describe(DumpDataMessage& message, Container form) {
    Contents contents;
    contents.form = form;
    contents.version = std::move(message.version);
    contents.dump_time_us = message.dump_time_us;
    contents.op_name = std::move(message.op_name);
    contents.inputs = std::move(message.inputs);
    contents.outputs = std::move(message.outputs);
    return contents;
}

Result<Contents> v1_too_large(std::uint64_t file_size, const Limits& limits) {
    return bytes::limit_error(
        ErrorCode::header_too_large,
        fmt::format("the file has {} bytes (old format, version 1: one message contains all tensors)", file_size),
        limits, &Limits::header_bytes, 0);
}

Result<Contents> read_v1(Bytes bytes, const Limits& limits) {
    Result<DumpDataMessage> message = read_dump_data(bytes, 0, Container::dump_data_v1, limits);
    if (!message) {
        return message.error();
    }
    Contents contents = describe(*message, Container::dump_data_v1);
    contents.data_begin = 0;
    contents.end = message->end;
    contents.rest_fault = std::move(message->rest_fault);
    return contents;
}

/// The error names the real type of a file that is often confused with a dump, or else the fault in its header. A v2
/// length may begin with most of these magics, but only for file sizes that do not exist. A gzip file without a time is
/// an exception: its magic is a length of 547 KiB.
Error refuse_v2(Bytes bytes, const Error& fault) {
    const bool is_no_length = fault.code == ErrorCode::header_length_invalid;
    const std::string_view start = bytes.text();
    const auto packing = bytes::packing_name(start);
    // torch.save writes a zip archive whose first member is NAME/data.pkl.
    constexpr std::size_t kFirstMember = 300;
    if (packing && start.starts_with("PK\x03\x04") && start.substr(0, kFirstMember).find("/data.pkl") != start.npos) {
        return {ErrorCode::not_a_dump,
                "this is a PyTorch .pt file, which is not supported: convert it with torch.load and numpy.save",
                {},
                0};
    }
    if (packing && (is_no_length || start.starts_with("\x1F\x8B\x08"))) {
        return {ErrorCode::not_a_dump, fmt::format("this is {}: unpack it first", *packing), {}, 0};
    }
    if (is_no_length && looks_like_text(bytes)) {
        return {ErrorCode::not_a_dump,
                "this is text, not a dump: no header length, message or nano header was found",
                {},
                0};
    }
    return fault;
}

Result<Contents> read_v2(Bytes bytes, std::uint64_t file_size, const Limits& limits) {
    const Result<std::uint64_t> header_end = header_end_of(bytes, file_size, limits);
    if (!header_end) {
        return refuse_v2(bytes, header_end.error());
    }
    if (*header_end == 8) {
        return Error{ErrorCode::header_empty, "the header length is 0: the header message is missing", {}, 0};
    }
    const Bytes header = bytes.slice(8, static_cast<std::size_t>(*header_end - 8));
    Result<DumpDataMessage> message = read_dump_data(header, 8, Container::dump_data_v2, limits);
    if (!message) {
        return refuse_v2(bytes, message.error());
    }
    Contents contents = describe(*message, Container::dump_data_v2);
    contents.data_begin = *header_end;
    contents.further_sizes = std::move(message->buffer_sizes);
    contents.further_sizes.insert(contents.further_sizes.end(), message->space_sizes.begin(),
                                  message->space_sizes.end());
    place_tensors(contents);
    return contents;
}

}  // namespace

Result<Contents> read_container(Bytes bytes, std::uint64_t file_size, const Limits& limits) {
    if (file_size == 0) {
        return Error{ErrorCode::empty_file, "the file is empty, not a dump", {}, 0};
    }
    if (file_size <= 8 || bytes.size() < 8) {
        return Error{ErrorCode::file_too_short,
                     fmt::format("truncated: the file has only {}, a dump needs more than 8 (header length and header)",
                                 bytes::counted(file_size, "byte")),
                     {},
                     file_size};
    }
    if (is_nano(bytes, file_size)) {
        return read_nano(bytes, file_size, limits);
    }
    if (begins_like_v1(bytes)) {
        const bool is_too_large = bytes.size() < file_size || file_size > limits.header_bytes;
        return is_too_large ? v1_too_large(file_size, limits) : read_v1(bytes, limits);
    }
    return read_v2(bytes, file_size, limits);
}

Result<Contents> read_container(const bytes::FileReader& file, const Limits& limits) {
    // On the stack: nearly every header fits, and allocating a block of this size costs more than reading it.
    std::array<std::uint8_t, kHeaderGuess> start;
    const Result<std::size_t> count = file.read_at(0, start.data(), std::min<std::uint64_t>(start.size(), file.size()));
    if (!count) {
        return count.error();
    }
    Result<Contents> contents = read_container(Bytes(start.data(), *count), file.size(), limits);
    // The length is before the header.
    const std::uint64_t most =
        bytes::checked_add(limits.header_bytes, 8).value_or(std::numeric_limits<std::uint64_t>::max());
    std::uint64_t had = *count;
    for (const std::uint64_t wanted : {kLargeHeader, most}) {
        if (contents || had >= file.size() || had >= wanted) {
            continue;
        }
        const auto again = file.read_at(0, static_cast<std::size_t>(std::min(file.size(), wanted)));
        if (!again) {
            return again.error();
        }
        had = again->size();
        contents = read_container(*again, file.size(), limits);
    }
    return contents;
}

}  // namespace opdebug::container

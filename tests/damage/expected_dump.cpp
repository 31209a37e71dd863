#include "expected_dump.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "expected_record.hpp"

namespace opdebug::damage {
namespace {

using test::Buffer;

bool is_node(const std::string& name) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    return lower == "node_opdebug";
}

bool names_overflow_dump(const ExpectedContainer& file) {
    return is_node(file.op_name) ||
           std::any_of(file.outputs.begin(), file.outputs.end(),
                       [](const ExpectedTensor& output) { return is_node(output.original_op); });
}

/// "What counts as an overflow dump": the header says so, else the name, else the shape of the only output.
bool is_overflow_dump(const ExpectedContainer& file, bool has_name) {
    return names_overflow_dump(file) || has_name ||
           (file.op_name.empty() && file.outputs.size() == 1 && file.outputs[0].size == 2048 &&
            file.outputs[0].data_type == 4);
}

/// The payload of a UINT8 output has as many bytes as its dims multiply to, where that is less than its size.
std::uint64_t payload_size(const ExpectedTensor& output) {
    std::uint64_t product = 1;
    for (const std::uint64_t dim : output.dims) {
        // Beyond any size, or -1 and -2 for dimensions that are not known.
        if (dim == 0 || dim > std::numeric_limits<std::uint64_t>::max() / 2 ||
            product > std::numeric_limits<std::uint64_t>::max() / dim) {
            return output.size;
        }
        product *= dim;
    }
    return output.data_type == 4 && !output.dims.empty() ? std::min(product, output.size) : output.size;
}

/// A dump as far as it is told: lines of records, codes of remarks, whether a fault is among them.
struct Told {
    std::string error;  ///< nothing of it can be decoded
    std::string records;
    std::multiset<std::string> remarks;
    bool overflow = false;
    bool missing = false;
    bool damaged = false;
};

void add_fault(Told& told, const std::string& code) {
    told.remarks.insert(code);
    told.missing = true;
    told.damaged = true;
}

Told outputs_of(const Buffer& bytes, const ExpectedContainer& file, bool has_name, bool appended) {
    Told told;
    if (!is_overflow_dump(file, has_name)) {
        told.error = "not_an_overflow_dump";
        return told;
    }
    std::vector<std::string> faults;
    for (std::size_t i = 0; i < file.outputs.size(); ++i) {
        const std::uint64_t size = payload_size(file.outputs[i]);
        const std::uint64_t offset = file.outputs[i].offset;
        if (size == 0 || offset >= bytes.size()) {
            faults.emplace_back("payload_missing");
            continue;
        }
        const auto count = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(size, bytes.size() - offset));
        const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(offset);
        const ExpectedPayload payload = expected_payload(Buffer(first, first + count), size);
        if (!payload.fault.empty()) {
            faults.push_back(payload.fault);
            continue;
        }
        for (const std::string& record : payload.records) {
            told.records += fmt::format("output {}{} {}\n", i, appended ? " appended" : "", record);
        }
        told.remarks.insert(payload.remarks.begin(), payload.remarks.end());
        told.overflow = told.overflow || payload.overflow;
        told.missing = told.missing || payload.missing;
        told.damaged = told.damaged || payload.remarks.count("payload_truncated") != 0;
    }
    if (told.records.empty()) {
        const bool input_with_bytes = std::any_of(file.inputs.begin(), file.inputs.end(),
                                                  [](const ExpectedTensor& input) { return input.size != 0; });
        told.error = !faults.empty() ? faults.front() : input_with_bytes ? "payload_is_input" : "no_output";
        return told;
    }
    for (const std::string& fault : faults) {
        add_fault(told, fault);
    }
    return told;
}

void add(Told& told, const Told& further) {
    told.records += further.records;
    told.remarks.insert(further.remarks.begin(), further.remarks.end());
    told.overflow = told.overflow || further.overflow;
    told.missing = told.missing || further.missing;
    told.damaged = told.damaged || further.damaged;
}

/// One dump behind the first; false when the bytes are none.
bool add_appended(const Buffer& rest, const ExpectedContainer& file, bool has_name, Told& told) {
    const bool named = names_overflow_dump(file);
    if (!named && file.end > rest.size()) {
        return false;
    }
    const Told further = outputs_of(rest, file, has_name, true);
    if (!further.error.empty() && !named) {
        return false;
    }
    told.remarks.insert("appended_dump");
    if (!further.error.empty()) {
        add_fault(told, further.error);
    } else {
        add(told, further);
    }
    return true;
}

void add_all_appended(const Buffer& bytes, const ExpectedContainer& first, bool has_name, Told& told) {
    if (first.end >= bytes.size()) {
        return;
    }
    auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(first.end);
    std::set<std::string> seen{std::string(bytes.begin(), begin)};
    bool copies = false;
    while (begin != bytes.end()) {
        const Buffer rest(begin, bytes.end());
        const ExpectedContainer file = expected_container(rest);
        if (!file.fault.empty()) {
            break;
        }
        const auto end = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(file.end, rest.size()));
        if (file.end <= rest.size() && !seen.insert(std::string(begin, begin + end)).second) {
            copies = true;
        } else if (!add_appended(rest, file, has_name, told)) {
            break;
        }
        begin += end;
    }
    if (copies) {
        told.remarks.insert("appended_dump");
    }
    if (begin != bytes.end()) {
        told.remarks.insert("trailing_bytes");
    }
}

/// A converter's JSON begins with a brace; in a container zero bytes follow one.
bool begins_like_json(const Buffer& bytes) {
    const std::string text(bytes.begin(),
                           bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(bytes.size(), 100)));
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string::npos && text[first] == '{' && text.substr(first, 8).find('\0') == std::string::npos;
}

std::string verdict(bool overflow, bool missing) {
    return overflow ? "true" : missing ? "null" : "false";
}

/// Codes that tell of damage, of the time, or of bytes that are left over; others explain status words and ids.
const std::set<std::string>& compared_codes() {
    static const std::set<std::string> codes{
        "payload_truncated", "payload_missing",   "record_truncated",   "unit_unknown",        "magic_damaged",
        "payload_size",      "appended_dump",     "trailing_bytes",     "unused_bytes",        "version_unknown",
        "entry_not_valid",   "data_len_mismatch", "reserved_not_zero",  "inferred_entry",      "further_faults",
        "dump_time_differs", "implausible_id",    "kernel_code_marker", "size_overflow",       "header_malformed",
        "no_output",         "payload_is_input",  "nano_malformed",     "not_an_overflow_dump"};
    return codes;
}

}  // namespace

std::string expected_dump(const Buffer& bytes, bool has_name, std::uint64_t name_time) {
    if (begins_like_json(bytes)) {
        return "error converted_json_invalid\n";
    }
    const ExpectedContainer file = expected_container(bytes);
    Told told =
        file.fault.empty() ? outputs_of(bytes, file, has_name, false) : Told{file.fault, "", {}, false, false, false};
    if (!told.error.empty()) {
        return fmt::format("error {}\n", told.error);
    }
    if (has_name && file.time && *file.time != name_time) {
        told.remarks.insert("dump_time_differs");
    }
    add_all_appended(bytes, file, has_name, told);
    const std::optional<std::uint64_t> time = has_name ? name_time : file.time;
    return fmt::format("{} time {} overflow {} damaged {}\n{}remarks {}\n", file.form,
                       time ? fmt::to_string(*time) : "null", verdict(told.overflow, told.missing), told.damaged,
                       told.records, fmt::join(told.remarks, " "));
}

std::string told_dump(const Result<Dump>& dump) {
    if (!dump) {
        return fmt::format("error {}\n", to_string(dump.error().code));
    }
    std::string records;
    for (const DecodedPayload& payload : dump->payloads) {
        for (const Record& record : payload.records) {
            records += fmt::format("output {}{} {}\n", payload.output_index, payload.appended ? " appended" : "",
                                   record_line(record));
        }
    }
    std::multiset<std::string> remarks;
    for (const Diagnostic& remark : dump->diagnostics) {
        if (compared_codes().count(remark.code) != 0) {
            remarks.insert(remark.code);
        }
    }
    const std::optional<bool> overflow = dump->overflow();
    return fmt::format("{} time {} overflow {} damaged {}\n{}remarks {}\n",
                       dump->container ? to_string(*dump->container) : "converted",
                       dump->timestamp_us ? fmt::to_string(*dump->timestamp_us) : "null",
                       overflow ? (*overflow ? "true" : "false") : "null", !dump->complete(), records,
                       fmt::join(remarks, " "));
}

}  // namespace opdebug::damage

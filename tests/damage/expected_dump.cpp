#include "expected_dump.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "expected_begins.hpp"
#include "expected_header.hpp"
#include "expected_record.hpp"

namespace opdebug::damage {
namespace {

using test::Buffer;

/// "What counts as an overflow dump": the header states it, else the name, else the shape of the only output.
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

/// A dump as far as it is reported: lines of records, codes of remarks, whether a fault is among them.
struct Told {
    std::string form;
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

/// What is declared of an output whose payload is whole, against its shape and the bytes.
void compare_sizes(const ExpectedTensor& output, std::uint64_t payload, std::uint64_t bytes, Told& told) {
    const std::uint64_t there = std::min(output.size, bytes - output.offset);
    if (output.declared > there) {
        add_fault(told, "payload_size");
    } else if (payload < output.size || (output.declared != 0 && output.declared != output.size)) {
        told.remarks.insert("payload_size");
    }
}

/// Names, and what follows after the outputs.
void add_faults_of_container(const ExpectedContainer& file, std::uint64_t bytes, Told& told) {
    if (!is_utf8(file.op_name) ||
        std::any_of(file.outputs.begin(), file.outputs.end(),
                    [](const ExpectedTensor& output) { return !is_utf8(output.original_op); })) {
        told.remarks.insert("name_not_utf8");
        told.damaged = true;
    }
    const ExpectedTensor& last = file.outputs.back();
    const bool outputs_there = last.offset <= bytes && last.size <= bytes - last.offset;
    if (file.end > bytes && outputs_there) {
        add_fault(told, "tensors_beyond_file");
    }
    if (file.ends_in_damage) {
        add_fault(told, "header_malformed");
    }
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
        told.damaged = told.damaged || payload.missing || payload.remarks.count("payload_truncated") != 0;
        if (static_cast<std::uint64_t>(count) == size) {
            compare_sizes(file.outputs[i], size, bytes.size(), told);
        }
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
    add_faults_of_container(file, bytes.size(), told);
    return told;
}

void add(Told& told, const Told& further) {
    told.records += further.records;
    told.remarks.insert(further.remarks.begin(), further.remarks.end());
    told.overflow = told.overflow || further.overflow;
    told.missing = told.missing || further.missing;
    told.damaged = told.damaged || further.damaged;
}

/// A dump's own bytes, of those up to the next dump.
std::size_t size_of(const ExpectedContainer& file, std::size_t there) {
    return file.ends_in_damage ? there : static_cast<std::size_t>(std::min<std::uint64_t>(file.end, there));
}

/// One dump after the first; false when the bytes are none.
bool add_appended(const Buffer& rest, const ExpectedContainer& file, bool has_name, Told& told) {
    if (!file.fault.empty()) {
        if (!begins_like_dump(rest)) {
            return false;
        }
        told.remarks.insert("appended_dump");
        add_fault(told, file.fault);
        return true;
    }
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
        told.form = told.form.empty() ? file.form : told.form;
    }
    return true;
}

/// `end`: where the first dump ends.
void add_all_appended(const Buffer& bytes, std::size_t end, const std::vector<std::size_t>& begins, bool has_name,
                      Told& told) {
    const auto text = [&](std::size_t from, std::size_t to) {
        return std::string(bytes.begin() + static_cast<std::ptrdiff_t>(from),
                           bytes.begin() + static_cast<std::ptrdiff_t>(to));
    };
    std::set<std::string> seen{text(0, end)};
    bool copies = false, others = false;
    while (end != bytes.size()) {
        const std::size_t begin = end;
        const std::size_t next = *std::upper_bound(begins.begin(), begins.end(), begin);
        const Buffer rest(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                          bytes.begin() + static_cast<std::ptrdiff_t>(next));
        const ExpectedContainer file = expected_container(rest);
        end = file.fault.empty() ? begin + size_of(file, rest.size()) : next;
        if (file.fault.empty() && !seen.insert(text(begin, end)).second) {
            copies = true;
        } else if (!add_appended(rest, file, has_name, told)) {
            others = true;
            end = next;
        }
    }
    if (copies) {
        told.remarks.insert("appended_dump");
    }
    if (others) {
        told.remarks.insert("trailing_bytes");
    }
}

/// A converter's JSON begins with a brace, possibly after a byte order mark; in a container zero bytes follow one.
bool begins_like_json(const Buffer& bytes) {
    std::string text(bytes.begin(),
                     bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(bytes.size(), 100)));
    if (text.rfind("\xEF\xBB\xBF", 0) == 0) {
        text.erase(0, 3);
    }
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string::npos && text[first] == '{' && text.substr(first, 8).find('\0') == std::string::npos;
}

std::string verdict(bool overflow, bool missing) {
    return overflow ? "true" : missing ? "null" : "false";
}

/// Codes that report damage, of the time, or of bytes that are left over; others explain status words and ids.
const std::set<std::string>& compared_codes() {
    static const std::set<std::string> codes{"payload_truncated", "payload_missing",       "record_truncated",
                                             "unit_unknown",      "magic_damaged",         "payload_size",
                                             "appended_dump",     "trailing_bytes",        "unused_bytes",
                                             "version_unknown",   "entry_not_valid",       "data_len_mismatch",
                                             "reserved_not_zero", "inferred_entry",        "further_faults",
                                             "dump_time_differs", "implausible_id",        "kernel_code_marker",
                                             "size_overflow",     "header_malformed",      "no_output",
                                             "payload_is_input",  "nano_malformed",        "not_an_overflow_dump",
                                             "header_truncated",  "header_empty",          "file_too_short",
                                             "not_a_dump",        "header_length_invalid", "name_not_utf8",
                                             "empty_file",        "header_too_large",      "tensors_beyond_file",
                                             "entry_cut",         "entry_left_out"};
    return codes;
}

}  // namespace

std::string expected_dump(const Buffer& bytes, bool has_name, std::uint64_t name_time) {
    if (begins_like_json(bytes)) {
        return "error converted_json_invalid\n";
    }
    const std::vector<std::size_t> begins = expected_begins(bytes);
    const Buffer first(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(begins.front()));
    const ExpectedContainer file = expected_container(first);
    Told told;
    if (file.fault.empty()) {
        told = outputs_of(first, file, has_name, false);
    } else {
        told.error = file.fault;
    }
    const bool has_header = file.fault.empty() || file.fault == "size_overflow";
    told.form = has_header ? file.form : "";
    const std::string error = told.error;
    if (!error.empty()) {
        add_fault(told, error);
    }
    if (has_header && has_name && file.time && *file.time != name_time) {
        told.remarks.insert("dump_time_differs");
    }
    add_all_appended(bytes, error.empty() ? size_of(file, first.size()) : first.size(), begins, has_name, told);
    if (!error.empty() && told.records.empty()) {
        return fmt::format("error {}\n", error);
    }
    const std::optional<std::uint64_t> time = has_name ? name_time : has_header ? file.time : std::nullopt;
    return fmt::format("{} time {} overflow {} damaged {}\n{}remarks {}\n", told.form,
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

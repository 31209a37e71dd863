// Contradictions inside one register description: ids, masks, values, references.
#include "status/catalogue_check.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "json/node.hpp"

namespace opdebug::status {

using json_stage::Fault;
using json_stage::is_identifier;

namespace {

std::string entry_place(std::size_t index, const CauseDefinition& entry) {
    return fmt::format("/entries/{} ({})", index, entry.id);
}

bool is_contiguous(std::uint64_t mask) noexcept {
    const std::uint64_t shifted = mask >> std::countr_zero(mask);
    return (shifted & (shifted + 1)) == 0;
}

void check_codes(const Register& description, Fault& fault) {
    std::uint64_t taken = 0;
    for (std::size_t i = 0; i < description.codes.size(); ++i) {
        const std::uint64_t mask = description.codes[i].mask;
        const std::string place = fmt::format("/codes/{}/mask", i);
        if (std::popcount(mask) < 2 || !is_contiguous(mask)) {
            fault.report(place, fmt::format("{:#x} is not a group of two or more neighbouring bits", mask),
                         "name all bits of the group without a gap; describe a single bit by an entry alone");
        }
        if ((taken & mask) != 0) {
            fault.report(place, fmt::format("bits {:#x} belong to an earlier code too", taken & mask),
                         "make the groups of bits disjoint");
        }
        taken |= mask;
    }
}

/// An entry is a single bit, or one number of a code.
void check_entry(const Register& description, std::size_t index, Fault& fault) {
    const CauseDefinition& entry = *description.entries[index];
    const std::string place = entry_place(index, entry);
    if (!entry.id.starts_with(description.name + ".") ||
        !is_identifier(std::string_view(entry.id).substr(std::min(entry.id.size(), description.name.size() + 1)))) {
        fault.report(place, fmt::format("the id does not have the form {}.name", description.name),
                     "begin the id with the register's name and a dot, then a-z, 0-9 and _");
    }
    if ((entry.value & ~entry.mask) != 0) {
        fault.report(place, fmt::format("the value {:#x} has bits outside the mask {:#x}", entry.value, entry.mask),
                     "correct the mask or the value");
    }
    const bool is_code = std::any_of(description.codes.begin(), description.codes.end(),
                                     [&](const CodeField& code) { return code.mask == entry.mask; });
    if (!is_code && std::popcount(entry.mask) > 1) {
        fault.report(place, fmt::format("the mask {:#x} has several bits and is not listed in \"codes\"", entry.mask),
                     "list the group of bits in \"codes\", or name one bit per entry");
    }
    for (const CodeField& code : description.codes) {
        if (code.mask != entry.mask && (code.mask & entry.mask) != 0) {
            fault.report(place, fmt::format("the mask {:#x} overlaps the code {:#x}", entry.mask, code.mask),
                         "a bit is either a flag or part of one code");
        }
    }
}

void check_against_earlier(const Register& description, std::size_t index, Fault& fault) {
    const CauseDefinition& entry = *description.entries[index];
    for (std::size_t i = 0; i < index; ++i) {
        const CauseDefinition& earlier = *description.entries[i];
        if (entry.id == earlier.id) {
            fault.report(entry_place(index, entry), fmt::format("the id is already that of /entries/{}", i),
                         "give each entry its own id");
        }
        if (entry.mask == earlier.mask && entry.value == earlier.value) {
            fault.report(entry_place(index, entry), fmt::format("the same bits already mean {}", earlier.id),
                         "keep one of the two entries");
        }
    }
}

void check_remark(const Register& description, std::size_t index, Fault& fault) {
    const Remark& remark = description.remarks[index];
    for (const Unit unit : remark.units) {
        if (std::find(description.units.begin(), description.units.end(), unit) == description.units.end()) {
            fault.report(fmt::format("/remarks/{}/units", index),
                         fmt::format("unit \"{}\" is not one of this register", unit_key(unit)),
                         "name only units of the file's own \"units\"");
        }
    }
    for (const std::string& id : remark.causes) {
        if (std::none_of(description.entries.begin(), description.entries.end(),
                         [&](const auto& entry) { return entry->id == id; })) {
            fault.report(fmt::format("/remarks/{}/causes", index), fmt::format("no entry has the id \"{}\"", id),
                         "name ids of this file");
        }
    }
}

}  // namespace

void check_register(const Register& description, Fault& fault) {
    check_codes(description, fault);
    for (std::size_t i = 0; i < description.entries.size(); ++i) {
        check_entry(description, i, fault);
        check_against_earlier(description, i, fault);
    }
    for (std::size_t i = 0; i < description.remarks.size(); ++i) {
        check_remark(description, i, fault);
    }
}

}  // namespace opdebug::status

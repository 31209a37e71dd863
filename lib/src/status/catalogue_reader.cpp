// Strict parsing of one catalogue file, including contradictions inside it. File format: docs/guides/own-formats.md.
#include "status/catalogue_reader.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "json/document.hpp"
#include "json/node.hpp"
#include "status/catalogue.hpp"
#include "status/localized_text.hpp"

namespace opdebug::status {
namespace {

using json_stage::Fault;
using json_stage::is_identifier;

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

/// An entry is a single bit or one number of a code.
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

/// Checks ids, masks and values against each other. Parts must be in file order, because messages name them by index.
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

using json_stage::Fault;
using json_stage::Node;
using json_stage::parse_document;

constexpr std::string_view kSchema = "opdebug.status_catalogue/1";

std::vector<Unit> read_units(const Node& list) {
    std::vector<Unit> units;
    for (const Node& item : list.some_items()) {
        const std::string key = item.text();
        const std::optional<Unit> unit = unit_from_key(key);
        if (!unit) {
            item.report(fmt::format("unit \"{}\" is not known", key),
                        "write one of ai-core, dha-atomic, l2-atomic, aic, aiv, aicpu, sdma");
            break;
        }
        if (std::find(units.begin(), units.end(), *unit) != units.end()) {
            item.report(fmt::format("unit \"{}\" stands twice in the list", key), "remove one of them");
        }
        units.push_back(*unit);
    }
    return units;
}

/// The ids of the documents for references. The other members of a document are for readers; only their presence is
/// checked.
std::set<std::string> read_documents(const Node& list) {
    std::set<std::string> ids;
    for (const Node& item : list.some_items()) {
        item.only({"id", "title", "covers", "source"});
        if (!ids.insert(item.member("id").identifier()).second) {
            item.member("id").report("the id is already that of another document", "give each document its own id");
        }
        for (const std::string_view key : {"title", "covers", "source"}) {
            item.member(key).text();
        }
    }
    return ids;
}

/// The first part in braces (or the lone brace) that is not in `allowed`, with its braces.

std::optional<std::string> unknown_placeholder(std::string_view message,
                                               std::initializer_list<std::string_view> allowed) {
    while (true) {
        const std::size_t brace = message.find_first_of("{}");
        if (brace == std::string_view::npos) {
            return std::nullopt;
        }
        const std::size_t close = message.find('}', brace);
        if (message[brace] == '}' || close == std::string_view::npos) {
            return std::string(1, message[brace]);
        }
        const std::string_view name = message.substr(brace + 1, close - brace - 1);
        if (std::find(allowed.begin(), allowed.end(), name) == allowed.end()) {
            return std::string(message.substr(brace, close - brace + 1));
        }
        message.remove_prefix(close + 1);
    }
}

RemarkText read_remark_text(const Node& node, std::initializer_list<std::string_view> placeholders) {
    RemarkText text;
    text.severity = std::array{Severity::info, Severity::warning}[node.member("severity").choice({"info", "warning"})];
    text.code = node.member("code").identifier();
    text.message = {node.member("message").text(), node.has("message_zh") ? node.member("message_zh").text() : ""};
    for (const char* const member : {"message", "message_zh"}) {
        if (const auto unknown = unknown_placeholder(
                text.message.in(member == std::string_view("message") ? Language::english : Language::chinese),
                placeholders)) {
            node.member(member).report(
                fmt::format("\"{}\" is not a placeholder here", *unknown),
                fmt::format("write one of {{{}}} and no other braces", fmt::join(placeholders, "}, {")));
        }
    }
    return text;
}

CodeField read_code(const Node& node) {
    node.only({"mask", "unknown", "zero"});
    CodeField code;
    code.mask = node.member("mask").bits();
    node.member("unknown").only({"severity", "code", "message", "message_zh"});
    code.unknown = read_remark_text(node.member("unknown"), {"status", "status_hex", "code", "code_hex"});
    node.member("zero").only({"severity", "code", "message", "message_zh"});
    code.zero = read_remark_text(node.member("zero"), {"status", "status_hex"});
    return code;
}

std::shared_ptr<const CauseDefinition> read_entry(const Node& node, const std::set<std::string>& documents) {
    node.only({"id", "mask", "value", "kind", "documents", "name", "text", "advice", "brief", "next", "source"});
    auto entry = std::make_shared<CauseDefinition>();
    entry->id = node.member("id").text();
    entry->mask = node.member("mask").bits();
    entry->value = node.member("value").bits();
    entry->kind =
        std::array{CauseKind::overflow, CauseKind::underflow,
                   CauseKind::nan_operand}[node.member("kind").choice({"overflow", "underflow", "nan_operand"})];
    for (const Node& item : node.member("documents").some_items()) {
        const std::string id = item.text();
        if (!documents.contains(id)) {
            item.report(fmt::format("no document has the id \"{}\"", id), "describe it in the file's \"documents\"");
        }
    }
    entry->name = read_localized(node.member("name"));
    entry->text = read_localized(node.member("text"));
    entry->advice = read_localized(node.member("advice"));
    if (node.has("brief")) {
        entry->brief = read_localized(node.member("brief"));
    }
    if (node.has("next")) {
        entry->next = read_localized(node.member("next"));
    }
    entry->source = node.member("source").text();
    return entry;
}

Remark read_remark(const Node& node, const std::vector<Unit>& all_units) {
    node.only({"when", "units", "causes", "severity", "code", "message", "message_zh"});
    Remark remark;
    remark.when = std::array{
        When::nonzero, When::named, When::not_overflow, When::four_words,
        When::causes}[node.member("when").choice({"nonzero", "named", "not_overflow", "four_words", "causes"})];
    remark.units = node.has("units") ? read_units(node.member("units")) : all_units;
    if (remark.when == When::causes) {
        for (const Node& item : node.member("causes").some_items()) {
            remark.causes.push_back(item.text());
        }
    } else if (node.has("causes")) {
        node.member("causes").report("only a remark with \"when\": \"causes\" lists causes",
                                     "remove the list or correct \"when\"");
    }
    remark.text = read_remark_text(node, {"status", "status_hex", "bits"});
    return remark;
}

Register read_description(const Node& root) {
    Register description;
    root.only({"schema", "register", "units", "documents", "codes", "entries", "remarks"});
    root.member("schema").choice({kSchema});
    description.name = root.member("register").identifier();
    description.units = read_units(root.member("units"));
    const std::set<std::string> documents = read_documents(root.member("documents"));
    for (const Node& item : root.member("codes").items()) {
        description.codes.push_back(read_code(item));
    }
    for (const Node& item : root.member("entries").items()) {
        description.entries.push_back(read_entry(item, documents));
    }
    for (const Node& item : root.member("remarks").items()) {
        description.remarks.push_back(read_remark(item, description.units));
    }
    return description;
}

}  // namespace

Error catalogue_error(std::string_view file, std::string_view place, std::string_view reason, std::string_view remedy) {
    std::string message = "The status catalogue";
    if (!place.empty()) {
        message += fmt::format(" is invalid at {}", place);
    } else {
        message += " is invalid";
    }
    message += fmt::format(": {}; {}.", reason, remedy);
    return {ErrorCode::catalogue_invalid, std::move(message), std::string(file), std::nullopt};
}

Result<Register> read_register(const NamedText& file, const Limits& limits) {
    Fault fault;
    const nlohmann::json document = parse_document(file.text, fault, nullptr, limits);
    Register description = read_description(Node(document, "", fault));
    if (!fault.found()) {
        check_register(description, fault);
    }
    if (fault.found()) {
        Error error = catalogue_error(file.name, fault.place, fault.reason, fault.remedy);
        error.code = fault.passed_limit.value_or(error.code);
        return error;
    }
    const auto low_bit_first = [](const auto& left, const auto& right) {
        return std::countr_zero(left->mask) < std::countr_zero(right->mask);
    };
    std::stable_sort(description.entries.begin(), description.entries.end(), low_bit_first);
    std::sort(description.codes.begin(), description.codes.end(),
              [](const CodeField& left, const CodeField& right) { return left.mask < right.mask; });
    return description;
}

}  // namespace opdebug::status

// The tensors of both sides, and their pairs.
#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

#include <opdebug/tree.hpp>

#include "container/shape.hpp"
#include "difference/difference.hpp"
#include "remarks/diagnose.hpp"
#include "tensor/element_type.hpp"
#include "tree/name.hpp"

namespace opdebug::difference {
namespace {

namespace fs = std::filesystem;
using remarks::phrase;

/// Tensors of one path.
struct Side {
    std::vector<NamedTensor> tensors;
    bool is_folder = false;
};

/// The folders of a file below `root` without those of times, which differ from run to run.
std::string group_of(const std::string& file, const std::string& root) {
    constexpr std::size_t kTimeDigits = 14;
    std::string group;
    for (const fs::path& part : fs::path(file).lexically_relative(root).parent_path()) {
        const std::string name = part.string();
        if (name.size() != kTimeDigits || name.find_first_not_of("0123456789") != std::string::npos) {
            group += name + '/';
        }
    }
    return group;
}

void add_dump(const OpDump& dump, const std::string& group, const std::optional<Slot>& slot, Side& side) {
    for (const DumpedTensor& tensor : dump.tensors) {
        if (!slot || (slot->kind == tensor.kind && slot->index == tensor.index)) {
            side.tensors.push_back({dump.file, dump.op_name, group, tensor});
        }
    }
}

/// Error: interrupted. Other errors are failures of the comparison.
Result<Side> read_side(const std::string& path, const std::optional<Slot>& slot, const CompareOptions& options,
                       Comparison& comparison) {
    Side side;
    const Result<FoundDumps> found = find_op_dumps(path, options.limits);
    if (!found) {
        comparison.failures.push_back(found.error());
        comparison.found_both = false;
        return side;
    }
    comparison.failures.insert(comparison.failures.end(), found->failures.begin(), found->failures.end());
    side.is_folder = found->files.size() != 1 || found->files.front() != path;
    OpDumpOptions reading;
    reading.stop = options.stop;
    reading.limits = options.limits;
    for (const std::string& file : found->files) {
        const Result<OpDump> dump = measure_op_dump(file, reading);
        if (dump) {
            add_dump(*dump, group_of(file, path), slot, side);
        } else if (dump.error().code == ErrorCode::interrupted) {
            return dump.error();
        } else {
            comparison.failures.push_back(dump.error());
        }
    }
    return side;
}

/// Group, operator or file name, kind, index, and which of the dumps with these. Two files have one operator, whatever
/// its names.
using Key = std::tuple<std::string, std::string, TensorKind, std::uint64_t, std::size_t>;

std::map<Key, const NamedTensor*> by_key(const Side& side, bool with_names) {
    const auto time_of = [](const NamedTensor* one) {
        const auto name = parse_dump_name(file_name_of(one->file));
        return name && name->timestamp_us ? *name->timestamp_us : 0;
    };
    std::vector<const NamedTensor*> ordered;
    ordered.reserve(side.tensors.size());
    for (const NamedTensor& one : side.tensors) {
        ordered.push_back(&one);
    }
    std::stable_sort(ordered.begin(), ordered.end(),
                     [&](const NamedTensor* a, const NamedTensor* b) { return time_of(a) < time_of(b); });
    std::map<Key, const NamedTensor*> keys;
    std::map<Key, std::size_t> counts;
    for (const NamedTensor* const one : ordered) {
        // Names of files spell / of operators as _.
        std::string name = !with_names            ? std::string()
                           : one->op_name.empty() ? std::string(file_name_of(one->file))
                                                  : one->op_name;
        std::replace(name.begin(), name.end(), '/', '_');
        Key key{one->group, std::move(name), one->tensor.kind, one->tensor.index, 0};
        std::get<4>(key) = counts[key]++;
        keys.emplace(std::move(key), one);
    }
    return keys;
}

Finding not_comparable(LocalizedText because) {
    return {Verdict::not_comparable, Strength::none, std::move(because)};
}

std::string shape_text(const NamedTensor& one) {
    return container::python_shape(one.tensor.shape);
}

bool is_complete(const NamedTensor& one) {
    return container::elements_of_shape(one.tensor.shape) == one.tensor.elements &&
           std::none_of(one.tensor.diagnostics.begin(), one.tensor.diagnostics.end(),
                        [](const Diagnostic& remark) { return remark.severity == Severity::error; });
}

/// Why two tensors cannot be compared; empty: they can.
std::optional<LocalizedText> obstacle(const NamedTensor& a, const NamedTensor& b) {
    if (a.tensor.dtype != b.tensor.dtype) {
        return phrase("difference_types", {{"a", a.tensor.dtype}, {"b", b.tensor.dtype}});
    }
    if (a.tensor.shape != b.tensor.shape) {
        return phrase("difference_shapes", {{"a", shape_text(a)}, {"b", shape_text(b)}});
    }
    const tensor_stage::ElementType* const type = tensor_stage::element_type(a.tensor.dtype);
    if (type == nullptr || type->encoding == tensor_stage::Encoding::none) {
        return phrase("difference_no_numbers", {{"type", a.tensor.dtype}});
    }
    for (const NamedTensor* const one : {&a, &b}) {
        if (!is_complete(*one)) {
            return phrase("difference_incomplete", {{"file", one->file}});
        }
    }
    if (a.tensor.fortran_order != b.tensor.fortran_order || a.tensor.byte_each != b.tensor.byte_each) {
        return phrase("difference_layout");
    }
    return std::nullopt;
}

std::optional<Error> add_pair(const NamedTensor& a, const NamedTensor& b, const CompareOptions& options,
                              Comparison& comparison) {
    Result<Difference> difference = compare_tensors(a, b, options.stop);
    if (!difference) {
        return difference.error();
    }
    comparison.pairs.push_back(std::move(difference).value());
    return std::nullopt;
}

std::optional<Error> add_pairs(const Side& a, const Side& b, const CompareOptions& options, Comparison& comparison) {
    const bool with_names = a.is_folder || b.is_folder;
    const auto tensors_a = by_key(a, with_names), tensors_b = by_key(b, with_names);
    const auto lone = phrase("difference_lone");
    for (const auto& [key, one] : tensors_a) {
        const auto other = tensors_b.find(key);
        if (other == tensors_b.end()) {
            comparison.pairs.push_back({*one, {}, {}, not_comparable(lone)});
        } else if (auto error = add_pair(*one, *other->second, options, comparison)) {
            return error;
        }
    }
    for (const auto& [key, one] : tensors_b) {
        if (tensors_a.find(key) == tensors_a.end()) {
            comparison.pairs.push_back({{}, *one, {}, not_comparable(lone)});
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<Slot> parse_slot(std::string_view text) {
    const std::size_t dot = text.find('.');
    const std::string_view kind = text.substr(0, dot);
    const auto index = dot == std::string_view::npos ? std::nullopt : tree::parse_number(text.substr(dot + 1));
    if (!index || (kind != "input" && kind != "output")) {
        return std::nullopt;
    }
    return Slot{kind == "input" ? TensorKind::input : TensorKind::output, *index};
}

Result<Difference> compare_tensors(const NamedTensor& a, const NamedTensor& b, const std::function<bool()>& stop) {
    Difference difference{a, b, {}, {}};
    if (auto why = obstacle(a, b)) {
        difference.finding = not_comparable(std::move(*why));
        return difference;
    }
    Result<Measures> measures = measure(a, b, stop);
    if (!measures && measures.error().code == ErrorCode::interrupted) {
        return measures.error();
    }
    if (!measures) {
        difference.finding = not_comparable(remarks::text_of(measures.error()));
        return difference;
    }
    difference.finding = judge(*measures);
    difference.measures = std::move(measures).value();
    return difference;
}

Result<Comparison> compare_dumps(const std::string& a, const std::string& b, const CompareOptions& options) {
    Comparison comparison;
    Result<Side> side_a = read_side(a, options.slot_a, options, comparison);
    if (!side_a) {
        return side_a.error();
    }
    Result<Side> side_b = read_side(b, options.slot_b, options, comparison);
    if (!side_b) {
        return side_b.error();
    }
    std::optional<Error> error;
    if (side_a->is_folder || side_b->is_folder) {
        error = add_pairs(*side_a, *side_b, options, comparison);
    } else if (side_a->tensors.size() == 1 && side_b->tensors.size() == 1) {
        error = add_pair(side_a->tensors.front(), side_b->tensors.front(), options, comparison);
    } else if (side_a->tensors.size() > 1 && side_b->tensors.size() > 1) {
        error = add_pairs(*side_a, *side_b, options, comparison);
    } else {
        comparison.slot_needed = comparison.failures.empty();
    }
    if (error) {
        return *std::move(error);
    }
    return comparison;
}

}  // namespace opdebug::difference

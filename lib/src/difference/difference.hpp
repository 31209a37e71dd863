// How two dumps of one tensor differ, and whether it looks like overwritten memory.
//
//   paths ─► tensors of both sides (pairs) ─► measures of each pair (measures) ─► verdict with its rule (verdicts)
//
// The numbers of the rules are in lib/data/difference/rules.json.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/result.hpp>
#include <opdebug/tensor.hpp>

namespace opdebug::difference {

/// A tensor of a dump.
struct NamedTensor {
    std::string file;     ///< as given
    std::string op_name;  ///< empty: unknown
    std::string group;    ///< folders below the given one, without those of times: rank, step, model and so on
    DumpedTensor tensor;
};

/// Rows or columns. A row is a run of elements along the dimension that changes fastest in the file.
struct Lines {
    std::uint64_t count = 0, length = 0;
    std::uint64_t whole = 0, untouched = 0;  ///< at least 95 % of the elements differ; none differs
    std::uint64_t differ_in_whole = 0;       ///< differing elements of whole lines
};

/// Elements are compared by their bits. Positions are those of the file.
struct Measures {
    std::uint64_t elements = 0, differ = 0;
    std::uint64_t values_differ = 0;  ///< without equal zeros of different sign and different codes of NaN
    std::uint64_t first = 0, last = 0;
    std::uint64_t runs = 0, longest_run = 0;
    std::uint64_t longest_gap = 0;  ///< identical elements between two runs
    std::uint64_t nan_only_a = 0, inf_only_a = 0, nan_only_b = 0, inf_only_b = 0;
    std::uint64_t one_bit = 0;                   ///< elements that differ in exactly one bit
    std::uint64_t scaled = 0;                    ///< elements that differ by the factor -1, 2 or 1/2
    std::vector<std::uint64_t> bits;             ///< differing elements by bit, the lowest first
    unsigned element_bits = 0;                   ///< distance of elements in the file
    Lines rows;                                  ///< one row: a tensor with one dimension
    std::optional<Lines> columns;                ///< if there are several rows
    std::optional<std::uint64_t> period;         ///< all runs have equal length and this distance
    std::optional<double> median_rel;            ///< median of |a - b| / max(|a|, |b|) of finite values
    std::optional<double> largest;               ///< the largest |a - b| of finite values
    std::optional<std::uint64_t> median_ulps;    ///< at most kMostUlps; empty: no floating-point type
    std::optional<std::uint64_t> rounding_ulps;  ///< up to this, a difference may be rounding
    std::uint64_t rounding = 0;                  ///< elements that differ by at most `rounding_ulps`

    std::uint64_t span() const noexcept { return differ == 0 ? 0 : last - first + 1; }
    /// Offset in bytes of an element.
    std::uint64_t byte_of(std::uint64_t element) const noexcept { return element * element_bits / 8; }
};
constexpr std::uint64_t kMostUlps = 64;

/// In the order of weight: the first one that fits.
enum class Verdict : std::uint8_t {
    identical,
    not_comparable,
    bit_flips,
    region_overwritten,
    rows_overwritten,
    columns_overwritten,
    periodic_pattern,
    tail_differs,
    noise,
    everything_differs,
    scattered
};
std::string_view to_string(Verdict verdict) noexcept;

enum class Strength : std::uint8_t { none, weak, strong };

struct Finding {
    Verdict verdict = Verdict::scattered;
    Strength strength = Strength::none;
    LocalizedText because;

    /// Whether an overwrite is likely. Weak verdicts only describe the shape of the difference.
    bool is_overwrite() const noexcept {
        return verdict == Verdict::region_overwritten && strength == Strength::strong;
    }
};

/// A: the suspect; b: the trusted tensor. One of them is empty if the other has no partner.
struct Difference {
    std::optional<NamedTensor> a, b;
    std::optional<Measures> measures;  ///< empty: not_comparable
    Finding finding;
};

/// The tensors to choose on both sides; empty: all.
struct Slot {
    TensorKind kind = TensorKind::output;
    std::uint64_t index = 0;
};
/// "output.0". Empty for other texts.
std::optional<Slot> parse_slot(std::string_view text);

struct CompareOptions {
    std::optional<Slot> slot_a, slot_b;
    std::function<bool()> stop;
    Limits limits;
};

struct Comparison {
    std::vector<Difference> pairs;
    std::vector<Error> failures;  ///< unreadable files and folders
    bool found_both = true;       ///< both paths exist
    bool slot_needed = false;     ///< one tensor against several: --slot must choose
};

/// Compares two dumps, or all dumps below two folders: by folder, operator, kind and index, in the order of their
/// times. Folders without dumps: all their .npy files. Error: interrupted.
Result<Comparison> compare_dumps(const std::string& a, const std::string& b, const CompareOptions& options);

/// Compares two tensors. Unreadable: not_comparable. Error: interrupted.
Result<Difference> compare_tensors(const NamedTensor& a, const NamedTensor& b, const std::function<bool()>& stop);

/// Measures the bytes of two tensors of the same type and shape. Errors: those of reading; interrupted.
Result<Measures> measure(const NamedTensor& a, const NamedTensor& b, const std::function<bool()>& stop);

Finding judge(const Measures& all);

/// A number of rules.json.
std::uint64_t rule(std::string_view name);

}  // namespace opdebug::difference

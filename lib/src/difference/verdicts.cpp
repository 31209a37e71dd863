// Verdicts on the measures of two tensors: lib/data/difference/rules.json has the numbers.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "difference/difference.hpp"
#include "embedded/difference_data.hpp"
#include "json/document.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::difference {
namespace {

using remarks::phrase;

/// "99.95": without zeros at the end.
std::string percent(std::uint64_t part, std::uint64_t whole) {
    const double share = whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    std::string text = fmt::format("{:.2f}", share);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') {
        text.pop_back();
    }
    return text;
}

bool is_share(std::uint64_t part, std::uint64_t whole, std::string_view least) {
    return whole != 0 && static_cast<double>(part) * 100 >= static_cast<double>(whole * rule(least));
}

Strength strength(bool is_strong) {
    return is_strong ? Strength::strong : Strength::weak;
}

std::optional<Finding> bit_flips(const Measures& all) {
    if (all.differ > rule("flipped_elements") || all.one_bit != all.differ) {
        return std::nullopt;
    }
    std::string places;
    for (std::size_t bit = 0; bit < all.bits.size(); ++bit) {
        if (all.bits[bit] != 0) {
            places += fmt::format("{}{}", places.empty() ? "" : ", ", bit);
        }
    }
    // Rounding, another sign, a factor of 2, counters and other numbers in a short tensor differ in one bit, too.
    const bool is_strong = all.rounding_ulps && all.rounding == 0 && all.values_differ == all.differ &&
                           all.scaled == 0 && all.elements > rule("flipped_elements");
    return Finding{
        Verdict::bit_flips, strength(is_strong),
        phrase(is_strong ? "difference_bits" : "difference_bits_weak", {{"count", all.differ}, {"bits", places}})};
}

/// Values that do not belong there: NaN and Inf, or far from those of b.
bool has_foreign_values(const Measures& all) {
    const bool is_far = all.median_rel && *all.median_rel * 100 >= static_cast<double>(rule("foreign_percent"));
    return (all.nan_only_a + all.inf_only_a) * 2 >= all.differ || (is_far && all.rounding * 2 < all.differ);
}

/// One region: dense, without an identical block inside, and identical elements outside.
bool is_one_region(const Measures& all) {
    return is_share(all.differ, all.span(), "inside_percent") && all.byte_of(all.span()) >= rule("block_bytes") &&
           all.byte_of(all.longest_gap) < rule("block_bytes") &&
           is_share(all.elements - all.span(), all.elements, "untouched_percent");
}

std::optional<Finding> region(const Measures& all) {
    const std::uint64_t begin = all.byte_of(all.first), end = all.byte_of(all.last + 1);
    const std::uint64_t block = rule("block_bytes"), unit = rule("unit_bytes");
    if (!is_one_region(all) || all.last + 1 == all.elements || begin % block != 0 || end % block != 0) {
        return std::nullopt;
    }
    // Other input differs in whole rows, too. NaN in a flat tensor of parameters can be rows of one parameter.
    const bool are_rows = all.first % all.rows.length == 0 && (all.last + 1) % all.rows.length == 0;
    const bool is_regular = begin % unit == 0 && end % unit == 0;
    const std::string_view id = !is_regular                                     ? "difference_region_block"
                                : are_rows                                      ? "difference_region_rows"
                                : all.nan_only_a + all.inf_only_a == all.differ ? "difference_region_nan"
                                                                                : "difference_region";
    return Finding{Verdict::region_overwritten, strength(id == "difference_region"),
                   phrase(id, {{"begin", begin}, {"end", end}, {"block", block}, {"unit", unit}})};
}

std::optional<Finding> lines(const Measures& all, const Lines& found, Verdict verdict, std::string_view text) {
    const std::uint64_t outside = all.elements - found.whole * found.length;
    const std::uint64_t differ_outside = all.differ - found.differ_in_whole;
    if (found.whole == 0 || found.count < 2 || found.length < rule("smallest_line") ||
        !is_share(outside, all.elements, "untouched_percent") ||
        !is_share(outside - differ_outside, outside, "others_identical_percent")) {
        return std::nullopt;
    }
    return Finding{verdict, Strength::weak,
                   phrase(text, {{"whole", found.whole},
                                 {"count", found.count},
                                 {"identical", percent(outside - differ_outside, outside)}})};
}

std::optional<Finding> periodic(const Measures& all) {
    if (!all.period || all.runs < rule("periodic_runs")) {
        return std::nullopt;
    }
    return Finding{
        Verdict::periodic_pattern, Strength::weak,
        phrase("difference_periodic", {{"runs", all.runs}, {"length", all.longest_run}, {"period", *all.period}})};
}

std::optional<Finding> tail(const Measures& all) {
    if (!is_one_region(all) || all.last + 1 != all.elements) {
        return std::nullopt;
    }
    return Finding{Verdict::tail_differs, Strength::weak, phrase("difference_tail", {{"first", all.first}})};
}

/// Foreign values in a shape.
std::optional<Finding> overwrite(const Measures& all) {
    if (!has_foreign_values(all)) {
        return std::nullopt;
    }
    std::optional<Finding> found = region(all);
    found = found ? found : lines(all, all.rows, Verdict::rows_overwritten, "difference_rows");
    if (!found && all.columns) {
        found = lines(all, *all.columns, Verdict::columns_overwritten, "difference_columns");
    }
    found = found ? found : periodic(all);
    return found ? found : tail(all);
}

}  // namespace

std::string_view to_string(Verdict verdict) noexcept {
    constexpr std::string_view kWords[] = {"identical",          "not_comparable",   "bit_flips",
                                           "region_overwritten", "rows_overwritten", "columns_overwritten",
                                           "periodic_pattern",   "tail_differs",     "noise",
                                           "everything_differs", "scattered"};
    return kWords[static_cast<std::size_t>(verdict)];
}

std::uint64_t rule(std::string_view name) {
    static const nlohmann::json document = json_stage::parse_data(embedded::difference_files().front().text);
    return document.at("rules").at(name).get<std::uint64_t>();
}

Finding judge(const Measures& all) {
    if (all.elements == 0) {
        return {Verdict::not_comparable, Strength::none, phrase("difference_empty")};
    }
    if (all.differ == 0) {
        return {Verdict::identical, Strength::none, phrase("difference_none", {{"count", all.elements}})};
    }
    if (const auto found = bit_flips(all)) {
        return *found;
    }
    if (const auto found = overwrite(all)) {
        return *found;
    }
    const std::string share = percent(all.differ, all.elements);
    const std::uint64_t not_finite = all.nan_only_a + all.inf_only_a + all.nan_only_b + all.inf_only_b;
    if (is_share(all.rounding, all.differ, "noise_rounding_percent") && not_finite == 0 &&
        is_share(all.differ, all.elements, "noise_percent")) {
        return {Verdict::noise, strength(all.rounding == all.differ),
                phrase("difference_noise", {{"share", share},
                                            {"rounding", percent(all.rounding, all.differ)},
                                            {"ulps", all.rounding_ulps.value_or(0)}})};
    }
    const bool everything = is_share(all.differ, all.elements, "everything_percent");
    return {
        everything ? Verdict::everything_differs : Verdict::scattered, Strength::none,
        phrase(everything ? "difference_everything" : "difference_scattered", {{"share", share}, {"runs", all.runs}})};
}

}  // namespace opdebug::difference

// Types of up to 8 bits: it is enough to count how often each code occurs. Where bytes hold whole codes, bytes are
// counted, and taken apart when all are known.
#include <array>
#include <cmath>
#include <variant>

#include "tensor/byte_counts.hpp"
#include "tensor/element_type.hpp"
#include "tensor/finite_numbers.hpp"
#include "tensor/tally.hpp"

namespace opdebug::tensor_stage {
namespace {

bool is_integer(const ElementType& type) noexcept {
    return type.encoding == Encoding::boolean || type.encoding == Encoding::signed_integer ||
           type.encoding == Encoding::unsigned_integer;
}

/// Integers are told as such.
void make_exact(const ElementType& type, std::optional<TensorNumber>& number) {
    if (!number || !is_integer(type)) {
        return;
    }
    const double value = std::get<double>(*number);
    if (type.encoding == Encoding::signed_integer) {
        number = static_cast<std::int64_t>(value);
    } else {
        number = static_cast<std::uint64_t>(value);
    }
}

bool is_subnormal_code(const ElementType& type, std::uint8_t code) noexcept {
    if (type.encoding == Encoding::hifloat8) {
        return (code & 0x78U) == 0 && (code & 0x07U) != 0;  // dot 0000
    }
    return type.encoding == Encoding::floating && is_subnormal(type.form, code);
}

class CodeTally final : public Tally {
public:
    CodeTally(const ElementType& type, unsigned bits_apart) : type_(type), bits_apart_(bits_apart) {}

    void add(Bytes bytes, std::uint64_t elements) noexcept override {
        const std::uint64_t in_bytes = 8 % bits_apart_ == 0 ? elements - elements % (8 / bits_apart_) : 0;
        bytes_.add(bytes.slice(0, static_cast<std::size_t>(in_bytes * bits_apart_ / 8)));
        for (std::uint64_t i = in_bytes; i < elements; ++i) {
            ++others_[packed_code(bytes, i, bits_apart_)];
        }
    }

    TensorStatistics statistics() const override {
        const Limits limits = find_limits();
        const CodeCounts counts = count_codes();
        TensorStatistics statistics;
        FiniteNumbers finite;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            if (counts[i] == 0) {
                continue;
            }
            const auto code = static_cast<std::uint8_t>(i);
            const double number = narrow_number(type_, code);
            if (!std::isfinite(number)) {
                (std::isnan(number) ? statistics.nan
                 : number > 0       ? statistics.pos_inf
                                    : statistics.neg_inf) += counts[i];
                continue;
            }
            finite.add(number, counts[i]);
            statistics.zero += number == 0 ? counts[i] : 0;
            statistics.subnormal += is_subnormal_code(type_, code) ? counts[i] : 0;
            statistics.saturated += number == limits.highest || number == limits.lowest ? counts[i] : 0;
        }
        finite.put_into(statistics);
        make_exact(type_, statistics.max);
        make_exact(type_, statistics.min);
        return statistics;
    }

private:
    using CodeCounts = std::array<std::uint64_t, 256>;

    CodeCounts count_codes() const noexcept {
        CodeCounts counts = others_;
        const unsigned mask = (1U << type_.bits) - 1;
        for (unsigned byte = 0; byte < 256 && 8 % bits_apart_ == 0; ++byte) {
            const std::uint64_t count = bytes_.of(static_cast<std::uint8_t>(byte));
            for (unsigned shift = 0; shift < 8; shift += bits_apart_) {
                counts[byte >> shift & mask] += count;
            }
        }
        return counts;
    }

    /// Where arithmetic stops; NaN, which equals nothing, where the type has no such end.
    struct Limits {
        double lowest = NAN;
        double highest = NAN;
    };

    Limits find_limits() const noexcept {
        Limits limits;
        if (type_.bits == 1 || type_.encoding == Encoding::boolean) {
            return limits;
        }
        for (unsigned code = 0; code < 1U << type_.bits; ++code) {
            const double number = narrow_number(type_, static_cast<std::uint8_t>(code));
            if (std::isfinite(number)) {
                limits.lowest = std::fmin(limits.lowest, number);  // fmin and fmax pass over NaN
                limits.highest = std::fmax(limits.highest, number);
            }
        }
        if (limits.lowest >= 0) {
            limits.lowest = NAN;
        }
        return limits;
    }

    const ElementType& type_;
    unsigned bits_apart_;
    ByteCounts bytes_;
    CodeCounts others_{};  ///< of codes that share a byte with what is no code, or reach into the next one
};

}  // namespace

std::unique_ptr<Tally> make_code_tally(const ElementType& type, unsigned bits_apart) {
    return std::make_unique<CodeTally>(type, bits_apart);
}

}  // namespace opdebug::tensor_stage

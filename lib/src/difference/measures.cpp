// Measures of two tensors, in one pass over both files.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

#include "bytes/file.hpp"
#include "difference/difference.hpp"
#include "tensor/element_type.hpp"
#include "tensor/measure.hpp"

namespace opdebug::difference {
namespace {

using tensor_stage::ElementType;
using tensor_stage::Encoding;

/// A number of an element, or a part of a complex one.
struct Part {
    double value = 0;
    std::uint64_t code = 0;
};

/// The distance of two codes in the order of their numbers.
std::uint64_t ulps_between(std::uint64_t a, std::uint64_t b, unsigned bits) {
    const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
    const bool same_sign = (a & sign) == (b & sign);
    const std::uint64_t size_a = a & (sign - 1), size_b = b & (sign - 1);
    return same_sign ? std::max(size_a, size_b) - std::min(size_a, size_b) : size_a + size_b;
}

/// Reads elements of a type from the bytes of a piece.
class ElementReader {
public:
    ElementReader(const ElementType& type, unsigned bits_apart)
        : type_(type), bits_apart_(bits_apart), parts_(type.encoding == Encoding::complex ? 2 : 1) {}

    unsigned parts() const noexcept { return parts_; }
    unsigned bits_of_part() const noexcept { return type_.bits / parts_; }
    unsigned bits_of_element() const noexcept { return type_.bits; }
    /// For elements of whole bytes.
    bool are_equal(Bytes a, Bytes b, std::uint64_t element) const noexcept {
        const std::size_t size = type_.bits / 8;
        return std::memcmp(a.data() + element * size, b.data() + element * size, size) == 0;
    }
    bool has_ulps() const noexcept {
        return (type_.encoding == Encoding::floating || type_.encoding == Encoding::complex) && type_.bits >= 8;
    }

    Part part(Bytes bytes, std::uint64_t element, unsigned number) const {
        const unsigned bits = bits_of_part();
        Part result;
        if (type_.bits < 8) {
            result.code = bits_apart_ == 8 ? bytes[static_cast<std::size_t>(element)] & ((1U << bits) - 1)
                                           : tensor_stage::packed_code(bytes, element, bits);
            result.value = tensor_stage::narrow_number(type_, static_cast<std::uint8_t>(result.code));
            return result;
        }
        const auto begin = static_cast<std::size_t>((element * parts_ + number) * (bits / 8));
        for (std::size_t i = bits / 8; i-- > 0;) {
            result.code = result.code << 8U | bytes[begin + i];
        }
        result.value = value_of(result.code, bits);
        return result;
    }

private:
    double value_of(std::uint64_t code, unsigned bits) const {
        switch (type_.encoding) {
            case Encoding::floating:
            case Encoding::complex: return tensor_stage::float_number(type_.form, code);
            case Encoding::signed_integer: return static_cast<double>(tensor_stage::sign_extended(code, bits));
            case Encoding::e8m0:
            case Encoding::hifloat8: return tensor_stage::narrow_number(type_, static_cast<std::uint8_t>(code));
            default: return static_cast<double>(code);
        }
    }

    const ElementType& type_;
    unsigned bits_apart_, parts_;
};

/// Numbers of which a median is wanted: at most about a million, evenly chosen.
class Sample {
public:
    void add(double value) {
        if (seen_++ % stride_ != 0) {
            return;
        }
        values_.push_back(value);
        if (values_.size() >= kMost) {
            for (std::size_t i = 0; i < values_.size() / 2; ++i) {
                values_[i] = values_[2 * i];
            }
            values_.resize(values_.size() / 2);
            stride_ *= 2;
        }
    }
    std::optional<double> median() {
        if (values_.empty()) {
            return std::nullopt;
        }
        const auto middle = values_.begin() + static_cast<std::ptrdiff_t>((values_.size() - 1) / 2);
        std::nth_element(values_.begin(), middle, values_.end());
        return *middle;
    }

private:
    static constexpr std::size_t kMost = std::size_t{1} << 20U;
    std::vector<double> values_;
    std::uint64_t seen_ = 0, stride_ = 1;
};

void count_line(std::uint64_t differ, Lines& lines) {
    static const std::uint64_t percent = rule("whole_percent");
    const bool whole = differ != 0 && differ * 100 >= lines.length * percent;
    lines.whole += whole ? 1 : 0;
    lines.differ_in_whole += whole ? differ : 0;
    lines.untouched += differ == 0 ? 1 : 0;
}

/// Takes the elements in their order.
class Counting {
public:
    Counting(const ElementType& type, const DumpedTensor& tensor, unsigned bits_apart) : reader_(type, bits_apart) {
        if (reader_.has_ulps()) {
            measures_.rounding_ulps = rule(reader_.bits_of_part() > 8 ? "noise_ulps" : "noise_ulps_8_bits");
        }
        measures_.element_bits = bits_apart;
        measures_.bits.resize(type.bits);
        const std::uint64_t length = tensor.shape.empty()   ? 1
                                     : tensor.fortran_order ? tensor.shape.front()
                                                            : tensor.shape.back();
        Lines& rows = measures_.rows;
        rows.length = length;
        rows.count = length == 0 ? 0 : tensor.elements / length;
        if (rows.count > 1) {
            in_column_.resize(static_cast<std::size_t>(length));
        }
    }

    void add(Bytes a, Bytes b, std::uint64_t elements) {
        for (std::uint64_t i = 0; i < elements; ++i) {
            add_element(a, b, i);
        }
    }

    Measures finish() {
        end_run();
        Lines& rows = measures_.rows;
        if (measures_.elements != 0 && measures_.elements % rows.length == 0) {
            count_line(in_row_, rows);
        }
        if (rows.count > 1) {
            Lines& columns = measures_.columns.emplace();
            columns.count = rows.length;
            columns.length = rows.count;
            for (const std::uint64_t differ : in_column_) {
                count_line(differ, columns);
            }
        }
        if (measures_.runs > 2 && is_periodic_) {
            measures_.period = distance_;
        }
        measures_.median_rel = relative_.median();
        if (reader_.has_ulps()) {
            measures_.median_ulps = median_ulps();
        }
        return std::move(measures_);
    }

private:
    void add_element(Bytes a, Bytes b, std::uint64_t place) {
        const std::uint64_t index = measures_.elements++;
        if (index != 0 && index % measures_.rows.length == 0) {
            count_line(in_row_, measures_.rows);
            in_row_ = 0;
        }
        if (reader_.bits_of_element() >= 8 && reader_.are_equal(a, b, place)) {
            return;
        }
        unsigned differing_bits = 0;
        std::uint64_t ulps = 0;
        double relative = 0, largest_difference = 0;
        bool values_differ = false, is_scaled = false, is_finite = true, nan_a = false, nan_b = false, inf_a = false,
             inf_b = false;
        for (unsigned number = 0; number < reader_.parts(); ++number) {
            const Part one = reader_.part(a, place, number), other = reader_.part(b, place, number);
            nan_a = nan_a || std::isnan(one.value);
            nan_b = nan_b || std::isnan(other.value);
            inf_a = inf_a || std::isinf(one.value);
            inf_b = inf_b || std::isinf(other.value);
            if (one.code == other.code) {
                continue;
            }
            const unsigned first_bit = number * reader_.bits_of_part();
            for (std::uint64_t left = one.code ^ other.code; left != 0; left &= left - 1) {
                ++measures_.bits[first_bit + static_cast<unsigned>(std::countr_zero(left))];
                ++differing_bits;
            }
            const bool both_nan = std::isnan(one.value) && std::isnan(other.value);
            const bool differs = !both_nan && (one.value != other.value || is_large_integer_pair(one, other));
            values_differ = values_differ || differs;
            is_scaled =
                is_scaled || one.value == -other.value || one.value == 2 * other.value || 2 * one.value == other.value;
            if (std::isfinite(one.value) && std::isfinite(other.value)) {
                const double largest = std::max(std::abs(one.value), std::abs(other.value));
                const double apart = std::abs(one.value - other.value);
                relative = std::max(relative, largest == 0 ? 0 : apart / largest);
                largest_difference = std::max(largest_difference, apart);
            } else {
                is_finite = false;
            }
            const bool one_nan = std::isnan(one.value) != std::isnan(other.value);
            ulps = std::max(ulps, one_nan    ? kMostUlps
                                  : both_nan ? 0
                                             : ulps_between(one.code, other.code, reader_.bits_of_part()));
        }
        const bool is_rounding = measures_.rounding_ulps && ulps <= *measures_.rounding_ulps;
        if (differing_bits == 0) {
            return;
        }
        measures_.nan_only_a += nan_a && !nan_b ? 1 : 0;
        measures_.nan_only_b += nan_b && !nan_a ? 1 : 0;
        measures_.inf_only_a += inf_a && !nan_a && !inf_b ? 1 : 0;
        measures_.inf_only_b += inf_b && !nan_b && !inf_a ? 1 : 0;
        measures_.rounding += is_rounding ? 1 : 0;
        measures_.one_bit += differing_bits == 1 ? 1 : 0;
        measures_.scaled += is_scaled ? 1 : 0;
        measures_.values_differ += values_differ ? 1 : 0;
        if (is_finite) {
            relative_.add(relative);
            measures_.largest = std::max(measures_.largest.value_or(0), largest_difference);
        }
        ++ulps_[static_cast<std::size_t>(std::min(ulps, kMostUlps))];
        add_difference(index);
    }

    /// 64-bit integers that round to the same double.
    bool is_large_integer_pair(const Part& one, const Part& other) const {
        return !reader_.has_ulps() && reader_.bits_of_part() == 64 && one.code != other.code;
    }

    void add_difference(std::uint64_t index) {
        if (measures_.differ == 0) {
            measures_.first = run_begin_ = index;
        } else if (index != measures_.last + 1) {
            measures_.longest_gap = std::max(measures_.longest_gap, index - measures_.last - 1);
            end_run();
            const std::uint64_t distance = index - run_begin_;
            is_periodic_ = is_periodic_ && (measures_.runs == 1 || distance == distance_);
            distance_ = measures_.runs == 1 ? distance : distance_;
            run_begin_ = index;
        }
        measures_.last = index;
        ++measures_.differ;
        ++in_row_;
        if (!in_column_.empty()) {
            ++in_column_[static_cast<std::size_t>(index % measures_.rows.length)];
        }
    }

    /// The last run may be cut by the end of the tensor.
    void end_run() {
        if (measures_.differ == 0) {
            return;
        }
        const std::uint64_t length = measures_.last - run_begin_ + 1;
        run_length_ = measures_.runs == 0 ? length : run_length_;
        const bool is_cut = measures_.last + 1 == measures_.elements && length < run_length_;
        is_periodic_ = is_periodic_ && (length == run_length_ || is_cut);
        measures_.longest_run = std::max(measures_.longest_run, length);
        ++measures_.runs;
    }

    std::optional<std::uint64_t> median_ulps() const {
        std::uint64_t passed = 0;
        for (std::size_t ulps = 0; ulps < ulps_.size(); ++ulps) {
            passed += ulps_[ulps];
            if (passed != 0 && passed * 2 >= measures_.differ) {
                return ulps;
            }
        }
        return std::nullopt;
    }

    ElementReader reader_;
    Measures measures_;
    std::array<std::uint64_t, kMostUlps + 1> ulps_{};
    std::vector<std::uint64_t> in_column_;
    std::uint64_t in_row_ = 0, run_begin_ = 0, run_length_ = 0, distance_ = 0;
    bool is_periodic_ = true;
    Sample relative_;
};

Error interrupted_error(const std::string& file) {
    return {ErrorCode::interrupted, "comparing was stopped before its end", file, std::nullopt};
}

}  // namespace

Result<Measures> measure(const NamedTensor& a, const NamedTensor& b, const std::function<bool()>& stop) {
    const Result<bytes::FileReader> file_a = bytes::FileReader::open(a.tensor.file);
    const Result<bytes::FileReader> file_b = bytes::FileReader::open(b.tensor.file);
    if (!file_a || !file_b) {
        return file_a ? file_b.error() : file_a.error();
    }
    const ElementType& type = *tensor_stage::element_type(a.tensor.dtype);
    const unsigned bits_apart = type.bits < 8 && a.tensor.byte_each ? 8 : type.bits;
    Counting counting(type, a.tensor, bits_apart);
    constexpr std::size_t kPiece = tensor_stage::kPieceBytes;
    const std::uint64_t elements_per_piece = kPiece * 8 / bits_apart;
    std::uint64_t offset = 0;
    for (std::uint64_t left = a.tensor.elements; left != 0;) {
        if (stop && stop()) {
            return interrupted_error(a.file);
        }
        const std::uint64_t elements = std::min(left, elements_per_piece);
        const auto size = static_cast<std::size_t>(tensor_stage::bytes_of_elements(elements, bits_apart));
        const auto piece_a = file_a->read_at(a.tensor.offset + offset, size);
        const auto piece_b = file_b->read_at(b.tensor.offset + offset, size);
        if (!piece_a || !piece_b) {
            return piece_a ? piece_b.error() : piece_a.error();
        }
        if (piece_a->size() < size || piece_b->size() < size) {
            return Error{ErrorCode::read_failed, "the file became shorter after the tensor was measured",
                         piece_a->size() < size ? a.file : b.file, std::nullopt};
        }
        counting.add(*piece_a, *piece_b, elements);
        left -= elements;
        offset += kPiece;
    }
    return counting.finish();
}

}  // namespace opdebug::difference

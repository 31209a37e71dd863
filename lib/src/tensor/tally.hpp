// What the elements of one tensor show, counted piece by piece. The results do not depend on how the elements are cut
// into pieces.
#pragma once

#include <cstdint>
#include <memory>

#include <opdebug/bytes.hpp>
#include <opdebug/tensor.hpp>

#include "tensor/element_type.hpp"

namespace opdebug::tensor_stage {

/// Pieces must hold whole groups of this many elements, all but the last.
constexpr std::uint64_t kElementsPerBlock = 4096;

class Tally {
public:
    Tally() = default;
    Tally(const Tally&) = delete;
    Tally& operator=(const Tally&) = delete;
    virtual ~Tally() = default;

    /// Counts the next `elements` elements; `bytes` holds them all.
    virtual void add(Bytes bytes, std::uint64_t elements) noexcept = 0;

    virtual TensorStatistics statistics() const = 0;
};

/// The tally for a type that has numbers. `bits_apart`: where the elements lie, `type.bits` or 8 for types of less than
/// 8 bits that have a byte each.
std::unique_ptr<Tally> make_tally(const ElementType& type, unsigned bits_apart);

/// Types of up to 8 bits.
std::unique_ptr<Tally> make_code_tally(const ElementType& type, unsigned bits_apart);
/// Integers of 16 bits and more.
std::unique_ptr<Tally> make_integer_tally(const ElementType& type);
/// float16, bfloat16 and float32.
std::unique_ptr<Tally> make_float_tally(const ElementType& type);
/// float64 and complex numbers.
std::unique_ptr<Tally> make_wide_tally(const ElementType& type);

}  // namespace opdebug::tensor_stage

#include "tensor/tally.hpp"

namespace opdebug::tensor_stage {

// The caller gets what is made. Read together with the sources that make it, clang's analyzer takes it for lost.
// NOLINTBEGIN(clang-analyzer-cplusplus.NewDeleteLeaks)
std::unique_ptr<Tally> make_tally(const ElementType& type, unsigned bits_apart) {
    if (type.bits <= 8) {
        return make_code_tally(type, bits_apart);
    }
    switch (type.encoding) {
        case Encoding::signed_integer:
        case Encoding::unsigned_integer: return make_integer_tally(type);
        case Encoding::floating: return type.bits <= 32 ? make_float_tally(type) : make_wide_tally(type);
        default: return make_wide_tally(type);
    }
}
// NOLINTEND(clang-analyzer-cplusplus.NewDeleteLeaks)

}  // namespace opdebug::tensor_stage

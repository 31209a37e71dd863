// The newest clean value of each shape that a file showed: what was still in order before the first bad one. Bounded.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/api_dump.hpp>

#include "bytes/hash_factors.hpp"

namespace opdebug::api_culprits {

class CleanUses {
public:
    struct Use {
        std::vector<std::uint64_t> shape;
        std::string call;
        std::uint64_t position = 0;
        ApiValueKind kind = ApiValueKind::input;
        std::string index;
        bool is_one = false;
    };

    void add(const ApiEntry& entry, const ApiValue& value) {
        Use& use = uses_[place_of(value.shape)];
        if (use.position != entry.position || !use.is_one) {
            use.call = entry.name;
        }
        use.shape = value.shape;
        use.position = entry.position;
        use.kind = value.kind;
        use.index = value.index;
        use.is_one = true;
    }

    /// Null where there was none, or where another shape has taken its place.
    const Use* find(const std::vector<std::uint64_t>& shape) const {
        const Use& use = uses_[place_of(shape)];
        return use.is_one && use.shape == shape ? &use : nullptr;
    }

private:
    static constexpr std::size_t kPlaces = 256;  // a network has some dozen shapes

    static std::size_t place_of(const std::vector<std::uint64_t>& shape) {
        std::uint64_t hash = shape.size();
        for (const std::uint64_t dimension : shape) {
            hash = (hash ^ dimension) * bytes::kHashFactor;
        }
        return (hash >> 56U) % kPlaces;
    }

    std::array<Use, kPlaces> uses_;
};

}  // namespace opdebug::api_culprits

// A job of 64 ranks whose first overflow is known because it was built so.
#pragma once

#include <cstdint>
#include <string>

namespace opdebug::test {

/// Rank 37 (device 5) overflows first: step 120, layer_11/attention/softmax/Exp, status 0x120, 2026-03-04 00:26:40.005
/// UTC; then layer_12/mlp/MatMulV2 and layer_13/ln/LayerNorm. Rank 44 follows 1.349 s later, 61 others from 1.350 s to
/// 1.408 s later, rank 1 only in step 121. In steps 121 to 129 every fourth rank (1, 5, ... 61) has the Exp and a Mul
/// of one of twelve layers. Ten dumps of step 125 are truncated.
struct KnownJob {
    std::string dumps, logs;         ///< folders
    std::string first_file;          ///< below `dumps`
    std::uint64_t overflowed = 353;  ///< 3 + 1 + 61 + 16 ranks * 9 steps * 2
    std::uint64_t failed = 10;
    std::uint64_t of_exp = 145;    ///< 1 + 16 * 9
    std::uint64_t operators = 16;  ///< the three of rank 37, that of rank 44, twelve Mul
};

/// Writes dumps and logs below `root`.
KnownJob write_known_job(const std::string& root);

}  // namespace opdebug::test

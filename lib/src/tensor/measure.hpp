// Measuring the tensors of an operator's dump: their bytes in pieces of fixed size, how many elements there are, the
// array of a .npy file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/result.hpp>
#include <opdebug/tensor.hpp>

#include "bytes/file.hpp"
#include "container/container.hpp"
#include "tensor/element_type.hpp"

namespace opdebug::tensor_stage {

/// Small enough to stay in a processor's cache between reading and counting. A multiple of kElementsPerBlock elements
/// of any size, so also of 3 bytes, which hold four elements of 6 bits.
constexpr std::size_t kPieceBytes = 768U << 10U;

/// Takes the next piece; false: stop, nothing more is wanted.
using PieceSink = std::function<bool(Bytes)>;

class PieceReader {
public:
    /// Memory that outlives the reader: pieces are views of it.
    explicit PieceReader(Bytes memory) : memory_(memory), size_(memory.size()) {}
    /// A file that outlives the reader: one buffer of kPieceBytes is used for all pieces.
    explicit PieceReader(const bytes::FileReader& file) : file_(&file), size_(file.size()) {}

    std::uint64_t size() const noexcept { return size_; }

    /// Gives `count` bytes from `offset` on to `sink`, all pieces but the last of kPieceBytes, and fewer bytes where a
    /// file has become shorter. Error: read_failed.
    std::optional<Error> read(std::uint64_t offset, std::uint64_t count, const PieceSink& sink);

private:
    Result<Bytes> piece(std::uint64_t offset, std::size_t count);

    Bytes memory_;
    const bytes::FileReader* file_ = nullptr;
    std::vector<std::uint8_t> buffer_;
    std::uint64_t size_;
};

struct Extent {
    std::uint64_t elements = 0;  ///< wholly there
    std::uint64_t size = 0;      ///< bytes of the tensor that are there
    unsigned bits_apart = 0;  ///< from one element to the next: type.bits, or 8 where small elements have a byte each
    std::vector<Diagnostic> diagnostics;
};

/// "input 0".
std::string name_of(const container::Tensor& tensor);

/// Bytes of the tensor that lie in a file of that size.
std::uint64_t bytes_there(const container::Tensor& tensor, std::uint64_t file_size) noexcept;

/// The smallest of the three counts, with a diagnostic where they differ. `type` must have numbers.
Extent extent_of(const container::Tensor& tensor, const ElementType& type, std::uint64_t file_size);

/// Bytes that `elements` elements take; they must be known to fit in memory or in a file.
std::uint64_t bytes_of_elements(std::uint64_t elements, unsigned bits_apart) noexcept;

/// Error: interrupted; damage of the tensor is among its diagnostics.
Result<DumpedTensor> measure_tensor(const container::Tensor& tensor, Container form, PieceReader& reader,
                                    const OpDumpOptions& options);

/// A .npy file as a dump with one tensor. Names and ids are those of the file's name, where it is an operator's.
Result<OpDump> measure_npy(const bytes::FileReader& file, const OpDumpOptions& options);

struct NpyArray {
    const ElementType* type = nullptr;
    bool fortran_order = false;
    std::vector<std::uint64_t> shape;
    std::uint64_t data_begin = 0;  ///< behind the header
};

/// Whether the file begins as NumPy's files do.
Result<bool> begins_as_npy(const bytes::FileReader& file);

/// Reads the header. `dtype`: of the file's name, for elements of a type that NumPy has not ("|V2" of bfloat16); empty:
/// not known. Errors: not_a_dump, header_truncated, header_malformed, header_too_large; invalid_argument for arrays
/// without numbers; those of reading.
Result<NpyArray> read_npy_header(const bytes::FileReader& file, std::string_view dtype, const Limits& limits);

}  // namespace opdebug::tensor_stage

// Measuring the tensors of an operator dump: pieces of fixed size, numbers of elements, and arrays of .npy files.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/result.hpp>
#include <opdebug/tensor.hpp>
#include <opdebug/tree.hpp>

#include "bytes/file.hpp"
#include "container/container.hpp"
#include "tensor/element_type.hpp"

namespace opdebug::tensor_stage {

/// Small enough for a processor cache between reading and counting. A multiple of elements of any size, including 3
/// bytes, which contain four elements of 6 bits.
constexpr std::size_t kPieceBytes = 768U << 10U;

/// Receives the next piece. Returns false to stop.
using PieceSink = std::function<bool(Bytes)>;

class PieceReader {
public:
    /// Memory that outlives the reader: pieces are views of it.
    explicit PieceReader(Bytes memory) : memory_(memory), size_(memory.size()) {}
    /// A file that outlives the reader: one buffer of kPieceBytes is used for all pieces.
    explicit PieceReader(const bytes::FileReader& file) : file_(&file), size_(file.size()) {}

    std::uint64_t size() const noexcept { return size_; }

    /// Passes `count` bytes from `offset` on to `sink`. All pieces except the last have kPieceBytes. Fewer bytes if the
    /// file became shorter. Error: read_failed.
    std::optional<Error> read(std::uint64_t offset, std::uint64_t count, const PieceSink& sink);

private:
    Result<Bytes> piece(std::uint64_t offset, std::size_t count);

    Bytes memory_;
    const bytes::FileReader* file_ = nullptr;
    std::vector<std::uint8_t> buffer_;
    std::uint64_t size_;
};

struct Extent {
    std::uint64_t elements = 0;  ///< complete elements
    std::uint64_t size = 0;      ///< available bytes of the tensor
    unsigned bits_apart = 0;     ///< distance of elements: type.bits, or 8 for small elements with a byte each
    std::vector<Diagnostic> diagnostics;
};

/// "input 0".
std::string name_of(const container::Tensor& tensor);

/// Bytes of the tensor inside a file of that size.
std::uint64_t bytes_there(const container::Tensor& tensor, std::uint64_t file_size) noexcept;

/// The smallest of the three counts, with a diagnostic if they differ. `type` must have numbers.
Extent extent_of(const container::Tensor& tensor, const ElementType& type, std::uint64_t file_size);

/// Size of `elements` elements in bytes. They must fit in memory or in a file.
std::uint64_t bytes_of_elements(std::uint64_t elements, unsigned bits_apart) noexcept;

/// Error: interrupted. Damage of the tensor is in its diagnostics.
Result<DumpedTensor> measure_tensor(const container::Tensor& tensor, Container form, PieceReader& reader,
                                    const OpDumpOptions& options);

/// Sets names, ids and time, as far as the file name has them.
void set_names(OpDump& dump, const DumpName& name);

/// A .npy file as a dump with one tensor. Names and ids come from the file name.
Result<OpDump> measure_npy(const bytes::FileReader& file, const OpDumpOptions& options);

struct NpyArray {
    const ElementType* type = nullptr;
    bool fortran_order = false;
    std::vector<std::uint64_t> shape;
    std::uint64_t data_begin = 0;  ///< after the header
};

/// Whether the file begins like NumPy's files.
Result<bool> begins_as_npy(const bytes::FileReader& file);

/// Parses the header. `dtype`: type in the file name, for types that NumPy does not have ("|V2" for bfloat16); empty:
/// unknown. Errors: not_a_dump, header_truncated, header_malformed, header_too_large; invalid_argument for arrays
/// without numbers; those of reading.
Result<NpyArray> read_npy_header(const bytes::FileReader& file, std::string_view dtype, const Limits& limits);

}  // namespace opdebug::tensor_stage

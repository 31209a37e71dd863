// An operator's dump: its inputs and outputs, and what their values show.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/bytes.hpp>
#include <opdebug/container.hpp>
#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>

namespace opdebug {
inline namespace v0 {

/// A value of a tensor: integers exactly, everything else as double, which holds it exactly.
using TensorNumber = std::variant<double, std::int64_t, std::uint64_t>;

/// What the values of one tensor show. Complex elements: NaN when a part is, else infinite when a part is (the sign of
/// the first such part); the real and imaginary parts of the finite ones are what max, min and mean are of.
struct TensorStatistics {
    std::optional<TensorNumber> max, min;  ///< of the finite values; nothing when there is none
    std::optional<double> mean;            ///< likewise
    std::uint64_t nan = 0, pos_inf = 0, neg_inf = 0;
    /// Values at the type's largest finite magnitude, where saturating arithmetic stops; signed integers: both ends of
    /// the range. Types of one bit have none.
    std::uint64_t saturated = 0;
    std::uint64_t subnormal = 0;
    std::uint64_t zero = 0;
};

/// One input or output.
struct DumpedTensor {
    TensorKind kind = TensorKind::input;
    std::uint64_t index = 0;  ///< among those of its kind
    std::string dtype;        ///< NumPy's name; for types that NumPy has not: "bfloat16", "float8_e4m3fn", ...;
                              ///< "unknown(99)" for numbers that nobody documents
    std::string format;       ///< "NCHW", ...; "unknown(99)"
    std::vector<std::uint64_t> shape;
    std::uint64_t elements = 0;  ///< elements measured: what the shape tells, or what the bytes hold, whichever is less
    std::string file;            ///< where its bytes are: the dump's file, or a .npy file of its own
    std::uint64_t offset = 0;    ///< where they begin in the file
    std::uint64_t size = 0;      ///< bytes that are there
    bool byte_each = false;      ///< elements of less than 8 bits have a byte each, instead of being packed
    bool fortran_order = false;  ///< .npy: the first dimension is the one that changes fastest
    std::optional<TensorStatistics> statistics;  ///< nothing for types without numbers (strings, resources, unknown)
    std::vector<Diagnostic> diagnostics;         ///< sizes that do not fit, skipped types; error: values are missing
};

/// The dump of one execution of an operator. Name and type as far as they are known, else empty.
struct OpDump {
    std::string file;     ///< as given
    std::string op_type;  ///< from the file's name (or real name)
    std::string op_name;  ///< from the header, as GE spells it; else from the file's name, where / is _
    std::optional<std::uint64_t> task_id, stream_id, timestamp_us;  ///< from the file's name; time also from the header
    Container container = Container::dump_data_v2;
    std::vector<DumpedTensor> tensors;  ///< inputs, then outputs
    bool tensors_missing = false;       ///< the header is damaged behind these: there may have been more
    std::vector<Diagnostic> diagnostics;

    /// False when values are missing: a diagnostic of severity error, here or at a tensor.
    OPDEBUG_API bool complete() const noexcept;
};

/// What is known of an operator's dump beside its bytes, and how it is read.
struct OpDumpOptions {
    std::string file;       ///< path the bytes came from; for measure_op_dump(path) it is the path itself
    std::string real_name;  ///< where the file is called by a number (mapping.csv); looked up when empty
    /// Asked now and then; true ends the work early: the error is interrupted.
    std::function<bool()> stop;
    Limits limits;
};

/// Measures all tensors of an operator's dump (v2, v1 or nano), or the array of a .npy file. The file is read in pieces
/// of fixed size: memory does not grow with the tensors, but a v1 file is read as a whole and must not exceed
/// Limits::header_bytes. Errors: those of reading a file and of its container, and interrupted. Damage of one tensor
/// costs only that tensor. Thread-safe.
OPDEBUG_API Result<OpDump> measure_op_dump(const std::string& path, const OpDumpOptions& options = {});

/// The tensors of one execution where each is a .npy file ({dump name}.output.0.ND.npy), as MindSpore and msaccucmp
/// write them. A file that cannot be read costs only its tensor. Error: that of the first file, where none can be read;
/// interrupted. Thread-safe.
OPDEBUG_API Result<OpDump> measure_npy_files(const std::vector<std::string>& files, const OpDumpOptions& options = {});

/// Measures a dump (v2, v1 or nano) in memory; the bytes need only live during the call.
OPDEBUG_API Result<OpDump> measure_op_dump(Bytes bytes, const OpDumpOptions& options = {});

/// Takes a piece of the output; false: stop, nothing more is wanted.
using BytesSink = std::function<bool(Bytes)>;

/// One tensor as a .npy file (NumPy format 1.0, C order), in pieces. Types that NumPy has not are widened without loss:
/// bfloat16 and smaller floats to float32, complex32 to complex64, integers below 8 bits to int8 or uint8. The shape is
/// the tensor's; where elements are missing or NumPy would refuse it, one dimension. `file`: where `tensor` was
/// measured. Errors: those of reading; invalid_argument for types without numbers. Thread-safe.
[[nodiscard]] OPDEBUG_API std::optional<Error> write_npy(const std::string& file, const DumpedTensor& tensor,
                                                         const BytesSink& sink);

}  // namespace v0
}  // namespace opdebug

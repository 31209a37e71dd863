// What the dump of an operator's inputs and outputs shows, and whether the bad values were born there.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/result.hpp>

namespace opdebug {
inline namespace v0 {

// Operator dumps: inputs and outputs of an operator, and statistics of their values.

/// A value of a tensor. All types are represented exactly.
using TensorNumber = std::variant<double, std::int64_t, std::uint64_t>;

/// Statistics of one tensor. A complex element is NaN if a part is NaN, else infinite if a part is infinite (with the
/// sign of the first such part). max, min and mean of complex tensors are those of all finite real and imaginary parts.
struct TensorStatistics {
    std::optional<TensorNumber> max, min;  ///< of finite values; empty: there is none
    std::optional<double> mean;            ///< likewise
    std::uint64_t nan = 0, pos_inf = 0, neg_inf = 0;
    /// Values at the largest finite magnitude of the type, where saturating arithmetic stops; for signed integers at
    /// both ends of the range. Not counted for types of one bit.
    std::uint64_t saturated = 0;
    std::uint64_t subnormal = 0;
    std::uint64_t zero = 0;
};

/// An input or output.
struct DumpedTensor {
    TensorKind kind = TensorKind::input;
    std::uint64_t index = 0;  ///< within its kind
    std::string dtype;        ///< NumPy's name; types that NumPy lacks: "bfloat16", "float8_e4m3fn", ...;
                              ///< "unknown(99)": undocumented number
    std::string format;       ///< "NCHW", ...; "unknown(99)"
    std::vector<std::uint64_t> shape;
    std::uint64_t elements = 0;  ///< measured elements: those of the shape or of the bytes, whichever are fewer
    std::string file;            ///< file of its bytes: the dump, or a .npy file
    std::uint64_t offset = 0;    ///< of its bytes in the file
    std::uint64_t size = 0;      ///< bytes in the file
    bool byte_each = false;      ///< elements below 8 bits take one byte each
    bool fortran_order = false;  ///< .npy: the first dimension changes fastest
    std::optional<TensorStatistics> statistics;  ///< empty for types without numbers (strings, resources, unknown)
    std::vector<Diagnostic> diagnostics;         ///< wrong sizes, skipped types; error: values are missing
};

/// Dump of one execution of an operator. Unknown names and types are empty.
struct OpDump {
    std::string file;     ///< as given
    std::string op_type;  ///< from the file's name (or real name)
    std::string op_name;  ///< from the header, as GE spells it; else from the file's name, where / is _
    std::optional<std::uint64_t> task_id, stream_id, timestamp_us;  ///< from the file's name; time also from the header
    Container container = Container::dump_data_v2;
    std::vector<DumpedTensor> tensors;  ///< inputs, then outputs
    bool tensors_missing = false;       ///< the header is damaged after these tensors
    std::vector<Diagnostic> diagnostics;

    /// False if values are missing: a diagnostic here or of a tensor has severity error.
    OPDEBUG_API bool complete() const noexcept;
};

/// Facts about an operator dump besides its bytes, and how it is read.
struct OpDumpOptions {
    std::string file;       ///< path of the bytes; ignored by measure_op_dump(path)
    std::string real_name;  ///< if the name is a number (mapping.csv); empty: looked up
    /// Called from time to time; true stops with the error interrupted.
    std::function<bool()> stop;
    Limits limits;
};

/// Measures all tensors of an operator dump (v2, v1 or nano), or the array of a .npy file. Reads the file in pieces, so
/// memory does not grow with the tensors; only a v1 file is read completely, limited by Limits::header_bytes. Damage of
/// one tensor affects only this tensor. Errors: those of the file and its container; interrupted. Thread-safe.
OPDEBUG_API Result<OpDump> measure_op_dump(const std::string& path, const OpDumpOptions& options = {});

/// Measures the tensors of one execution in .npy files ({dump name}.output.0.ND.npy), as MindSpore and msaccucmp write
/// them. An unreadable file affects only its tensor. Errors: that of the first file if no file is readable;
/// interrupted. Thread-safe.
OPDEBUG_API Result<OpDump> measure_npy_files(const std::vector<std::string>& files, const OpDumpOptions& options = {});

/// Measures a dump (v2, v1 or nano) in memory. `bytes` must be valid during the call.
OPDEBUG_API Result<OpDump> measure_op_dump(Bytes bytes, const OpDumpOptions& options = {});

/// Receives a piece of the output; false: stop.
using BytesSink = std::function<bool(Bytes)>;

/// Writes one tensor as a .npy file (NumPy format 1.0, C order) in pieces. Types that NumPy lacks are widened without
/// loss: bfloat16 and smaller floats to float32, complex32 to complex64, integers below 8 bits to int8 or uint8. The
/// shape has one dimension if elements are missing or NumPy cannot represent it. `file`: the file where `tensor` was
/// measured. Errors: those of reading; invalid_argument for types without numbers. Thread-safe.
[[nodiscard]] OPDEBUG_API std::optional<Error> write_npy(const std::string& file, const DumpedTensor& tensor,
                                                         const BytesSink& sink);

// Origin of a bad value: born in the overflowed operator, or inherited from its inputs, according to the operator dump.

/// Origin of the bad values of an overflowed operator.
enum class OriginVerdict { born_here, inherited, not_visible };

/// "born_here", "inherited" or "not_visible". Static storage.
OPDEBUG_API std::string_view to_string(OriginVerdict verdict) noexcept;

/// A verdict with its reason and limitations.
struct Origin {
    OriginVerdict verdict = OriginVerdict::not_visible;
    std::string because;         ///< an English sentence with tensors and numbers
    bool bad_input = false;      ///< an input contains a bad value
    bool bad_output = false;     ///< an output contains one; possible with not_visible if inputs are missing
    bool integers_only = false;  ///< all bad values are integers at the ends of their range; they may be intended
    /// inherited, but the only bad inputs are -Inf or the negative limit, as in attention masks. The bad value may be
    /// born here.
    bool mask_possible = false;
    /// Inputs or outputs are missing, or were not measured completely.
    bool values_unseen = false;
    std::string because_zh = {};

    /// The reason; English where there is no Chinese one.
    const std::string& because_in(Language language) const noexcept {
        return language == Language::chinese && !because_zh.empty() ? because_zh : because;
    }
};

/// Decides where the bad values come from. inherited: an input contains NaN, Inf or saturated values. born_here: all
/// inputs are clean and an output is not. not_visible: all are clean, or inputs are missing or not measured. Integer
/// inputs, and integer outputs of 8 bits or less, do not count, because values at their limits are often intended.
/// Thread-safe.
OPDEBUG_API Origin origin_of(const OpDump& dump);

/// Facts of the operator dump about an overflow: its tensors and the verdict.
struct TensorEvidence {
    std::optional<OpDump> op_dump;  ///< empty: there is none, or it cannot be measured
    std::optional<Origin> origin;   ///< present if op_dump is
    /// Reasons for missing results, and remarks on the dump; error: values are missing. Remarks on single tensors are
    /// in the tensors.
    std::vector<Diagnostic> diagnostics;
    bool interrupted = false;  ///< `stop` ended the measurement

    /// False if a dump exists that could not be measured completely: a diagnostic here or of a tensor has severity
    /// error.
    OPDEBUG_API bool complete() const noexcept;
};

/// Measures location.op_dump, in pieces. `stop` is called from time to time; true stops. Never fails: `diagnostics`
/// contains the reasons. Thread-safe.
OPDEBUG_API TensorEvidence measure_operator(const Location& location, const std::function<bool()>& stop = {},
                                            const Limits& limits = {});

}  // namespace v0
}  // namespace opdebug

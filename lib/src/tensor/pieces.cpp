#include "tensor/pieces.hpp"

#include <algorithm>

namespace opdebug::tensor_stage {

Result<Bytes> PieceReader::piece(std::uint64_t offset, std::size_t count) {
    if (file_ == nullptr) {
        return memory_.slice(static_cast<std::size_t>(offset), count);
    }
    buffer_.resize(std::max(buffer_.size(), count));
    const Result<std::size_t> got = file_->read_at(offset, buffer_.data(), count);
    return got ? Result<Bytes>(Bytes(buffer_.data(), *got)) : Result<Bytes>(got.error());
}

std::optional<Error> PieceReader::read(std::uint64_t offset, std::uint64_t count, const PieceSink& sink) {
    while (count > 0) {
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(count, kPieceBytes));
        const Result<Bytes> bytes = piece(offset, wanted);
        if (!bytes) {
            return bytes.error();
        }
        if (!sink(*bytes) || bytes->size() < wanted) {
            return std::nullopt;
        }
        offset += wanted;
        count -= wanted;
    }
    return std::nullopt;
}

}  // namespace opdebug::tensor_stage

// A view of bytes that somebody else owns. std::span is C++20; this header must compile as C++17.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace opdebug {
inline namespace v0 {

/// A non-owning view of contiguous bytes: the caller keeps the memory alive while the view is used.
class Bytes {
public:
    constexpr Bytes() noexcept = default;
    constexpr Bytes(const std::uint8_t* data, std::size_t size) noexcept : data_(data), size_(size) {}
    Bytes(std::string_view text) noexcept
        : data_(reinterpret_cast<const std::uint8_t*>(text.data())), size_(text.size()) {}
    /// Any contiguous container of std::uint8_t, for example std::vector<std::uint8_t>.
    template <class Container,
              class = decltype(static_cast<const std::uint8_t*>(static_cast<const Container*>(nullptr)->data()))>
    Bytes(const Container& container) noexcept : data_(container.data()), size_(container.size()) {}

    constexpr const std::uint8_t* data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr const std::uint8_t* begin() const noexcept { return data_; }
    constexpr const std::uint8_t* end() const noexcept { return data_ + size_; }
    constexpr std::uint8_t operator[](std::size_t index) const noexcept { return data_[index]; }

    /// The part [offset, offset + count); both are clamped to the view, so the result never reaches outside.
    constexpr Bytes slice(std::size_t offset, std::size_t count) const noexcept {
        const std::size_t first = offset < size_ ? offset : size_;
        const std::size_t rest = size_ - first;
        return Bytes(data_ + first, count < rest ? count : rest);
    }
    std::string_view text() const noexcept { return {reinterpret_cast<const char*>(data_), size_}; }

private:
    const std::uint8_t* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace v0
}  // namespace opdebug

// A view of bytes that somebody else owns. std::span is C++20; this header must compile as C++17.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace opdebug {
inline namespace v0 {

/// A non-owning view of contiguous bytes: the caller keeps the memory alive while the view is used.
class Bytes {
public:
    constexpr Bytes() noexcept = default;
    constexpr Bytes(const std::uint8_t* data, std::size_t size) noexcept : data_(data), size_(size) {}
    Bytes(const void* data, std::size_t size) noexcept : data_(static_cast<const std::uint8_t*>(data)), size_(size) {}
    Bytes(std::string_view text) noexcept : Bytes(static_cast<const void*>(text.data()), text.size()) {}
    /// Any contiguous container of bytes: std::string, std::vector of std::uint8_t, char or std::byte, std::array.
    template <class Container, class Element = std::remove_pointer_t<decltype(std::declval<const Container&>().data())>,
              class = std::enable_if_t<sizeof(Element) == 1 && std::is_trivially_copyable_v<Element>>>
    Bytes(const Container& container) noexcept : Bytes(static_cast<const void*>(container.data()), container.size()) {}

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

// A list whose elements keep their memory when it is cleared.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "bytes/fetch.hpp"

namespace opdebug::logs {

/// An element that is added holds what an earlier one at its place left in it: whoever adds it fills it anew, and
/// nothing is cleared.
template <class Element>
class ReusedList {
public:
    ReusedList() = default;
    ReusedList(const ReusedList&) = delete;  ///< elements may point at what is moved with the list
    ReusedList(ReusedList&& other) noexcept
        : elements_(std::move(other.elements_)), size_(std::exchange(other.size_, 0)) {}
    ReusedList& operator=(const ReusedList&) = delete;
    ReusedList& operator=(ReusedList&& other) noexcept {
        elements_ = std::move(other.elements_);
        size_ = std::exchange(other.size_, 0);
        return *this;
    }
    ~ReusedList() = default;

    Element& add() {
        if (size_ == elements_.size()) {
            elements_.emplace_back();
        }
        return elements_[size_++];
    }
    void add(Element element) { add() = std::move(element); }
    /// Has the processor fetch what the next one but one is written to: mostly another core had it last.
    [[gnu::always_inline]] void fetch_further() noexcept {
        if (size_ + 1 < elements_.size()) {
            bytes::fetch<sizeof(Element), bytes::FetchedTo::be_written>(&elements_[size_ + 1]);
        }
    }
    /// There must be one.
    void drop_last() noexcept { --size_; }
    void clear() noexcept { size_ = 0; }

    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    Element& operator[](std::size_t index) noexcept { return elements_[index]; }
    const Element& operator[](std::size_t index) const noexcept { return elements_[index]; }
    Element* begin() noexcept { return elements_.data(); }
    Element* end() noexcept { return elements_.data() + size_; }
    const Element* begin() const noexcept { return elements_.data(); }
    const Element* end() const noexcept { return elements_.data() + size_; }

private:
    std::vector<Element> elements_;
    std::size_t size_ = 0;
};

}  // namespace opdebug::logs

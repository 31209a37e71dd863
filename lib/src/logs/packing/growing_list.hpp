// A list of plain values that become many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <new>
#include <type_traits>
#include <utility>

namespace opdebug::logs {

/// It grows where it is, or the system gives its pages another address (realloc). A vector is copied into new memory
/// each time: of entries of 21 MB, 64 MB of pages were asked for, which took 2 % of indexing.
template <class Value>
class GrowingList {
    static_assert(std::is_trivially_copyable_v<Value> && alignof(Value) <= alignof(std::max_align_t));

public:
    GrowingList() = default;
    GrowingList(GrowingList&& other) noexcept
        : values_(std::exchange(other.values_, nullptr)),
          size_(std::exchange(other.size_, 0)),
          room_(std::exchange(other.room_, 0)) {}
    GrowingList& operator=(GrowingList&& other) noexcept {
        GrowingList taken(std::move(other));
        std::swap(values_, taken.values_);
        std::swap(size_, taken.size_);
        std::swap(room_, taken.room_);
        return *this;
    }
    GrowingList(const GrowingList&) = delete;
    GrowingList& operator=(const GrowingList&) = delete;
    ~GrowingList() { std::free(values_); }  // NOLINT(cppcoreguidelines-no-malloc): of realloc

    /// To be filled: it holds nothing.
    Value& add() {
        make_room(size_ + 1);
        return values_[size_++];
    }
    /// `size`: no more than there are.
    void cut_to(std::size_t size) noexcept { size_ = size; }

    std::size_t size() const noexcept { return size_; }
    Value& operator[](std::size_t place) noexcept { return values_[place]; }
    const Value& operator[](std::size_t place) const noexcept { return values_[place]; }
    Value* begin() noexcept { return values_; }
    Value* end() noexcept { return values_ + size_; }
    const Value* begin() const noexcept { return values_; }
    const Value* end() const noexcept { return values_ + size_; }

private:
    void make_room(std::size_t size) {
        if (size <= room_) {
            return;
        }
        const std::size_t room = std::max(size, room_ + room_ / 2);
        void* const values = std::realloc(values_, room * sizeof(Value));  // NOLINT(cppcoreguidelines-no-malloc)
        if (values == nullptr) {
            throw std::bad_alloc();
        }
        values_ = static_cast<Value*>(values);
        room_ = room;
    }

    Value* values_ = nullptr;
    std::size_t size_ = 0;
    std::size_t room_ = 0;
};

}  // namespace opdebug::logs

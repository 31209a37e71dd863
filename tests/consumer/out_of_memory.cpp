// Lets each larger allocation of a call of the C interface fail in turn: out_of_memory_test DUMP. The call ends with
// the error out_of_memory or with the whole document, and never with an exception. A program of its own, for it
// replaces operator new.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include <opdebug/opdebug.h>

namespace {

thread_local long allocations_left = -1;  // negative: no limit

// nlohmann_json 3.11 takes some memory in destructors, and ends the program where it gets none. A system that is short
// of memory refuses larger pieces first.
constexpr std::size_t kLarger = 2048;

}  // namespace

void* operator new(std::size_t size) {
    if (size >= kLarger && allocations_left == 0) {
        throw std::bad_alloc();
    }
    allocations_left -= size >= kLarger && allocations_left > 0 ? 1 : 0;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) {
        return memory;
    }
    throw std::bad_alloc();
}
// Of this file's, too: a sanitizer's own would not agree with the deletes below.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    try {
        return operator new(size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

int main(int argc, char** argv) {
    opdebug_options* options = opdebug_options_new();
    opdebug_options_set(options, "language", "zh", nullptr);
    opdebug_options_set(options, "tensors", "1", nullptr);
    char* whole = argc == 2 ? opdebug_decode_file(argv[1], nullptr, options, nullptr) : nullptr;
    if (whole == nullptr) {
        std::puts("usage: out_of_memory_test DUMP");
        return 2;
    }
    long failed = 0;
    long different = 0;
    bool done = false;
    for (long limit = 0; limit < 1'000'000 && !done; ++limit) {
        opdebug_error* error = nullptr;
        allocations_left = limit;
        char* document = opdebug_decode_file(argv[1], nullptr, options, &error);
        done = allocations_left > 0;  // this call needed no more
        allocations_left = -1;
        if (document == nullptr) {
            const bool told = error != nullptr && std::strcmp(opdebug_error_code(error), "out_of_memory") == 0;
            different += told ? 0 : 1;
            failed += 1;
        } else {
            different += error == nullptr && std::strcmp(document, whole) == 0 ? 0 : 1;
        }
        opdebug_error_free(error);
        opdebug_string_free(document);
    }
    opdebug_string_free(whole);
    opdebug_options_free(options);
    std::printf("%ld calls had too little memory, %ld of all gave something else\n", failed, different);
    return done && failed > 0 && different == 0 ? 0 : 1;
}

#include <fstream>

#include <fmt/format.h>

#include <opdebug/dump.hpp>

#include "dump_builder.hpp"
#include "make_damaged.hpp"
#include "official_text.hpp"
#include "op_dump_builder.hpp"
#include "sound_dumps.hpp"

namespace opdebug::damage {
namespace {

using namespace test;

constexpr std::uint64_t kFirstTime = 1772618405000000;  // 2026-03-04 10:00:05 UTC
constexpr std::uint64_t kDumpsInFolder = 50;

void write(const std::filesystem::path& path, const Buffer& bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// What a scan must make of it: a dump that lacks records and has no overflow among the rest is a failed one. The
/// decoder itself is tested by damage.dumps; the formats and commands must agree with it.
std::string expected_of(const Buffer& bytes, const std::string& name, bool is_converted) {
    DecodeOptions options;
    options.file = name;
    const Result<Dump> dump = decode(bytes, options);
    if (!dump) {  // a scan refuses a converted output with the error of all outputs of the dump
        return fmt::format("failed\t{}", is_converted ? "-" : to_string(dump.error().code));
    }
    const auto overflow = dump->overflow();
    return fmt::format("{}\t-", !overflow ? "failed" : *overflow ? "overflowed" : "clean");
}

/// The forms that writers and documents know.
std::string dump_name(std::uint64_t number, std::uint64_t time, Random& random) {
    const std::uint64_t task = number % 60000, stream = random.below(60);
    switch (random.below(12)) {
        case 0: return fmt::format("Opdebug.Node_OpDebug.{}.{}", task, time);
        case 1: return fmt::format("Opdebug.Node_OpDebug.{}.{}.{}.4.1.0.{}", task, stream, time, random.below(8));
        case 2: return fmt::format("OpDebug.Node_Opdebug.{}.{}.{}", task, stream, time);
        default: return fmt::format("Opdebug.Node_OpDebug.{}.{}.{}", task, stream, time);
    }
}

Buffer op_dump_bytes() {
    return build_v2(op_dump({tensor_of(float16_type, {2, 3}, halves({0x3C00, 0x7BFF, 0xFBFF, 0x7C00, 0x7E00, 1}))},
                            {tensor_of(float32_type, {1, 4}, bytes_of_numbers<float>({1.5F, -2.25F, 1e30F, 0.0F}))}));
}

/// Files that lie between the dumps and must not count: an operator's dump with odd bytes in its name, dumps that were
/// renamed, mapping.csv.
void write_other_files(const std::filesystem::path& folder, std::uint64_t number, std::uint64_t time,
                       const Buffer& other, Random& random) {
    static const Buffer op_bytes = op_dump_bytes();
    constexpr const char* odd[] = {"", "\x1b[31m", "=1+1", "'\"<script>", "\xe5\x8a\xa0", "a b", "\xff"};
    const std::string op = fmt::format("Add.net_add{}_{}.{}.{}.{}", random.one_of(odd), number, number % 60000,
                                       random.below(60), time + random.below(1000));
    write(folder / op, damaged(op_bytes, other, random));
    if (random.one_in(20)) {
        write(folder / fmt::format("Opdebug.Node_OpDebug.{}.{}.bak", number, time), other);
        const std::string mapping = fmt::format("{},Mul.net_mul.{}.3.{}\n", number, number % 60000, time);
        write(folder / "mapping.csv", damaged(Buffer(mapping.begin(), mapping.end()), other, random));
        write(folder / fmt::to_string(number), damaged(op_bytes, other, random));
    }
}

}  // namespace

std::uint64_t write_damaged_dumps(const std::filesystem::path& folder, std::uint64_t count, Random& random) {
    const std::vector<SoundDump> sound = sound_dumps();
    const std::string official = official_ai_core_text(272), official_aiv = official_aiv_text();
    std::filesystem::create_directories(folder);
    std::ofstream expected(folder / "expected.tsv");
    std::uint64_t written = 0;
    for (std::uint64_t number = 0; number < count; ++number) {
        const std::uint64_t of_folder = number / kDumpsInFolder, time = kFirstTime + number * 1000;
        const std::string relative =
            fmt::format("rank_{}/20260304100000/{}/net/{}/{}", of_folder % 8, of_folder % 8, 3, of_folder / 8);
        if (number % kDumpsInFolder == 0) {
            std::filesystem::create_directories(folder / "dumps" / relative);
        }
        const Buffer& other = random.one_of(sound).bytes;
        std::string name = dump_name(number, time, random);
        const bool is_converted = random.one_in(40);
        const std::string& text = random.one_in(2) ? official : official_aiv;
        const Buffer bytes =
            damaged(is_converted ? Buffer(text.begin(), text.end()) : random.one_of(sound).bytes, other, random);
        name += is_converted ? ".output.0.json" : "";
        write(folder / "dumps" / relative / name, bytes);
        expected << relative << '/' << name << '\t' << expected_of(bytes, name, is_converted) << '\n';
        written += bytes.size();
        if (random.one_in(10)) {
            write_other_files(folder / "dumps" / relative, number, time, other, random);
        }
    }
    return written;
}

}  // namespace opdebug::damage

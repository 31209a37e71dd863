#include "job_log.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "job.hpp"
#include "log_builder.hpp"
#include "other_lines.hpp"
#include "overflow_tree.hpp"
#include "random.hpp"
#include "task_lines.hpp"

namespace opdebug::bench {
namespace {

constexpr std::int64_t kJobBeginUs = static_cast<std::int64_t>(test::job_begin_us) - test::log_begin_us;
constexpr int kFirstProcess = 5100;
constexpr std::uint64_t kLaunchBeforeOverflowUs = 1'500;

class JobLog {
public:
    JobLog(const LogShape& shape, std::ostream& out) : shape_(shape), out_(out) {
        for (std::uint64_t rank = 0; rank < kRanks; ++rank) {
            processes_.emplace_back(kFirstProcess + static_cast<int>(rank));
        }
    }

    void write() {
        for (std::uint64_t rank = 0; rank < kRanks; ++rank) {
            add_set_up(process_at(rank, static_cast<std::uint64_t>(rank) * 10'000), rank);
            write_lines_of(rank);
        }
        while (written_ < shape_.bytes) {
            const std::uint64_t now_us = time_us();
            if (overflows_ < shape_.overflows && overflow_after_us(overflows_) - kLaunchBeforeOverflowUs <= now_us) {
                launch_for_overflow(overflows_++);
            } else if (launches_ * 1000 < shape_.launches_in_1000 * lines_) {
                launch(now_us);
            } else {
                const std::uint64_t rank = random_.below(kRanks);
                add_other_line(process_at(rank, now_us), kFirstProcess + static_cast<int>(rank), random_);
                write_lines_of(rank);
            }
        }
        while (overflows_ < shape_.overflows) {
            launch_for_overflow(overflows_++);
        }
    }

private:
    /// The job's time goes on with the bytes: the last overflow is at the end.
    std::uint64_t time_us() const {
        const double share = static_cast<double>(written_) / static_cast<double>(shape_.bytes);
        return static_cast<std::uint64_t>(share * static_cast<double>(overflow_after_us(shape_.overflows)));
    }

    test::LogText& process_at(std::uint64_t rank, std::uint64_t after_us) {
        return processes_[rank]
            .at_us(kJobBeginUs + static_cast<std::int64_t>(after_us))
            .thread(kFirstProcess + static_cast<int>(rank));
    }

    void write_lines_of(std::uint64_t rank) {
        const std::string& text = processes_[rank].text();
        out_ << text;
        written_ += text.size();
        lines_ += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
        processes_[rank].clear();
    }

    void launch(std::uint64_t now_us) {
        const std::uint64_t rank = random_.below(kRanks), number = launched_[rank]++;
        const CannTime cann = cann_time_of(rank);
        add_launch(process_at(rank, now_us), cann,
                   {rank, kFirstStream + number % kStreams, number / kStreams % 65'535, number, false,
                    operator_of(random_.below(300), cann, false)});
        ++launches_;
        write_lines_of(rank);
    }

    /// Operators of the model were launched when it was loaded.
    void launch_for_overflow(std::uint64_t number) {
        const Overflow made = overflow(number);
        if (!made.of_model) {
            add_launch(process_at(made.rank, overflow_after_us(number) - kLaunchBeforeOverflowUs),
                       cann_time_of(made.rank), {made.rank, made.stream, made.task, number, false, made.of});
            ++launches_;
            write_lines_of(made.rank);
        }
    }

    LogShape shape_;
    std::ostream& out_;
    std::vector<test::LogText> processes_;
    std::uint64_t launched_[kRanks] = {};
    std::uint64_t written_ = 0, lines_ = 0, launches_ = 0, overflows_ = 0;
    test::Random random_{1};
};

}  // namespace

void write_job_log(const LogShape& shape, std::ostream& out) {
    JobLog(shape, out).write();
}

}  // namespace opdebug::bench

// --shard: which share of the work is this process's, by number or by what its launcher says.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <opdebug/scan.hpp>

namespace opdebug::tool {

/// The value of an environment variable; nothing when it is not set or empty.
using Variables = std::function<std::optional<std::string>(const char* name)>;

/// A shard, or a message why there is none.
struct ChosenShard {
    std::optional<ScanShard> shard;
    std::string message;
};

/// "I/N", from 0/N to N-1/N.
ChosenShard parse_shard(const std::string& text);

/// What the launcher's variables say: Slurm (job arrays, steps), Open MPI, PMI, PMIx, Kubernetes' indexed jobs. An
/// array of jobs with several processes each has as many shards as processes in all. Open MPI, PMI and PMIx are nearer
/// to the process than a Slurm step: mpirun inside a Slurm job leaves variables of the job that are not the process's.
ChosenShard shard_of_launcher(const Variables& variables);

/// Both, with the environment of this process.
ChosenShard chosen_shard(const std::string& value);

}  // namespace opdebug::tool

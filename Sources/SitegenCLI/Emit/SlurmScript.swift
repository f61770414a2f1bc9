/// A script that submits the shards as an array, and after it what makes the site of them.
struct SlurmScript {
  var shards: PlanShards

  var text: String {
    let memory = "#SBATCH --ntasks=1 --cpus-per-task=\(shards.cores ?? 2) --mem=3072M"
    let time = "#SBATCH --time=\(shards.minutes) --signal=B:TERM@120 --requeue --open-mode=append"
    return """
      #!/bin/sh
      # Written by `sitegen emit slurm`.
      #
      #   sh FILE          submits all shards, and what makes the site when they are over
      #   sh FILE 3,17-19  only these shards: `sitegen status --missing` prints such a list
      #
      # Slurm may start a shard twice or forget all of them: what is done is in the store, and only
      # `sitegen status` knows it. Any shard may be submitted again at any time.
      #
      # sbatch keeps the environment in its files, so give a secret as a file that only you can read.
      set -eu

      render() { cat <<'END'
      #!/bin/bash
      #SBATCH --job-name=\(shards.name) --output=%x-%A_%a.log
      \(memory)
      \(time)
      # The number of shards is in the plan: SLURM_ARRAY_TASK_COUNT is 2 after --array=3,17.
      \(body(shards.renderWords, more: " --jobs \"$SLURM_CPUS_PER_TASK\""))
      END
      }

      assemble() { cat <<'END'
      #!/bin/bash
      #SBATCH --job-name=\(shards.name)-assemble --output=%x-%j.log
      \(memory)
      \(time)
      \(body(shards.assembleWords, more: ""))
      END
      }

      # Not more at once than the store can serve.
      array=$(render | sbatch --parsable --array="${1:-0-\(shards.count - 1)}%\(shards.atOnce ?? 20)")
      # afterany: with afterok one failed shard would keep it waiting for ever. It writes nothing while
      # anything is missing.
      site=$(assemble | sbatch --parsable --dependency="afterany:${array%%;*}")
      echo "submitted: shards ${array%%;*}, site ${site%%;*}"

      """
  }

  private func body(_ words: [String], more: String) -> String {
    """
    # --requeue: shards of a node that died start again. --open-mode=append: their log is kept.
    # --signal: two minutes before the time is over this shell gets SIGTERM, and passes it on.
    export TMPDIR="${SLURM_TMPDIR:-${TMPDIR:-/tmp}}"
    program=\(shards.program.shellWord)
    "${SITEGEN:-$program}" \(words.shellWords)\(more) &
    child=$!
    trap 'signal=yes; kill -TERM $child 2>/dev/null' TERM
    # `wait` is over when a signal comes, too.
    while signal=; wait $child; status=$?; [ -n "$signal" ]; do :; done
    # 75 and 143: told to stop; 75 also: the store was away for long. Slurm never looks at exit
    # statuses, so the job puts itself back, and is killed for it: unless it ends because it was
    # cancelled, since who cancels wants no other try.
    case $status in 75 | 143) again=yes ;; *) again= ;; esac
    if [ -n "$again" ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 5 ]; then
      job=${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}${SLURM_ARRAY_TASK_ID:+_$SLURM_ARRAY_TASK_ID}
      [ "$(squeue --noheader --jobs="$job" --format=%T)" = RUNNING ] &&
        scontrol requeue "$job" && sleep 60
    fi
    exit $status
    """
  }
}

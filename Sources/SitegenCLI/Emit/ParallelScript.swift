/// A script for GNU parallel, on this machine or on several that ssh reaches.
struct ParallelScript {
  var shards: PlanShards
  /// The file of their names.
  var hosts: String?

  var text: String {
    let program = shards.program.shellWord
    var words = ["render"] + shards.planWords
    if let cores = shards.cores { words += ["--jobs", String(cores)] }
    let hosts = hosts.map { " --sshloginfile \($0.shellWord)" } ?? ""
    return """
      #!/bin/sh
      # Written by `sitegen emit parallel`: renders all shards, and makes the site of them.
      #
      # Run it again when it was stopped: the log says which shards are done (--resume-failed). If
      # the store has lost something since, remove the log.
      set -u
      program=\(program)
      log=\(shards.name)-\(shards.digest.prefix(8)).joblog
      # A shard that failed is tried again, on another host where there is one (--retries). One at a
      # time on each host, since sitegen itself works on many pictures at once. A host's own shell
      # reads the command once more, so it is quoted twice.
      seq 0 \(shards.count - 1) | parallel --joblog "$log" --resume-failed --retries 4 --tag \\
        --jobs \(shards.atOnce ?? 1)\(hosts) \\
        \(([shards.program] + words).shellWords.shellWord) --shard {}
      # What is missing it tells itself, and then writes nothing.
      exec "$program" \(shards.assembleWords.shellWords)

      """
  }
}

/// A script for GNU parallel, on this machine or on several that ssh reaches.
struct ParallelScript {
  var shards: PlanShards
  /// The file of their names.
  var hosts: String?

  /// What a host is told of the way to the store.
  private static let variables = [
    "SITEGEN_STORE_TOKEN_FILE", "SSL_CERT_FILE", "AWS_REGION", "AWS_DEFAULT_REGION",
    "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3",
  ].map { " --env \($0)" }.joined()

  var text: String {
    let program = shards.program.shellWord
    var words = [shards.program] + shards.renderWords
    if let cores = shards.cores { words += ["--jobs", String(cores)] }
    let hosts = hosts.map { " --sshloginfile \($0.shellWord)\(Self.variables)" } ?? ""
    // `{}` in a word is no number of a shard, so each brace is a quoted word of its own.
    let command = words.shellWords.replacing("{", with: "{''").shellWord
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
      # reads the command once more, so it is quoted twice. A host gets no secret of yours, since all
      # could read it there: it needs a token's file, or keys of S3 in its own environment.
      seq 0 \(shards.count - 1) | parallel --joblog "$log" --resume-failed --retries 4 --tag \\
        --jobs \(shards.atOnce ?? 1)\(hosts) \\
        \(command) --shard {}
      # What is missing it tells itself, and then writes nothing.
      exec "$program" \(shards.assembleWords.shellWords)

      """
  }
}

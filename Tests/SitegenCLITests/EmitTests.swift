import Foundation
import TestSupport
import Testing

/// What `sitegen emit` prints, as shells read it; script/cluster runs it.
struct EmitTests {
  private static let digest = String(repeating: "0123456789abcdef", count: 4)
  /// What shells, GNU parallel and Kubernetes might each take for something else.
  private static let store = "dir:/srv/s t'o{}re$(x)`y`\\z"
  private let site = SiteFolder()

  init() throws { try site.write(users: [("a", ["color:#ff0000"])]) }

  private func emit(_ words: [String]) throws -> RunningProgram.Ending {
    try site.run(["emit"] + words)
  }

  private static let whole = [
    "--plan", digest, "--store", store, "--shards", "40", "--name", "team",
  ]

  @Test(arguments: [
    ["slurm"], ["slurm", "--plan", digest], ["nomad"] + whole,
    ["slurm"] + whole + ["--shards", "0"],
    ["slurm"] + whole + ["--plan", "abc"], ["slurm"] + whole + ["--plan", digest + "0"],
    ["slurm"] + whole + ["--store", "/srv/store"], ["slurm"] + whole + ["--name", "a b"],
    ["slurm"] + whole + ["--output", "a\nEND\nb"],
    ["slurm", "https://example.org/team.json"] + whole,
    ["kubernetes"] + whole + ["--output", "there"],
    ["kubernetes"] + whole + ["--image", "a\u{2028}b"],
    ["kubernetes"] + whole + ["--on", "03:00"], ["slurm"] + whole + ["--on", "03:00"],
    ["parallel", "--every", "1h"] + whole.dropFirst(2),
    ["kubernetes", "--every", "7m"] + whole.dropFirst(2),
  ])
  func `what no scheduler could do is refused`(words: [String]) throws {
    let run = try emit(words)
    #expect(run.status == 2 && run.out.isEmpty, "\(run.out)")
    #expect(!run.err.isEmpty)
  }

  @Test func `Slurm gets the shards of the plan, or those that are named, and then the site`()
    throws
  {
    let script = try emit(["slurm"] + Self.whole + ["--at-once", "7", "--output", "o'ut"]).out
    try site.folder.write(script, to: "job.sh")
    // Stands for sbatch: keeps what it gets, and answers as it does in a federation.
    try tool(
      "bin/sbatch",
      """
      #!/bin/sh
      echo "$@" >>'\(site.path)/asked'
      cat >"\(site.path)/script-$(wc -l <'\(site.path)/asked')"
      echo "42;cluster"

      """)
    for words in [[], ["3,17-19"]] {
      _ = try run(["sh", site.folder.path(of: "job.sh")] + words)
    }
    #expect(
      try site.folder.text(of: "asked") == """
        --parsable --array=0-39%7
        --parsable --dependency=afterany:42
        --parsable --array=3,17-19%7
        --parsable --dependency=afterany:42

        """)
    let render = try said(by: "script-1", variables: ["SLURM_CPUS_PER_TASK": "2"])
    #expect(
      render == ["render", "--plan", Self.digest, "--store", Self.store, "--jobs", "2"])
    let assemble = try said(by: "script-2")
    #expect(assemble.first == "assemble")
    #expect(assemble.contains("--output=\(site.path)/o'ut"), "\(assemble)")
    #expect(assemble.contains("--manifest=\(site.path)/content/manifest.json"), "\(assemble)")
  }

  /// What Slurm does with 75: nothing, so the script must.
  @Test(arguments: [
    (75, 0, "RUNNING", true), (75, 5, "RUNNING", false), (75, 0, "COMPLETING", false),
    (143, 0, "RUNNING", true), (1, 0, "RUNNING", false), (2, 0, "RUNNING", false),
    (3, 0, "RUNNING", false), (0, 0, "RUNNING", false),
  ])
  func `only what may go on later, and was not cancelled, puts itself back`(
    status: Int, restarts: Int, state: String, again: Bool
  ) throws {
    try tool("bin/squeue", "#!/bin/sh\necho \(state)\n")
    try site.folder.write(try emit(["slurm"] + Self.whole).out, to: "job.sh")
    try tool("bin/sbatch", "#!/bin/sh\ncat >>'\(site.path)/script'\n")
    try tool(
      "bin/scontrol",
      "#!/bin/sh\necho $2 >'\(site.path)/again'; exit 1\n")
    try tool("bin/sitegen", "#!/bin/sh\nexit \(status)\n")
    _ = try run(["sh", site.folder.path(of: "job.sh")])
    let ending = try run(
      ["bash", site.folder.path(of: "script")],
      variables: [
        "SITEGEN": site.folder.path(of: "bin/sitegen"), "SLURM_CPUS_PER_TASK": "1",
        "SLURM_ARRAY_JOB_ID": "12", "SLURM_ARRAY_TASK_ID": "3", "SLURM_JOB_ID": "15",
        "SLURM_RESTART_COUNT": "\(restarts)",
      ])
    #expect(ending.status == Int32(status))
    #expect((try? site.folder.text(of: "again")) == (again ? "12_3\n" : nil))
  }

  @Test func `GNU parallel gets words that two shells leave as they are`() throws {
    let script = try emit(["parallel"] + Self.whole + ["--hosts", "ho'sts"]).out
    let program = "\(site.path)/bin/sitegen"
    try site.folder.write(
      script.replacing(BuiltProduct.sitegen, with: program), to: "job.sh")
    try tool(
      "bin/sitegen",
      "#!/bin/sh\nprintf '%s\\n' \"$@\" >>'\(site.path)/said'\n")
    // Hands the command on as parallel does, with the first of the numbers.
    try tool(
      "bin/parallel",
      """
      #!/bin/sh
      while [ $# -gt 3 ]; do
        [ "$1" != --sshloginfile ] || echo "$2" >'\(site.path)/hosts'
        shift
      done
      sh -c "$(printf '%s' "$1 $2 $3" | sed 's/{}/0/g')"

      """)
    #expect(try run(["sh", site.folder.path(of: "job.sh")]).status == 0)
    #expect(try site.folder.text(of: "hosts") == "\(site.path)/ho'sts\n")
    let said = try site.folder.text(of: "said").split(separator: "\n")
    #expect(
      said.prefix(7) == [
        "render", "--plan", Self.digest[...], "--store", Self.store[...], "--shard", "0",
      ])
    #expect(said.dropFirst(7).first == "assemble")
  }

  @Test func `Kubernetes gets what each image and store needs`() throws {
    let inFolder = try emit(["kubernetes"] + Self.whole + ["--image", "r.example/s@sha256:0"]).out
    #expect(inFolder.contains("completions: 40 "))
    #expect(inFolder.contains("claimName: \"team-store\""))
    #expect(inFolder.contains("image: \"r.example/s@sha256:0\""))
    #expect(inFolder.contains("name: team-01234567-render"))
    #expect(inFolder.contains(#"mountPath: "/srv/s t'o{}re$(x)`y`\\z""#))
    // Two signs stand for one, and begin no variable.
    #expect(inFolder.contains(#""--store", "dir:/srv/s t'o{}re$$(x)`y`\\z", "--jobs""#))
    #expect(
      inFolder.contains("name: status") && inFolder.contains("args: [\"assemble\", \"/site\""))
  }

  /// What stands for Kubernetes runs it in script/cluster_kubernetes.py.
  @Test func `Kubernetes plans at its times, and makes the Jobs of each plan`() throws {
    let words = ["kubernetes", "--on", "Mon..Fri 03:30"] + Self.whole.dropFirst(2)
    let text = try emit(words + ["--strict", "--adopt", "--at-once", "7"]).out
    #expect(text.contains("schedule: \"30 3 * * 1,2,3,4,5\""))
    #expect(text.contains("serviceAccountName: \"team-plan\""))
    #expect(!text.contains("automountServiceAccountToken"))
    let script = try #require(text.split(separator: "\n").first { $0.contains("args:") })
    #expect(script.contains("plan=$$('sitegen' 'plan' '--quiet' '/site' '--shards' '40'"))
    // Only what makes the site needs to know what lies there.
    #expect(script.components(separatedBy: "'--strict'").count == 3)
    #expect(script.components(separatedBy: "'--adopt'").count == 2)
    #expect(script.contains("'--at-once' '7'"))
    // Jobs of an equal plan run again: a person's words are in no plan, and a shard may have failed.
    #expect(script.contains("kubectl delete --ignore-not-found --wait=false -f /tmp/jobs.yaml &&"))
    #expect(text.contains("verbs: [create, delete, get, patch]"))
  }

  @Test func `a name for Kubernetes has no capitals, and is a text that ends as it must`() throws {
    for name in ["On", "on--"] {
      let jobs = try emit(["kubernetes"] + Self.whole + ["--name", name]).out
      #expect(jobs.contains("labels: { app: \"on\" }") && jobs.contains("claimName: \"on\""))
      #expect(jobs.contains("name: on-01234567-render") && jobs.contains("name: on-store,"))
    }
  }

  @Test func `pictures that all machines see are read where they are`() throws {
    let words = Self.whole + ["--sources", "shared"]
    let folder = "\(site.path)/content"
    for scheduler in ["slurm", "parallel"] {
      let script = try emit([scheduler] + words).out
      #expect(script.contains("--sources") && script.contains(folder))
      #expect(!(try emit([scheduler] + Self.whole).out.contains("--sources")))
    }
    let jobs = try emit(["kubernetes"] + words).out
    #expect(jobs.contains(#""--sources", "/site/content""#))
    #expect(jobs.components(separatedBy: "mountPath: \"/site\"").count == 4, "in each container")
  }

  /// The words with which a script calls the program.
  private func said(by script: String, variables: [String: String] = [:]) throws -> [String] {
    try tool("bin/say", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    let more = variables.merging(["SITEGEN": site.folder.path(of: "bin/say")]) { $1 }
    let ending = try run(["bash", site.folder.path(of: script)], variables: more)
    #expect(ending.status == 0)
    return ending.out.split(separator: "\n").map(String.init)
  }

  private func tool(_ name: String, _ text: String) throws {
    if !site.folder.exists("bin") { try site.folder.makeFolder("bin") }
    _ = try site.folder.program(text, at: name)
  }

  private func run(
    _ words: [String], variables: [String: String] = [:]
  ) throws -> (out: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = URL(fileURLWithPath: site.path)
    process.environment = ["PATH": "\(site.path)/bin:/usr/bin:/bin"].merging(variables) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: data, as: UTF8.self), process.terminationStatus)
  }
}

import TestSupport

struct ManifestFileTests {
  private let site = SiteFolder()

  /// M1: a build exits with 2 if the manifest is missing, a folder, empty or one byte long.
  @Test func `if the manifest file is invalid, a build exits with 2`() throws {
    try site.folder.makeFolder("content/folder.json")
    try site.folder.write("", to: "content/empty.json")
    try site.folder.write("{", to: "content/byte.json")
    try site.folder.write("x", to: "content/byte.yaml")
    try site.folder.write("version: 1", to: "content/manifest.txt")
    try site.folder.link("content/dangling.json", to: "nowhere")
    try site.folder.link("content/loop.json", to: "loop.json")
    let before = Tree(of: site.path)
    for name in [
      "missing.json", "folder.json", "empty.json", "byte.json", "byte.yaml", "manifest.txt",
      "dangling.json", "loop.json", "no/folder/manifest.json", "empty.json/below.json", "",
    ] {
      for command in ["build", "check"] {
        let run = try site.run([command, "--manifest", "content/\(name)"])
        #expect(run.status == 2 && run.signal == nil, "\(name): \(run.err)")
        #expect(run.err.contains("content/\(name)"), "\(name)")
        #expect(run.err.contains("error: ") && run.out.isEmpty)
      }
    }
    #expect(Tree(of: site.path).differences(from: before) == [])
  }

  /// M2: 1 GB is rejected by its size before reading, with a memory limit of 300 MB.
  @Test func `a 1 GB manifest is rejected before it is read`() throws {
    try site.makeSparse("content/manifest.json", bytes: 1 << 30)
    let little = ["/bin/sh", "-c", #"ulimit -d 300000; exec "$0" "$@""#]
    let run = try site.build(through: little)
    #expect(run.status == 2 && run.signal == nil, "\(run.err)")
    #expect(run.err.contains("[manifest-unreadable]\n  note: it is too large"))
  }

  /// M3: a pipe without a writer, a device, a socket and a kernel file are rejected immediately.
  @Test func `a manifest that is a pipe or a device is rejected immediately`() throws {
    try site.makePipe("content/pipe.json")
    for (name, target) in [
      ("zero", "/dev/zero"), ("null", "/dev/null"), ("input", "/dev/stdin"),
      ("random", "/dev/random"), ("memory", "/proc/self/mem"), ("environ", "/proc/self/environ"),
    ] {
      try site.folder.link("content/\(name).json", to: target)
    }
    for name in ["pipe", "zero", "null", "input", "random", "memory", "environ"] {
      let run = try site.start(["build", "--manifest", "content/\(name).json"]).ending()
      #expect(run.status == 2 && run.signal == nil, "\(name): \(run.err)")
      #expect(run.err.contains("[manifest-unreadable]"), "\(name): \(run.err)")
    }
  }

  @Test func `user lists are opened with the same checks as the manifest`() throws {
    try site.folder.write("id\nroot\n", to: "outside.csv")
    try site.makePipe("content/pipe.csv")
    try site.folder.link("content/link.csv", to: "../outside.csv")
    try site.folder.link("content/zero.csv", to: "/dev/zero")
    for name in ["pipe.csv", "link.csv", "zero.csv", "../outside.csv", "missing.csv", "."] {
      try site.write(manifest: #"{"version": 1, "users": {"from": "\#(name)"}}"#)
      let run = try site.start(SiteFolder.buildWords).ending()
      #expect(run.status == 2 && run.signal == nil, "\(name): \(run.err)")
      #expect(run.err.hasPrefix("content/manifest.json:1:"), "\(name): \(run.err)")
    }
  }
}

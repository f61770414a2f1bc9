import Diagnostics
import Glibc
import SitegenCLI
import TestSupport

struct ScheduleTests {
  /// The options, cron's fields (nil if cron cannot express them), and the systemd timer.
  private static let timings: [(words: [String], cron: String?, timer: String)] = [
    (["--every", "15m"], "*/15 * * * *", "OnUnitActiveSec=900s"),
    (["--every", "60m"], "0 */1 * * *", "OnUnitActiveSec=3600s"),
    (["--every", "6h"], "0 */6 * * *", "OnUnitActiveSec=21600s"),
    (["--every", "1d"], "0 0 * * *", "OnUnitActiveSec=86400s"),
    (["--every", "45m"], nil, "OnUnitActiveSec=2700s"),
    (["--every", "90s"], nil, "OnUnitActiveSec=90s"),
    (["--every", "5h"], nil, "OnUnitActiveSec=18000s"),
    (["--on", "06:00"], "0 6 * * *", "OnCalendar=*-*-* 06:00:00"),
    (
      ["--on", "Mon..Fri 6:05"], "5 6 * * 1,2,3,4,5",
      "OnCalendar=Mon,Tue,Wed,Thu,Fri *-*-* 06:05:00"
    ),
    (["--on", "Sun,Wed..Thu 23:59"], "59 23 * * 3,4,0", "OnCalendar=Wed,Thu,Sun *-*-* 23:59:00"),
  ]

  private let site = SiteFolder()

  init() throws { try site.write(users: [("a", ["color:#ff0000"])]) }

  private func printed(_ scheduler: String, _ words: [String]) throws -> RunningProgram.Ending {
    try site.run(["schedule", "print", "--scheduler", scheduler] + words)
  }

  @Test(arguments: timings.indices)
  func `cron and systemd run a job at the same times`(index: Int) throws {
    let timing = Self.timings[index]
    let cron = try printed("cron", timing.words)
    let line = cron.out.split(separator: " ").prefix(5).joined(separator: " ")
    #expect(cron.status == (timing.cron == nil ? 2 : 0), "\(cron.err)")
    #expect(line == timing.cron ?? "")
    let units = try printed("systemd", timing.words)
    #expect(units.out.split(separator: "\n").contains(timing.timer[...]), "\(units.out)")
  }

  @Test(arguments: [
    ["--every", "0m"], ["--every", "15"], ["--every", "-1m"], ["--every", "31d"],
    ["--every", "99999999999999999999d"], ["--every", "9223372036854775807d"],
    ["--on", "24:00"], ["--on", "6"], ["--on", "Fri..Mon 6:00"], ["--on", "Someday 6:00"],
    ["--on", "Mon. 6:00"], ["--on", "6:00 Mon"], ["--on", "Mon..Tue..Wed 6:00"], ["--on", "6:0x"],
    [], ["--every", "1h", "--on", "6:00"], ["--every", "1h", "--system"],
    ["--every", "1h", "--as", "www-data"], ["--every", "1h", "--system", "--as", "root"],
    ["--every", "1h", "--output", "a\nb"],
  ])
  func `an invalid schedule is rejected`(words: [String]) throws {
    let run = try printed("systemd", words)
    #expect(run.status == 2 && run.out.isEmpty, "\(run.out)")
  }

  @Test func `an unknown action is rejected`() throws {
    let run = try site.run(["schedule", "../mysite"])
    #expect(run.status == 2)
    #expect(
      run.err == """
        sitegen: error: unknown action "../mysite" [bad-value]
          help: use install, status, remove or print, as in `sitegen schedule status mysite`

        """)
  }

  private static let odd = "a b'c\"d%e\\f$g`h;i&j*k#l~m{n}(o)é"

  @Test func `cron's shell receives the arguments unchanged`() throws {
    let run = try printed("cron", ["--every", "1h", "--cache", "\(Self.odd)/m"])
    // cron itself only turns `\%` into `%`.
    let command = run.out.split(separator: " ", maxSplits: 5)[5]
      .replacingOccurrences(of: "\\%", with: "%")
    let words = try output(["sh", "-c", "printf '%s\\n' \(command)"]).split(separator: "\n")
    #expect(words.first == BuiltProduct.sitegen[...] && words.dropFirst().first == "build")
    #expect(words.contains("--cache=\(site.path)/\(Self.odd)/m"), "\(words)")
  }

  @Test func `systemd accepts the sandboxed units`() throws {
    let user = ["--system", "--as", "www-data"]
    for words in [
      user + ["--every", "45m"], user + ["--every", "15m"], ["--on", "Mon..Fri 6:30"],
    ] {
      let run = try printed("systemd", words + ["--cache", "\(Self.odd)/m"])
      #expect(run.status == 0)
      let parts = run.out.components(separatedBy: "\n# sitegen-")
      #expect(parts.count == 2)
      let service = "x.service"
      try site.folder.write(parts[0], to: "units/\(service)")
      try site.folder.write("# " + parts[1], to: "units/x.timer")
      let units = [service, "x.timer"].map { site.folder.path(of: "units/\($0)") }
      #expect(try output(["systemd-analyze", "verify"] + units) == "")
      let line = parts[1].split(separator: "\n").first { $0.hasPrefix("OnCalendar=") }
      if let when = line?.dropFirst("OnCalendar=".count) {
        #expect(try output(["systemd-analyze", "calendar", String(when)]).contains("Next elapse"))
      }
      let exposure = try output([
        "systemd-analyze", "security", "--offline=true", "--threshold=25", units[0],
      ])
      #expect(exposure.contains("Overall exposure level"), "\(exposure)")
    }
  }

  /// Returns an environment with a fake systemctl and crontab first in PATH.
  private func environment(systemd: Bool) throws -> [String: String] {
    try site.folder.write(
      """
      #!/bin/sh
      echo "$@" >>\(site.path)/calls
      case $3 in
        --property=ActiveState) echo inactive ;;
        --property=Result) echo success ;;
        --property=*) echo 75 ;;
      esac

      """, to: "bin/systemctl")
    try site.folder.write(
      """
      #!/bin/sh
      case $1 in
        -l) cat \(site.path)/tab 2>/dev/null || { echo "no crontab" >&2; exit 1; } ;;
        -) cat >\(site.path)/tab ;;
        -r) rm \(site.path)/tab ;;
      esac

      """, to: "bin/crontab")
    for name in ["systemctl", "crontab"] {
      try #require(unsafe chmod(site.folder.path(of: "bin/\(name)"), 0o755) == 0)
    }
    var environment = RunningProgram.usualEnvironment
    environment["PATH"] = "\(site.path)/bin:/usr/bin:/bin"
    environment["HOME"] = site.folder.path(of: "home")
    environment["XDG_CONFIG_HOME"] = nil
    environment["systemd_runs"] = systemd ? site.path : "/nonexistent"
    return environment
  }

  @Test func `systemd units can be installed, shown and removed`() throws {
    let environment = try environment(systemd: true)
    func schedule(_ action: String) throws -> RunningProgram.Ending {
      try site.run(["schedule", action, "--every", "1h"], environment: environment)
    }
    let trial = try schedule("print")
    #expect(trial.out.contains("OnUnitActiveSec=3600s") && !site.folder.exists("home"))
    #expect(try schedule("status").status == 2)
    #expect(try schedule("install").status == 0)
    let name = try #require(try jobs(systemd: true).first)
    let unit = "home/.config/systemd/user/\(name)"
    let service = try site.folder.text(of: "\(unit).service")
    #expect(trial.out.contains(service))
    #expect(service.contains("ReadWritePaths=\"\(site.path)/output\" \"\(site.path)/.sitegen\""))
    // The writable folders exist, because systemd units cannot name missing ones.
    #expect(site.folder.exists("output") && site.folder.exists(".sitegen"))
    #expect(try schedule("install").status == 0)
    #expect(try schedule("status").out.contains(", exit status 75 (another build was running)\n"))
    #expect(try schedule("remove").status == 0)
    #expect(
      try site.folder.text(of: "calls").split(separator: "\n").suffix(8) == [
        "--user list-timers --all --no-pager \(name).timer",
        "--user show --property=ExecMainStartTimestamp --value \(name).service",
        "--user show --property=Result --value \(name).service",
        "--user show --property=ActiveState --value \(name).service",
        "--user show --property=ExecMainStatus --value \(name).service",
        "--user status --no-pager --lines=10 \(name).service",
        "--user disable --now \(name).timer", "--user daemon-reload",
      ])
    #expect(!site.folder.exists("\(unit).service"))
    // Units that sitegen did not write are kept.
    try site.folder.write("[Unit]\n", to: "\(unit).service")
    try site.folder.write("[Unit]\n", to: "\(unit).timer")
    for action in ["install", "remove"] {
      let run = try schedule(action)
      #expect(run.status == 2 && run.err.contains("sitegen did not write"), "\(run.err)")
    }
    #expect(try site.folder.text(of: "\(unit).service") == "[Unit]\n")
  }

  @Test func `a crontab line can be added, shown and removed without changing others`() throws {
    let environment = try environment(systemd: false)
    func schedule(_ action: String, _ words: String...) throws -> RunningProgram.Ending {
      try site.run(["schedule", action] + words, environment: environment)
    }
    try makeSites("one", "two")
    try site.folder.write("MAILTO=me\n0 1 * * * others %x\n", to: "tab")
    #expect(try schedule("install", "--every", "1h", "one").status == 0)
    #expect(try schedule("install", "--every", "2h", "two").status == 0)
    #expect(try schedule("install", "--every", "15m", "one", "--strict").status == 0)
    let lines = try site.folder.text(of: "tab").split(separator: "\n")
    #expect(lines.count == 4 && lines[..<2] == ["MAILTO=me", "0 1 * * * others %x"])
    #expect(lines[3].hasPrefix("*/15 ") && lines[3].contains("'--strict'"))
    #expect(try schedule("status", "two").out.hasPrefix("0 */2 * * * "))
    #expect(try schedule("remove", "two").status == 0)
    let again = try schedule("remove", "two")
    #expect(again.status == 2 && again.err.contains("it is not installed"), "\(again.err)")
    #expect(try schedule("remove", "one").status == 0)
    #expect(try site.folder.text(of: "tab") == "MAILTO=me\n0 1 * * * others %x\n")
  }

  /// The second name looks like the end of a crontab line.
  @Test(arguments: ["a'b%", "x; echo $? >$(touch made)'y\\c\\%"])
  func `a cron job records its result, and removing the last job leaves no crontab`(odd: String)
    throws
  {
    let environment = try environment(systemd: false)
    func schedule(_ action: String, _ words: String...) throws -> RunningProgram.Ending {
      try site.run(["schedule", action, odd] + words, environment: environment)
    }
    try makeSites(odd)
    #expect(try schedule("install", "--every", "1h").out.contains("as root") == (getuid() == 0))
    #expect(try schedule("status").out.contains("last run: none yet"))
    // Runs the command as cron does.
    let tab = try site.folder.text(of: "tab")
    let command = tab.split(separator: " ", maxSplits: 5)[5]
      .replacingOccurrences(of: "\\%", with: "%")
    for (manifest, end) in [("{}", "0 (success)"), ("{", "2 (invalid manifest or options)")] {
      if manifest == "{" { try site.folder.write(manifest, to: "\(odd)/content/manifest.json") }
      _ = try RunningProgram(["sh", "-c", command]).ending()
      let status = try schedule("status").out
      #expect(status.contains("last run: 20") && status.contains("status \(end)"), "\(status)")
      #expect(status.hasPrefix(tab) && !site.folder.exists("made"))
    }
    // A symlink is ignored, so that `status` never prints another file.
    try site.folder.remove("\(odd)/.sitegen/last-scheduled")
    try FileManager.default.createSymbolicLink(
      atPath: site.folder.path(of: "\(odd)/.sitegen/last-scheduled"),
      withDestinationPath: "/etc/passwd")
    #expect(try schedule("status").out.contains("last run: none yet"))
    #expect(try schedule("remove").status == 0)
    #expect(!site.folder.exists("tab"))
  }

  private func jobs(systemd: Bool) throws -> [String] {
    if systemd {
      let units = site.folder.path(of: "home/.config/systemd/user")
      return try FileManager.default.contentsOfDirectory(atPath: units)
        .filter { $0.hasSuffix(".timer") }.map { String($0.dropLast(6)) }.sorted()
    }
    return ((try? site.folder.text(of: "tab")) ?? "").split(separator: "\n")
      .compactMap { $0.components(separatedBy: " # sitegen schedule: ").last }.sorted()
  }

  private func makeSites(_ paths: String...) throws {
    for path in paths {
      try site.folder.write(
        site.folder.text(of: "content/manifest.json"), to: "\(path)/content/manifest.json")
    }
  }

  /// H1: Two sites with equal folder names, or without ASCII letters, have separate jobs.
  @Test(arguments: [true, false])
  func `each site has its own job`(systemd: Bool) throws {
    let environment = try environment(systemd: systemd)
    let long = String(repeating: "long", count: 20)
    let sites = ["one/site", "two/site", "é", "ü", "x 50%$'\"\\", "one/\(long)", "two/\(long)"]
    for path in sites { try makeSites(path) }
    func schedule(_ action: String, _ words: String...) throws -> Int32? {
      try site.run(["schedule", action, "--every", "1h"] + words, environment: environment).status
    }
    for path in sites { #expect(try schedule("install", path) == 0) }
    let all = try jobs(systemd: systemd)
    #expect(Set(all).count == sites.count, "\(all)")
    #expect(all.contains { $0.wholeMatch(of: /sitegen-site-[0-9a-f]{8}/) != nil }, "\(all)")
    #expect(all.allSatisfy { $0.utf8.count <= 50 })
    // Other spellings of the site's path produce the same job.
    #expect(try schedule("install", "two/../one/site/") == 0)
    #expect(try schedule("install", "one/site/content") == 0)
    #expect(try schedule("install", "-m", "one/site/content/manifest.json") == 0)
    #expect(try jobs(systemd: systemd) == all)
    #expect(try schedule("status", "one/site") == 0)
    #expect(try schedule("remove", "one/site") == 0)
    #expect(try schedule("status", "one/site") == 2)
    #expect(try schedule("remove", "one/site") == 2)
    #expect(try jobs(systemd: systemd).count == sites.count - 1)
    for path in sites.dropFirst() { #expect(try schedule("remove", path) == 0) }
    #expect(try jobs(systemd: systemd) == [])
  }

  /// H1: `install` replaces a job of an earlier version, whose name lacks the hash.
  @Test(arguments: [true, false])
  func `an old job without a hash in its name is replaced`(systemd: Bool) throws {
    let environment = try environment(systemd: systemd)
    func install(_ path: String) throws -> Int32? {
      try site.run(["schedule", "install", "--every", "1h", path], environment: environment).status
    }
    try makeSites("one/site", "two/site")
    #expect(try install("one/site") == 0)
    let name = try #require(try jobs(systemd: systemd).first)
    let units = "home/.config/systemd/user"
    for path in systemd ? ["service", "timer"].map({ "\(units)/\(name).\($0)" }) : ["tab"] {
      let text = try site.folder.text(of: path).replacing(name, with: "sitegen-site")
      try site.folder.remove(path)
      try site.folder.write(text, to: path.replacing(name, with: "sitegen-site"))
    }
    #expect(try jobs(systemd: systemd) == ["sitegen-site"])
    #expect(try install("two/site") == 0)
    #expect(try jobs(systemd: systemd).contains("sitegen-site"))
    #expect(try install("one/site") == 0)
    let all = try jobs(systemd: systemd)
    #expect(all.count == 2 && all.contains(name) && !all.contains("sitegen-site"), "\(all)")
  }

  /// H1: A job can be shown and removed after its site is deleted.
  @Test(
    arguments: [true, false],
    [
      "one/site", "one/site/content", "one/site/content/manifest.json", "one/team.csv",
      "one/people", "one/people/*.yml",
    ])
  func `the job for a deleted site can be removed`(systemd: Bool, path: String) throws {
    let environment = try environment(systemd: systemd)
    func schedule(_ action: String, _ path: String) throws -> Int32? {
      try site.run(["schedule", action, "--every", "1h", path], environment: environment).status
    }
    try makeSites("one/site", "two/site")
    try site.folder.write("name\nAda Lovelace\n", to: "one/team.csv")
    try site.folder.write("name: Ada Lovelace\n", to: "one/people/ada.yml")
    #expect(try schedule("install", path) == 0)
    #expect(try schedule("install", "two/site") == 0)
    try site.folder.remove("one")
    #expect(try schedule("status", path) == 0)
    #expect(try schedule("remove", path) == 0)
    #expect(try schedule("remove", path) == 2)
    #expect(try schedule("install", path) == 2)
    #expect(try jobs(systemd: systemd).count == 1)
  }

  /// H1: Manifests with different names in one folder are separate sites, and so are two outputs.
  @Test(arguments: [true, false])
  func `each manifest and each output has its own job`(systemd: Bool) throws {
    let environment = try environment(systemd: systemd)
    func schedule(_ action: String, _ words: String...) throws -> Int32? {
      try site.run(["schedule", action, "--every", "1h"] + words, environment: environment).status
    }
    try makeSites("site")
    for name in ["a", "b"] {
      try site.folder.write(site.folder.text(of: "content/manifest.json"), to: "site/\(name).json")
      #expect(try schedule("install", "-m", "site/\(name).json") == 0)
    }
    #expect(try schedule("status", "site") == 2)
    #expect(try schedule("install", "site") == 0)
    #expect(try schedule("install", "site", "--output", "other") == 0)
    #expect(try schedule("install", "site/content", "-o", "site/../other") == 0)
    #expect(try schedule("install", "-m", "site/../site/a.json") == 0)
    #expect(try jobs(systemd: systemd).count == 4)
    #expect(try schedule("remove", "-m", "site/a.json") == 0)
    #expect(try schedule("status", "-m", "site/a.json") == 2)
    #expect(try schedule("status", "-m", "site/b.json") == 0)
    #expect(try schedule("remove", "site") == 0)
    #expect(try schedule("status", "site") == 2)
    #expect(try schedule("remove", "site", "--output", "other") == 0)
    #expect(try jobs(systemd: systemd).count == 1)
  }

  @Test func `a build that runs every second reports failures and stops on a signal`()
    throws
  {
    let program = try site.start(["build", "--every", "1s", "--manifest", "content/manifest.json"])
    func wait(for condition: () -> Bool) throws {
      let isSo = eventually(condition)
      try #require(isSo, "\(program.complained)")
    }
    try wait { site.folder.exists("output/index.html") }
    try site.write(manifest: "{")
    try wait { program.complained.contains("manifest.json") }
    try site.write(users: [("b", ["color:#00ff00"])])
    try wait { (try? site.assets().users["b"]) != nil }
    program.send(SIGTERM)
    #expect(try program.ending().status == 128 + SIGTERM)
  }

  private func output(_ words: [String]) throws -> String {
    let run = try RunningProgram(words).ending()
    return run.out + run.err
  }
}

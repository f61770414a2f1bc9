import Build
import Bytes
import Diagnostics
import Foundation
import Manifest

extension Option {
  fileprivate static let on = Option(
    "on", .text("TIME"), in: .own, "build at this time, such as `06:00` or `Mon..Fri 06:00`")
  fileprivate static let scheduler = Option(
    "scheduler", .choice(["systemd", "cron"]), absent: "systemd if it is running, else cron",
    in: .own, "the scheduler that starts the builds")
  fileprivate static let system = Option(
    "system", in: .own, "install the job system-wide; requires root and --as")
  fileprivate static let runAs = Option(
    "as", .text("USER"), in: .own, "with --system: the non-root user who runs the builds")
}

extension Command {
  /// Options passed to `build` as absolute paths.
  private static let paths: [Option] = [.manifest, .output, .cache, .templates]
  /// Options passed to `build` unchanged.
  private static let flags: [Option] = [
    .jobs, .wait, .strict, .adopt, .allowEmpty, .allowShrink, .offline, .timeout, .memory,
    .requireSandbox,
  ]

  static let schedule: Command = Command(
    "schedule", "Run builds on a schedule, with systemd or cron",
    operands: [Operand(name: "ACTION", help: "install, status, remove or print"), .site],
    oneOf: [.every, .on], options: [.scheduler, .system, .runAs] + paths + flags, exits: [3]
  ) { (arguments, session) throws(Diagnostic) in
    var arguments = arguments
    let action = arguments.takeFirst()
    guard ["install", "status", "remove", "print"].contains(action) else {
      throw .usage(
        .badValue, "unknown action \(action.quoted)", "schedule",
        help: "use install, status, remove or print, as in `sitegen schedule status mysite`")
    }
    let name = arguments.jobName
    var environment = session.console.environment
    let hasSystemd = FileManager.default.fileExists(
      atPath: environment["systemd_runs"] ?? "/run/systemd/system")
    let scheduler = arguments.text(.scheduler) ?? (hasSystemd ? "systemd" : "cron")
    environment.merge([
      "action": action, "name": name, "scope": arguments.has(.system) ? "system" : "user",
      "scheduler": scheduler, "mark": ScheduledBuild.mark, "owner": arguments.text(.runAs) ?? "",
    ]) { $1 }
    if action == "install" || action == "print" {
      let job = try makeJob(arguments)
      let line = scheduler == "cron" ? try job.cronLine(name) : ""
      session.console.out(
        scheduler == "cron"
          ? line + "\n" : "# \(name).service\n\(job.service)\n# \(name).timer\n\(job.timer)")
      if action == "print" { return .success }
      (environment["service"], environment["timer"]) = (job.service, job.timer)
      environment["line"] = line
      environment["folders"] = job.writable.map { $0 + "\n" }.joined()
    }
    return try runScript(environment)
  }

  private static func makeJob(_ arguments: RawArguments) throws(Diagnostic) -> ScheduledBuild {
    let timing: Timing
    switch (arguments.text(.every), arguments.text(.on)) {
    case (let text?, nil): timing = try Timing(every: text, "schedule")
    case (nil, let text?): timing = try Timing(on: text)
    default:
      throw .usage(
        .missingValue, "no build time given", "schedule",
        help: "use either --every or --on, for example --every 1h")
    }
    let user = arguments.text(.runAs)
    guard arguments.has(.system) == (user != nil), user != "root", user?.hasPrefix("-") != true,
      user?.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "%") }) != false
    else {
      throw .usage(
        .badValue, "--system requires --as with a non-root user", "schedule",
        help: "specify the user who owns the site")
    }
    if let url = arguments.operands.first, SiteLocation.isAddress(url) || url.repository != nil {
      throw .usage(
        .badValue, "`schedule` needs a site folder", "schedule",
        help: "create one: sitegen init --from \(url) team")
    }
    let options = try arguments.buildOptions("schedule")
    var build = [Programs.own.main, "build"] + arguments.operands.map(\.absolutePath)
    for option in paths {
      if let path = arguments.text(option) { build.append("--\(option.name)=\(path.absolutePath)") }
    }
    if arguments.operands.isEmpty, !arguments.has(.manifest) {
      build.append("--manifest=\(options.manifest.absolutePath)")
    }
    build += ["--quiet", "--new-problems"]
    build += flags.filter(arguments.has).map { option in
      let value = arguments.text(option) ?? ""
      return "--\(option.name)" + (value.isEmpty ? "" : "=\(value)")
    }
    let output = options.output.absolutePath
    let job = ScheduledBuild(
      timing: timing, command: build, folder: (output as NSString).deletingLastPathComponent,
      writable: [output, options.cache.absolutePath], user: user, memory: options.memory >> 20)
    // A line break would corrupt the unit or crontab.
    let words = job.command + job.writable
    if let odd = words.first(where: { $0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }) {
      throw .usage(
        .badValue, "cannot schedule \(odd.quoted): it contains control characters", "schedule")
    }
    return job
  }

  private static func runScript(_ environment: [String: String]) throws(Diagnostic) -> ExitStatus {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let script = String(decoding: PackageResources.schedule_sh, as: UTF8.self)
    process.arguments = ["-c", script, "sitegen"]
    process.environment = environment
    do {
      try process.run()
    } catch {
      throw Diagnostic(
        .error, .machineFailed, "cannot run /bin/sh", note: error.localizedDescription)
    }
    process.waitUntilExit()
    switch process.terminationStatus {
    case 0: return .success
    case 2: return .usage
    default: return .machine
    }
  }
}

extension RawArguments {
  /// The job name, with a hash of the site path and, if given, the output path.
  ///
  /// It depends only on the arguments, so that the job of a deleted site can be removed. `site`,
  /// `site/content` and `site/manifest.yaml` are the same site.
  fileprivate var jobName: String {
    var path = (operands.first ?? text(.manifest) ?? ".").absolutePath
    for names in [["manifest.yaml", "manifest.yml", "manifest.json"], ["content"]] {
      let (folder, name) = parts(of: path)
      if names.contains(name) { path = folder.count > 1 ? String(folder.dropLast()) : folder }
    }
    let site = path + (text(.output).map { "\n" + $0.absolutePath } ?? "")
    let last = parts(of: path).name.lowercased()
    let plain = String(last.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    return "sitegen-\(plain.prefix(33))-\(Digest(of: Array(site.utf8)).hex.prefix(8))"
  }
}

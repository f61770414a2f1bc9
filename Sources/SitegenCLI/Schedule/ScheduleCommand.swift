import Build
import Bytes
import Diagnostics
import Foundation

extension Option {
  static let every = Option(
    "every", .text("TIME"), "build again and again: 15m, 6h, 1d between two starts")
  static let on = Option(
    "on", .text("DAYS TIME"), "when in the week: `06:00`, `Mon..Fri 06:00`, `Sat,Sun 7:30`")
  fileprivate static let name = Option(
    "name", .text("NAME"), absent: "sitegen-, the site's folder and a hash of its path",
    "what the scheduler calls it")
  fileprivate static let system = Option(
    flag: "system", "for the machine, by root, and not for who types this")
  fileprivate static let runAs = Option(
    "as", .text("USER"), "who builds, with --system; never root")
  fileprivate static let print = Option(
    "print", .choice(["systemd", "cron", "kubernetes"]), "print it only, and install nothing")
}

extension Command {
  /// Handed on to the build, with whole paths.
  static let places: [Option] = [
    .manifest, .output, .cache, .templates, .report, .metrics,
  ]
  fileprivate static let flags: [Option] = [
    .jobs, .wait, .strict, .adopt, .allowEmpty, .offline, .timeout, .memory,
    .requireJail,
  ]

  static let schedule: Command = Command(
    "schedule", "Build again and again, by systemd or cron",
    operands: [Operand(name: "WHAT", help: "install, status or remove"), .site],
    options: [.every, .on, .name, .system, .runAs, .print, .dryRun, .directory] + places + flags,
    notes: [
      "`install` writes a service and a timer and starts the timer; where no systemd runs, a line of "
        + "a crontab. Options of `build` are handed on to it, with whole paths. `--dry-run` shows what "
        + "would be written.",
      "A build that finds no change only compares stamps, so a short time costs little. What is "
        + "printed is what is wrong: systemd's journal has it, or cron's mail.",
    ]
  ) { (arguments, session) throws(Diagnostic) in
    var arguments = arguments
    let action = arguments.takeFirst()
    guard ["install", "status", "remove"].contains(action) else {
      throw .usage(
        .badValue, "\(action.quoted) cannot be done with a schedule", "schedule",
        help: "write install, status or remove")
    }
    let isInstall = action == "install"
    // A job can be removed after its site is deleted.
    let site = try JobSite(arguments, mustExist: isInstall)
    // A cluster has no use for a path of this machine; each checkout would have another CronJob.
    let isHashed = !(isInstall && arguments.text(.print) == "kubernetes")
    let name = try arguments.jobName(default: isHashed ? site.name : site.plainName)
    // With a name and no path, the site may be anywhere: its folder may be deleted and forgotten.
    let isAnySite =
      !isInstall && arguments.has(.name) && arguments.operands.isEmpty
      && !arguments.has(.manifest) && !arguments.has(.directory)
    var environment = session.console.environment
    environment["action"] = action
    environment["name"] = name
    environment["others"] = arguments.has(.name) ? "" : site.otherNames.joined(separator: " ")
    environment["commands"] = try isAnySite ? "" : site.commands()
    environment["scope"] = arguments.has(.system) ? "system" : "user"
    environment["mark"] = ScheduledBuild.mark
    if isInstall {
      let job = try arguments.scheduled(name)
      let hasSystemd = FileManager.default.fileExists(
        atPath: environment["systemd_runs"] ?? "/run/systemd/system")
      let kind = arguments.text(.print) ?? (hasSystemd ? "systemd" : "cron")
      let text =
        switch kind {
        case "cron": try job.cronLine() + "\n"
        case "kubernetes": try job.kubernetes()
        default: "# \(name).service\n\(job.service)\n# \(name).timer\n\(job.timer)"
        }
      session.console.out(text)
      if arguments.has(.print) || arguments.has(.dryRun) { return .success }
      environment["service"] = job.service
      environment["timer"] = job.timer
      environment["line"] = kind == "cron" ? String(text.dropLast()) : ""
      environment["folders"] = job.writable.map { $0 + "\n" }.joined()
    }
    return try run(PackageResources.schedule_sh, environment)
  }

  /// A shell does best what only calls other programs.
  private static func run(
    _ script: [UInt8], _ environment: [String: String]
  ) throws(Diagnostic) -> ExitStatus {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", String(decoding: script, as: UTF8.self), "sitegen"]
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
  /// What a scheduler calls the work on this site.
  fileprivate func jobName(default name: String) throws(Diagnostic) -> String {
    let name = text(.name) ?? name
    guard let first = name.first, first.isASCII, first.isLetter, name.utf8.count <= 50,
      name.utf8.allSatisfy({ $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") })
    else {
      throw .usage(
        .badValue, "\(name.quoted) cannot be the name of a job", "schedule",
        help: "give one with --name: letters, digits and -")
    }
    return name
  }

  func timing(_ command: String) throws(Diagnostic) -> Timing {
    switch (text(.every), text(.on)) {
    case (let text?, nil): return try Timing(every: text)
    case (nil, let text?): return try Timing(on: text)
    default:
      throw .usage(
        .missingValue, "say when: --every or --on", command, help: "such as --every 1h")
    }
  }

  fileprivate func scheduled(_ name: String) throws(Diagnostic) -> ScheduledBuild {
    let timing = try timing("schedule")
    let user = text(.runAs)
    guard has(.system) == (user != nil), user != "root", user?.hasPrefix("-") != true,
      user?.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "%") }) != false
    else {
      throw .usage(
        .badValue, "--system and --as belong together, and root builds nothing", "schedule",
        help: "name a user who owns the site")
    }
    let options = try buildOptions("schedule")
    let places = try places(options, "schedule")
    let site = URL(fileURLWithPath: options.output).standardizedFileURL.deletingLastPathComponent()
    let files = [options.report, options.metrics].compactMap(\.self)
      .map { ($0 as NSString).deletingLastPathComponent.wholePath }
    let flags = words(of: Command.flags)
    let job = ScheduledBuild(
      name: name, timing: timing,
      program: Engine.programs.main, places: places,
      flags: flags, folder: site.path,
      writable: [options.output.wholePath, options.cache.wholePath] + files,
      user: user,
      memory: number(.memory))
    try Self.checkWords(job.command + job.writable, "schedule")
    return job
  }

  /// The site and its folders, for a build that starts in another folder.
  func places(_ options: BuildOptions, _ command: String) throws(Diagnostic) -> [String] {
    if let address = operands.first, SiteLocation.isAddress(address) {
      throw .usage(
        .badValue, "`\(command)` needs the folder of a site", command,
        help: "write one: sitegen init --from \(address) team")
    }
    var places = operands.prefix(1).map(\.wholePath)
    for option in Command.places {
      if let path = text(option) { places.append("--\(option.name)=\(path.wholePath)") }
    }
    if operands.isEmpty, !has(.manifest) {
      places.append("--manifest=\(options.manifest.wholePath)")
    }
    return places
  }

  /// Those that were typed, as they are typed again.
  func words(of options: [Option]) -> [String] {
    options.filter(has).map { option in
      (text(option) ?? number(option).map(String.init)).map { "--\(option.name)=\($0)" }
        ?? "--\(option.name)"
    }
  }

  /// Refuses what would end a line of a script or a unit.
  static func checkWords(_ words: [String], _ command: String) throws(Diagnostic) {
    func isOdd(_ word: String) -> Bool {
      // YAML ends lines in more ways than shells do.
      word.unicodeScalars.contains {
        [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
      }
    }
    guard let odd = words.first(where: isOdd) else { return }
    throw .usage(
      .badValue, "\(odd.quoted) has a control character, which no scheduler takes", command)
  }
}

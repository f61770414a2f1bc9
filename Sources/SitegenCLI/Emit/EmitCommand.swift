import Build
import Bytes
import Diagnostics
import Foundation
import Store

extension Option {
  fileprivate static let planShards = Option(
    "shards", .number("N", 1...10_000), "into how many the plan was cut")
  fileprivate static let atOnce = Option(
    "at-once", .number("N", 1...10_000), absent: "20",
    "shards that run at the same time; parallel: on each host, 1 by default")
  fileprivate static let cores = Option(
    "jobs", .number("N", 1...32), letter: "j", absent: "2",
    "cores of each shard; parallel: all of the host by default")
  fileprivate static let minutes = Option(
    "minutes", .number("N", 5...10_000), absent: "60",
    "what a shard may take; one that needs more goes on in another run")
  fileprivate static let image = Option(
    "image", .text("NAME"), absent: "sitegen", "kubernetes: the image, best with its digest")
  fileprivate static let hosts = Option(
    "hosts", .text("FILE"), "parallel: names of hosts for ssh, one on each line")
}

extension Command {
  static let emit = Command(
    "emit", "Print what makes Slurm, Kubernetes or GNU parallel render a plan",
    operands: [Operand(name: "WHAT", help: "slurm, kubernetes or parallel"), .site],
    options: [
      .plan, .planStore, .planShards, .sources, .atOnce, .cores, .minutes, .image, .hosts, .every,
      .on, .name, .directory,
    ] + places + handedOn,
    notes: [
      "It submits nothing. `slurm` and `parallel` print a script that does: `sh FILE`. `kubernetes` "
        + "prints two Jobs: `kubectl apply -f FILE`; with --every or --on, and without --plan, a CronJob "
        + "that plans and makes them. All of them render the shards of the plan, and "
        + "then make the site with `assemble`, to which options of `build` are handed on. "
        + "docs/distributed.md says what each does when something dies.",
      "The program and a folder as store must be at the same path on all machines; in Kubernetes "
        + "the program is that of the image, the site a volume at /site.",
    ]
  ) { (arguments, session) throws(Diagnostic) in
    var arguments = arguments
    let scheduler = arguments.takeFirst()
    let isScheduled = arguments.has(.every) || arguments.has(.on)
    if isScheduled, scheduler != "kubernetes" || arguments.has(.plan) {
      throw .usage(
        .badValue, "--every and --on make no sense here", "emit",
        help: "only Kubernetes has CronJobs, and they make their plans themselves")
    }
    var shards = try arguments.planShards(isPlanned: !isScheduled)
    switch scheduler {
    case "slurm": session.console.out(SlurmScript(shards: shards).text)
    case "kubernetes":
      if let place = Command.places.first(where: arguments.has) {
        throw .usage(
          .badValue, "--\(place.name) makes no sense in Kubernetes", "emit",
          help: "the site is the volume at /site, with all that belongs to it")
      }
      shards.sources = try arguments.pathInVolume(of: shards.sources)
      let image = arguments.text(.image) ?? "sitegen"
      session.console.out(
        isScheduled
          ? try KubernetesSchedule(
            shards: shards, image: image, timing: try arguments.timing("emit")
          ).text()
          : KubernetesJobs(shards: shards, image: image).text)
    case "parallel":
      session.console.out(
        ParallelScript(shards: shards, hosts: arguments.text(.hosts)?.wholePath).text)
    default:
      throw .usage(
        .badValue, "for \(scheduler.quoted) there is nothing to print", "emit",
        help: "write slurm, kubernetes or parallel")
    }
    return .success
  }

  /// Beside the places.
  fileprivate static let handedOn: [Option] = [.strict, .adopt, .allowEmpty]
}

/// The shards of a plan, for any scheduler.
struct PlanShards {
  var name: String
  /// Of the plan; empty where it is not made yet.
  var digest: String
  /// As `--store` takes it.
  var store: String
  var count: Int
  var program: String
  /// The manifest's folder, where all machines see the pictures in it.
  var sources: String?
  /// For `assemble`: the site, where its output goes, and how.
  var places: [String]
  var flags: [String]
  /// Nil: as the scheduler sees fit.
  var atOnce: Int?
  var cores: Int?
  var minutes: Int

  /// The same for every machine.
  var planWords: [String] { ["--plan", digest, "--store", store] }
  var renderWords: [String] { ["render"] + planWords + (sources.map { ["--sources", $0] } ?? []) }
  var assembleWords: [String] { ["assemble"] + places + planWords + flags }
  /// A store that is a folder, in Kubernetes.
  var storeVolume: Pod.Volume? {
    guard store.hasPrefix("dir:") else { return nil }
    return Pod.Volume(
      name: "store", path: String(store.dropFirst(4)), claim: "\(name.kubernetesName)-store")
  }
}

extension RawArguments {
  /// Where a folder of the site is in a pod.
  fileprivate func pathInVolume(of folder: String?) throws(Diagnostic) -> String? {
    guard let folder else { return nil }
    let location = try SiteLocation(
      path: operands.first, manifest: text(.manifest), command: "emit")
    let site = (location.folder.isEmpty ? "." : location.folder).wholePath
    guard "\(folder)/".hasPrefix("\(site)/") else {
      throw .usage(
        .badValue, "the pictures lie outside of the site's folder, which is the volume", "emit",
        help: "plan without --sources shared")
    }
    return "/site" + folder.dropFirst(site.utf8.count)
  }

  fileprivate func planShards(isPlanned: Bool) throws(Diagnostic) -> PlanShards {
    guard let store = try storeLocation("emit") else { throw .lacking("store", "emit") }
    let plan = isPlanned ? try planLocation("emit").digest.hex : ""
    guard let count = number(.planShards) else { throw .lacking("shards", "emit") }
    let options = try buildOptions("emit")
    let places = try places(options, "emit")
    let folder = SiteLocation.parts(of: options.manifest).folder
    let sources = text(.sources) == "shared" ? (folder.isEmpty ? "." : folder).wholePath : nil
    let shards = PlanShards(
      name: try jobName("emit"), digest: plan,
      store: store.path.map { "dir:\($0.wholePath)" } ?? store.address,
      count: count, program: Engine.programs.main, sources: sources, places: places,
      flags: words(of: Command.handedOn), atOnce: number(.atOnce), cores: number(.cores),
      minutes: number(.minutes) ?? 60)
    try Self.checkWords(
      [shards.program, shards.store] + places
        + [sources, text(.image), text(.hosts)].compactMap(\.self),
      "emit")
    return shards
  }
}

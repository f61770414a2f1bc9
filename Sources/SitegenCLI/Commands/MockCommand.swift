import Diagnostics
import Foundation
import Samples

extension Option {
  static let users = Option("users", .number("N", 1...5_000_000), absent: "24", "how many people")
  static let images = Option(
    "images", .number("M", 0...5_000_000), absent: "as many as users",
    "how many different pictures they share")
  static let seed = Option(
    "seed", .seed("S"), absent: "1", "another number draws other people; the same the same")
  static let size = Option(
    "size", .size("WxH"), absent: "usual sizes, mixed", "pixels of every picture")
  static let format = Option(
    "format", .choice(MockOptions.Formats.allCases.map(\.rawValue)), absent: "mix",
    "mix: 85 % JPEG, some lying on their side, 10 % PNG, 5 % WebP")
}

extension Command {
  static let mock: Command = Command(
    "mock", "Draw any number of sample people, and write a manifest for them",
    operand: Operand(
      name: "DIR", help: "an empty folder, or one that is not there yet", isRequired: true),
    options: [.users, .images, .seed, .size, .format, .jobs, .progress, .quiet],
    notes: [
      "The same options make the same bytes, on a machine with the same ImageMagick. Build it "
        + "with `sitegen build --manifest DIR/manifest.yaml`."
    ]
  ) { (arguments, session) throws(Diagnostic) in
    let folder = arguments.operands[0]
    let users = arguments.number(.users) ?? 24
    let images = arguments.number(.images) ?? users
    guard images <= users else {
      throw .usage(
        .badValue, "--images: \(images) pictures are too many for \(users) users", "mock",
        help: "give every picture a user, or raise --users")
    }
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard entries.isEmpty else {
      throw .usage(
        .folderTaken, "\(folder) is not empty", "mock",
        help: "name another folder; nothing is ever overwritten")
    }
    let options = MockOptions(
      users: users, images: images, seed: arguments.seed(.seed) ?? 1, size: arguments.size(.size),
      formats: arguments.text(.format).flatMap(MockOptions.Formats.init) ?? .mix)
    let site = SampleSite.mock(options)
    let writing = SampleWriting(
      site: site, folder: folder, jobs: arguments.jobs,
      meter: ProgressMeter(session.console, style: arguments.progressStyle),
      console: session.console)
    let printer = Printer(session.console, volume: arguments.volume)
    do throws(Diagnostic) {
      if let status = try writing.run() { return status }
    } catch {
      printer.problem(error)
      return .machine
    }
    printer.say("wrote \(folder): a manifest and \(site.pictureCount) pictures")
    return .success
  }
}

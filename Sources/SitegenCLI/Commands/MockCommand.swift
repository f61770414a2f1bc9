import Build
import Diagnostics
import Files
import Foundation
import Recipes
import Samples
import Workers

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
    operands: [Operand(name: "DIR", help: "an empty folder, or one that is not there yet")],
    options: [
      .users, .images, .seed, .size, .format, .directory, .jobs, .progress, .quiet,
    ],
    notes: [
      "The same options make the same bytes, on a machine with the same ImageMagick. Build it "
        + "with `sitegen build DIR`."
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
    return SampleWriting(
      site: .mock(options), folder: folder, jobs: arguments.jobs,
      meter: ProgressMeter(session.console, style: arguments.progressStyle),
      console: session.console
    ).run(arguments.volume)
  }
}

/// Writes a sample site: draws its pictures on all cores and has workers encode them.
struct SampleWriting {
  var site: SampleSite
  var folder: String
  var jobs: Int
  var meter: ProgressMeter
  var console: Console

  /// A signal stops it and leaves no manifest.
  func run(_ volume: Printer.Volume) -> ExitStatus {
    let printer = Printer(console, volume: volume)
    do throws(Diagnostic) {
      let status = try write()
      if status == .success {
        let pictures = site.pictureCount > 0 ? " and \(site.pictureCount) pictures" : ""
        printer.say("wrote \(folder): a manifest\(pictures)")
      }
      return status
    } catch {
      printer.problem(error)
      return .machine
    }
  }

  private func write() throws(Diagnostic) -> ExitStatus {
    try Interruption.watched(console) { (cancellation) throws(Diagnostic) in
      let pool = WorkerPool(program: Engine.programs.worker, width: jobs)
      defer { pool.stop() }
      let queue = WorkQueue(name: "samples", width: jobs, cancellation: cancellation)
      defer { meter.finish() }
      do {
        try site.write(
          to: try Folder(making: folder),
          encode: { try encode($0, in: pool, cancellation) },
          forEach: { count, body in
            var done = 0
            try queue.map(0..<count, work: body) { _, result in
              try result.get()
              done += 1
              meter.update("draw", done: done, of: count)
            }
          })
        return .success
      } catch {
        if cancellation.isCancelled { return .signal(cancellation.signalNumber) }
        throw Diagnostic(writing: folder, error)
      }
    }
  }
}

/// Has a worker make a picture file; throws `WorkerFailure`, or the `Rejection` of its encoder.
private func encode(
  _ request: RenderRequest, in pool: WorkerPool, _ cancellation: Cancellation
) throws -> Data {
  switch try pool.render(request, isCancelled: { cancellation.isCancelled }).first {
  case .image(let image): return image.bytes
  case .rejected(let rejection): throw rejection
  case nil: throw WorkerFailure.garbled
  }
}

extension Diagnostic {
  /// Says why samples could not be written; the cause is always the machine.
  fileprivate init(writing folder: String, _ error: any Error) {
    let (id, note): (DiagnosticID, String) =
      switch error {
      case let error as FileError:
        (.samplesUnwritable, "cannot \(error.operation) \(error.path): \(error.explanation)")
      case WorkerFailure.cannotStart(let why): (.workerCannotStart, why)
      case WorkerFailure.refused(let why): (.imageMagickNotTrusted, why)
      default: (.encodeFailed, "\(error)")
      }
    self.init(
      .error, id, "cannot write the samples to \(folder)", note: note,
      help: "`sitegen doctor` tells what works here")
  }
}

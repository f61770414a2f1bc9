import Build
import Bytes
import Diagnostics
import Documents
import Files
import Foundation
import Preview
import Recipes
import Workers

extension Command {
  static let doctor: Command = Command(
    "doctor", "Check whether this machine can build a site", exits: [3]
  ) { (_, session) throws(Diagnostic) in
    let examination = Examination(worker: Programs.own.worker)
    session.console.out(examination.text)
    return examination.canBuild ? .success : .machine
  }
}

/// The results of `doctor`, which tests each feature by using it.
struct Examination {
  enum Verdict: String {
    case works = "ok"
    case missing = "no"
    case fact
  }

  struct Finding {
    var subject: String
    var verdict: Verdict
    var message: String
    var isNeeded = false
  }

  private(set) var findings: [Finding] = []

  init(worker program: String, fonts: String = BuildOptions.debianFonts) {
    let cores = Cores.allowed()
    add("sitegen", .fact, Version.current)
    add("cores", .fact, "\(cores) available; --jobs defaults to \(min(cores, 32))")
    tryWorker(WorkerPool(program: program, width: 1))
    for (number, package) in FontPackage.all(in: fonts).enumerated() {
      let missing = package.missing.count
      add(
        number == 0 ? "fonts" : "", missing == 0 ? .works : .missing,
        missing == 0
          ? "\(package.name) is installed"
          : "install the package \(package.name) (\(missing) of \(package.count) fonts missing)")
    }
    addFaces(FaceDetector.isUsable())
    addLibrary(
      "xlsx", Workbook.missingLibrary(), Workbook.libraryHelp, "can be read with libzip and expat")
    addLibrary(
      "serve", PreviewServer.missingLibrary(), PreviewServer.libraryHelp, "can use libmicrohttpd")
  }

  mutating func addLibrary(_ subject: String, _ missing: String?, _ help: String, _ use: String) {
    add(subject, missing == nil ? .works : .missing, missing.map { "\($0): \(help)" } ?? use)
  }

  var canBuild: Bool { findings.allSatisfy { $0.verdict != .missing || !$0.isNeeded } }

  var text: String {
    let column = (findings.map(\.subject.count).max() ?? 0) + 2
    return findings.map { finding in
      let subject = finding.subject.padding(toLength: column, withPad: " ", startingAt: 0)
      let verdict = finding.verdict == .fact ? "  " : finding.verdict.rawValue
      return "\(subject)\(verdict)  \(finding.message.printable)\n"
    }.joined()
  }

  private mutating func add(
    _ subject: String, _ verdict: Verdict, _ message: String, isNeeded: Bool = false
  ) {
    findings.append(
      Finding(subject: subject, verdict: verdict, message: message, isNeeded: isNeeded))
  }

  mutating func addFaces(_ isUsable: Bool?) {
    let name = FaceDetector.debianPackage
    switch isUsable {
    case true?: add("faces", .works, "can be detected, using data from the package \(name)")
    case false?: add("faces", .missing, "cannot be detected: the data in \(name) cannot be used")
    case nil: add("faces", .missing, "cannot be detected: install the package \(name)")
    }
  }
}

extension Examination {
  private mutating func tryWorker(_ pool: WorkerPool) {
    defer { pool.stop() }
    do throws(WorkerFailure) {
      let fingerprint = try pool.fingerprint()
      add("worker", .works, "starts, and obeys sitegen's policy", isNeeded: true)
      if let sandbox = pool.sandbox {
        add("sandbox", sandbox == .whole ? .works : .missing, sandbox.sentence)
        if sandbox.contains(.files) {
          add("fetcher", .works, "cannot open your files (Landlock)")
        } else {
          add("fetcher", .missing, "can read your files if it is compromised (no Landlock)")
        }
      }
      for part in fingerprint.text.split(separator: ";").dropFirst() {
        add("", .fact, String(part.drop { $0 == " " }))
      }
    } catch {
      return add("worker", .missing, Self.message(error), isNeeded: true)
    }
    let pixels = Data((0..<16 * 16).flatMap { [UInt8($0), 120, 40, 255] })
    func read(_ format: String, _ file: Data, isNeeded: Bool = false) {
      tryFormat("read \(format)", isNeeded) { () throws(Rejection) in
        let source = RenderSource.encoded(try Inspection(inspecting: file), reduction: 1)
        return try Self.render(source, file, Encoding(format: .png), pool)
      }
    }
    for format in OutputFormat.allCases {
      let isNeeded = format != .avif
      let image = tryFormat("write \(format.rawValue)", isNeeded) { () throws(Rejection) in
        let encoding = Encoding(format: format, quality: format.defaultQuality)
        return try Self.render(.raster(Self.size), pixels, encoding, pool)
      }
      if let image { read(format.rawValue, image.bytes, isNeeded: isNeeded) }
    }
    for (format, file) in Inspection.Format.samples { read(format.rawValue, file) }
  }

  private static let size = PixelSize(width: 16, height: 16)

  @discardableResult
  private mutating func tryFormat(
    _ subject: String, _ isNeeded: Bool, _ render: () throws(Rejection) -> RenderedImage
  ) -> RenderedImage? {
    do throws(Rejection) {
      let image = try render()
      add(subject, .works, "16 × 16 pixels", isNeeded: isNeeded)
      return image
    } catch {
      add(subject, .missing, error.detail, isNeeded: isNeeded)
      return nil
    }
  }

  private static func render(
    _ source: RenderSource, _ bytes: Data, _ encoding: Encoding, _ pool: WorkerPool
  ) throws(Rejection) -> RenderedImage {
    let recipe = Recipe(
      frame: Frame(base: size, box: size, fit: .stretch), outline: .square, effects: [],
      encoding: encoding)
    let request = RenderRequest(source: source, payload: bytes, recipes: [recipe])
    let answer: Result<RenderedImage, Rejection>?
    do { answer = try pool.render(request, isCancelled: { false }).first } catch {
      throw Rejection(.decodeFailed, message(error))
    }
    switch answer {
    case .success(let image): return image
    case .failure(let rejection): throw rejection
    case nil: throw Rejection(.decodeFailed, "the worker did not respond")
    }
  }

  private static func message(_ failure: WorkerFailure) -> String {
    switch failure {
    case .cancelled: "stopped"
    case .cannotStart(let reason): "the worker cannot start: \(reason)"
    case .refused(let reason): "ImageMagick cannot be trusted: \(reason)"
    default: "the worker \(failure.ending)"
    }
  }
}

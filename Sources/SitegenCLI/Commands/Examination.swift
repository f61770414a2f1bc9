package import Build
import Diagnostics
import Files
import Foundation
import Recipes
package import Workers

/// What `doctor` finds out by trying this machine.
package struct Examination: Sendable {
  /// What is tried; tests give their own answers.
  package struct Probe: Sendable {
    package var fingerprint: @Sendable () throws(WorkerFailure) -> WorkerFingerprint
    package var render: @Sendable (RenderRequest) throws(WorkerFailure) -> [RenderOutcome]
    package var cores: Int
    /// Whether faces can be found; nil when there are no data for it.
    package var detector: @Sendable () -> Bool? = { FaceDetector.isUsable() }
    package var fonts: @Sendable () -> [FontPackage] = { FontPackage.all() }

    package init(
      cores: Int,
      fingerprint: @escaping @Sendable () throws(WorkerFailure) -> WorkerFingerprint,
      render: @escaping @Sendable (RenderRequest) throws(WorkerFailure) -> [RenderOutcome]
    ) {
      self.cores = cores
      self.fingerprint = fingerprint
      self.render = render
    }

    /// Our own program as a worker.
    package static var standard: Probe {
      let pool = WorkerPool(program: Engine.program, width: 1)
      return Probe(
        cores: Cores.allowed(), fingerprint: { () throws(WorkerFailure) in try pool.fingerprint() },
        render: { (request) throws(WorkerFailure) in
          try pool.render(request, isCancelled: { false })
        })
    }
  }

  package enum Verdict: String, Hashable, Sendable {
    case works = "ok"
    case missing = "no"
    /// For your information.
    case fact = "  "
  }

  package struct Finding: Hashable, Sendable {
    package var subject: String
    package var verdict: Verdict
    package var words: String
    /// No build works without it.
    package var isNeeded = false
  }

  package private(set) var findings: [Finding] = []

  package init(_ probe: Probe) {
    add("sitegen", .fact, Version.current)
    add("cores", .fact, "\(probe.cores) for us, so --jobs is \(min(probe.cores, 32)) by default")
    do throws(WorkerFailure) {
      let fingerprint = try probe.fingerprint()
      add("worker", .works, "starts, and keeps to the policy that sitegen sets", isNeeded: true)
      for part in fingerprint.text.split(separator: ";").dropFirst() {
        add("", .fact, String(part.drop { $0 == " " }))
      }
      for format in OutputFormat.allCases { tryWriting(format, probe) }
      for (name, reason) in OutputFormat.unsupported.sorted(by: { $0.key < $1.key }) {
        add("write \(name)", .missing, reason)
      }
      for sample in TinyPicture.all { tryReading(sample, probe) }
    } catch {
      add("worker", .missing, Self.words(error), isNeeded: true)
    }
    addFonts(probe)
    addDetector(probe)
    addLimits()
  }

  package var canBuild: Bool {
    findings.allSatisfy { $0.verdict != .missing || !$0.isNeeded }
  }

  package var text: String {
    let column = (findings.map(\.subject.count).max() ?? 0) + 2
    return findings.map { finding in
      let subject = finding.subject.padding(toLength: column, withPad: " ", startingAt: 0)
      return "\(subject)\(finding.verdict.rawValue)  \(finding.words.printable)\n"
    }.joined()
  }
}

// MARK: - Trying

extension Examination {
  private mutating func add(
    _ subject: String, _ verdict: Verdict, _ words: String, isNeeded: Bool = false
  ) {
    findings.append(
      Finding(subject: subject, verdict: verdict, words: words, isNeeded: isNeeded))
  }

  /// Writes a small picture and reads it again.
  private mutating func tryWriting(_ format: OutputFormat, _ probe: Probe) {
    let side = 16
    let pixels = Data((0..<side * side).flatMap { [UInt8($0), 120, 40, 255] })
    let written = outcome(
      probe, .raster(PixelSize(width: side, height: side)), pixels,
      Encoding(format: format, quality: format.defaultQuality))
    switch written {
    case .failure(let reason):
      add("write \(format.rawValue)", .missing, reason.words, isNeeded: true)
    case .success(let image):
      add("write \(format.rawValue)", .works, "16 × 16 pixels in \(image.bytes.count) bytes")
      tryReading(TinyPicture(name: format.rawValue, bytes: image.bytes, isNeeded: true), probe)
    }
  }

  private mutating func tryReading(_ picture: TinyPicture, _ probe: Probe) {
    let subject = "read \(picture.name)"
    do throws(Rejection) {
      let inspection = try Inspection(inspecting: picture.bytes)
      switch outcome(
        probe, .encoded(inspection, reduction: 1), picture.bytes, Encoding(format: .png))
      {
      case .success: add(subject, .works, "16 × 16 pixels", isNeeded: picture.isNeeded)
      case .failure(let reason):
        add(subject, .missing, reason.words, isNeeded: picture.isNeeded)
      }
    } catch {
      add(subject, .missing, error.detail, isNeeded: picture.isNeeded)
    }
  }

  private struct Failed: Error {
    var words: String
  }

  private func outcome(
    _ probe: Probe, _ source: RenderSource, _ bytes: Data, _ encoding: Encoding
  ) -> Result<RenderedImage, Failed> {
    let box = PixelSize(width: 16, height: 16)
    let recipe = Recipe(
      frame: Frame(base: box, box: box, fit: .stretch), outline: .square, effects: [],
      encoding: encoding)
    do throws(WorkerFailure) {
      switch try probe.render(RenderRequest(source: source, payload: bytes, recipes: [recipe]))
        .first
      {
      case .image(let image): return .success(image)
      case .rejected(let rejection): return .failure(Failed(words: rejection.detail))
      case nil: return .failure(Failed(words: "the worker gave no answer"))
      }
    } catch {
      return .failure(Failed(words: Self.words(error)))
    }
  }

  private static func words(_ failure: WorkerFailure) -> String {
    switch failure {
    case .cancelled: "stopped"
    case .cannotStart(let why): "the worker cannot start: \(why)"
    case .refused(let why): "ImageMagick must not be trusted: \(why)"
    default: "the worker \(failure.ending)"
    }
  }

  private mutating func addFonts(_ probe: Probe) {
    for (index, package) in probe.fonts().enumerated() {
      let subject = index == 0 ? "fonts" : ""
      switch package.missing.count {
      case 0: add(subject, .works, "\(package.name) is there")
      case package.count: add(subject, .missing, "none: install the package \(package.name)")
      default:
        let names = package.missing.prefix(3).joined(separator: ", ")
        let more = package.missing.count > 3 ? " and \(package.missing.count - 3) more" : ""
        add(subject, .missing, "no \(names)\(more): install the package \(package.name)")
      }
    }
  }

  private mutating func addDetector(_ probe: Probe) {
    let name = FaceDetector.debianPackage
    switch probe.detector() {
    case true?: add("faces", .works, "can be found, by the data of the package \(name)")
    case false?: add("faces", .missing, "cannot be found: the data of \(name) are of another form")
    case nil: add("faces", .missing, "cannot be found: install the package \(name)")
    }
  }

  private mutating func addLimits() {
    let source = InspectionLimits.standard
    let worker = WorkerLimits.standard
    add(
      "limits", .fact,
      "a picture: \(source.bytes >> 20) MiB, \(source.pixels / 1_000_000) megapixels, "
        + "\(source.side) pixels a side")
    add(
      "", .fact,
      "its structure: \(source.scans) scans (JPEG), \(source.chunks) chunks, "
        + "\(source.parts) parts (AVIF, HEIC)")
    add(
      "", .fact,
      "a worker: \(worker.addressSpace >> 20) MiB of address space; for one picture "
        + "\(worker.processorSeconds) s of processor time, \(Int(worker.wallSeconds)) s in all")
  }
}

/// A picture of 16 by 16 pixels to try a format; `all` has the formats that we read but never write.
struct TinyPicture: Sendable {
  var name: String
  var bytes: Data
  var isNeeded = false

  private init(_ name: String, base64: String) {
    self.name = name
    bytes = Data(base64Encoded: base64) ?? Data()
  }

  init(name: String, bytes: Data, isNeeded: Bool) {
    self.name = name
    self.bytes = bytes
    self.isNeeded = isNeeded
  }

  static let all = [
    TinyPicture(
      "gif",
      base64: """
        R0lGODdhEAAQAIEAAMhQKAAAAAAAAAAAACwAAAAAEAAQAEAIHQABCBxIsKDBgwgTKlzIsKHDhxAjSpxI\
        saLFgQEBADs=
        """),
    TinyPicture(
      "avif",
      base64: """
        AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAA\
        cGljdAAAAAAAAAAAAAAAAAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAETAAAA\
        KAAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAABqaXBycAAAAEtpcGNvAAAA\
        FGlzcGUAAAAAAAAAEAAAABAAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBAAwAAAAAE2NvbHJuY2x4AAEA\
        DQAGgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAAAMG1kYXQSAAoJGAz/2iAhoNCAMhkZR4eGIYeeeeaA\
        AAB1hk3a5nlI+CevN50U
        """),
    TinyPicture(
      "heic",
      base64: """
        AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAXxtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0\
        AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAABoAABAAAAAAAAADIAAAAjaWluZgAAAAAA\
        AQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRtAAAAAAABAAAA/GlwcnAAAADcaXBjbwAAAHVodmND\
        AQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQApQgEB\
        A3AAAAMAkAAAAwAAAwAeoCCBBZbqrprm4CGgwIAAAAyAAAADAIRiAAEABkQBwXPBiQAAABNjb2xybmNs\
        eAABAA0ABoAAAAAUaXNwZQAAAAAAAABAAAAAQAAAAChjbGFwAAAAEAAAAAEAAAAQAAAAAf///9AAAAAC\
        ////0AAAAAIAAAAQcGl4aQAAAAADCAgIAAAAGGlwbWEAAAAAAAAAAQABBYECAwWEAAAAOm1kYXQAAAAu\
        KAGvEyFiY0D1JyL//i9p/8Rmn/MPZYWdyujBW/L6wPZkm8DzqpGegIdppzAVeA==
        """),
  ]
}

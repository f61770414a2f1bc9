package import Build
import Bytes
import Diagnostics
package import Files
import Foundation
import Recipes
package import Store
package import Workers

extension Command {
  static let doctor: Command = Command(
    "doctor", "Tell what works on this machine, and what does not",
    options: [.store, .storeMode, .json],
    notes: [
      "Every format is tried by a worker, as in a build. Exit status 3: a build cannot work here.",
      "With --store a file is written to the store and read again. Exit status 1: the store cannot "
        + "be read, or not be written with --store-mode write or readwrite.",
    ]
  ) { (arguments, session) throws(Diagnostic) in
    let location = try arguments.storeLocation("doctor")
    var examination = Examination(.standard)
    let hasStore = location.map { examination.tryStore($0) } ?? true
    let status: ExitStatus = !examination.canBuild ? .machine : hasStore ? .success : .someFailed
    if arguments.has(.json) {
      session.console.print(
        json: DoctorAccount(exitStatus: status.code, findings: examination.findings))
    } else {
      session.console.out(examination.text)
    }
    return status
  }
}

/// What `--json` prints; docs/report.md names each key.
private struct DoctorAccount: Encodable {
  var version = 1
  var exitStatus: Int32
  var findings: [Examination.Finding]
}

/// What `doctor` finds out by trying this machine.
package struct Examination: Sendable {
  /// What is tried; tests give their own answers.
  package struct Probe: Sendable {
    package var fingerprint: @Sendable () throws(WorkerFailure) -> WorkerFingerprint
    package var render: @Sendable (RenderRequest) throws(WorkerFailure) -> [RenderOutcome]
    /// What a worker can no longer do; nil before the first one.
    package var jail: @Sendable () -> Jail? = { nil }
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
      let pool = WorkerPool(program: Engine.programs.worker, width: 1)
      var probe = Probe(
        cores: Cores.allowed(), fingerprint: { () throws(WorkerFailure) in try pool.fingerprint() },
        render: { (request) throws(WorkerFailure) in
          try pool.render(request, isCancelled: { false })
        })
      probe.jail = { pool.jail }
      return probe
    }
  }

  package enum Verdict: String, Hashable, Sendable, Encodable {
    case works = "ok"
    case missing = "no"
    /// For your information.
    case fact
  }

  package struct Finding: Hashable, Sendable, Encodable {
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
      if let jail = probe.jail() {
        add("jail", jail == .whole ? .works : .missing, jail.sentence)
        let hasNoFiles = jail.contains(.files)
        add(
          "fetcher", hasNoFiles ? .works : .missing,
          hasNoFiles
            ? "no files of yours (Landlock)"
            : "no Landlock here: what is taken over while it fetches may read what you may")
      }
      for part in fingerprint.text.split(separator: ";").dropFirst() {
        add("", .fact, String(part.drop { $0 == " " }))
      }
      for format in OutputFormat.allCases { tryWriting(format, probe) }
      for (name, reason) in OutputFormat.unsupported.sorted(by: { $0.key < $1.key }) {
        add("write \(name)", .missing, reason)
      }
      for (format, file) in Inspection.Format.samples {
        tryReading(format.rawValue, file, isNeeded: false, probe)
      }
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
      let verdict = finding.verdict == .fact ? "  " : finding.verdict.rawValue
      return "\(subject)\(verdict)  \(finding.words.printable)\n"
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

  /// Writes a file to a shared store and reads it; false if the store cannot be used in its mode.
  package mutating func tryStore(_ location: SharedStore.Location) -> Bool {
    do throws(FileError) {
      let seconds = try SharedStore.measure(location.path)
      func milliseconds(_ seconds: Double) -> String { String(format: "%.1f ms", seconds * 1000) }
      add(
        "store", .works,
        "writes 64 KB in \(milliseconds(seconds.write)), reads them in \(milliseconds(seconds.read))"
      )
      return true
    } catch {
      let canRead = (try? Folder(opening: location.path)) != nil
      add(
        "store", canRead && !location.mode.writes ? .fact : .missing,
        canRead ? "can be read but not written: \(error.explanation)" : error.explanation)
      return canRead && !location.mode.writes
    }
  }

  /// Writes a small picture and reads it again.
  private mutating func tryWriting(_ format: OutputFormat, _ probe: Probe) {
    let side = 16
    let isNeeded = format != .avif
    let pixels = Data((0..<side * side).flatMap { [UInt8($0), 120, 40, 255] })
    do throws(Failed) {
      let image = try outcome(
        probe, .raster(PixelSize(width: side, height: side)), pixels,
        Encoding(format: format, quality: format.defaultQuality))
      add(
        "write \(format.rawValue)", .works, "16 × 16 pixels in \(image.bytes.count) bytes",
        isNeeded: isNeeded)
      tryReading(format.rawValue, image.bytes, isNeeded: isNeeded, probe)
    } catch {
      add("write \(format.rawValue)", .missing, error.words, isNeeded: isNeeded)
    }
  }

  private mutating func tryReading(
    _ name: String, _ file: Data, isNeeded: Bool, _ probe: Probe
  ) {
    do throws(Failed) {
      let inspection: Inspection
      do { inspection = try Inspection(inspecting: file) } catch {
        throw Failed(words: error.detail)
      }
      _ = try outcome(probe, .encoded(inspection, reduction: 1), file, Encoding(format: .png))
      add("read \(name)", .works, "16 × 16 pixels", isNeeded: isNeeded)
    } catch {
      add("read \(name)", .missing, error.words, isNeeded: isNeeded)
    }
  }

  private struct Failed: Error {
    var words: String
  }

  private func outcome(
    _ probe: Probe, _ source: RenderSource, _ bytes: Data, _ encoding: Encoding
  ) throws(Failed) -> RenderedImage {
    let box = PixelSize(width: 16, height: 16)
    let recipe = Recipe(
      frame: Frame(base: box, box: box, fit: .stretch), outline: .square, effects: [],
      encoding: encoding)
    let request = RenderRequest(source: source, payload: bytes, recipes: [recipe])
    let answer: RenderOutcome?
    do { answer = try probe.render(request).first } catch { throw Failed(words: Self.words(error)) }
    switch answer {
    case .image(let image): return image
    case .rejected(let rejection): throw Failed(words: rejection.detail)
    case nil: throw Failed(words: "the worker gave no answer")
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

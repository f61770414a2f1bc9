import Build
import Foundation
import Recipes
import SitegenCLI
import TestSupport
import Testing
import Workers

struct ExaminationTests {
  @Test func `a machine that refuses cannot build and is told why`() {
    let examination = Examination(
      Examination.Probe(
        cores: 4,
        fingerprint: { () throws(WorkerFailure) in throw .refused("the policy is loose") },
        render: { (_) throws(WorkerFailure) in throw .garbled }))
    #expect(!examination.canBuild)
    #expect(examination.text.contains("ImageMagick must not be trusted: the policy is loose"))
    #expect(examination.text.contains("4 for us"))
  }

  @Test func `a format that cannot be written is a reason not to build`() {
    let examination = Examination(
      Examination.Probe(
        cores: 1,
        fingerprint: { () throws(WorkerFailure) in
          WorkerFingerprint(text: "sitegen 1; Some Codec 2", files: [])
        },
        render: { (_) throws(WorkerFailure) in
          [.rejected(Rejection(.encodeFailed, "no encoder"))]
        }))
    #expect(!examination.canBuild)
    #expect(examination.text.contains("Some Codec 2"))
    for format in OutputFormat.allCases {
      #expect(
        examination.findings.contains {
          $0.subject == "write \(format.rawValue)" && $0.verdict == .missing
        })
    }
  }

  @Test(arguments: [true, false, nil])
  func `whether faces can be found is told, and never stops a build`(detector: Bool?) throws {
    var probe = Examination.Probe(
      cores: 1,
      fingerprint: { () throws(WorkerFailure) in WorkerFingerprint(text: "sitegen 1", files: []) },
      render: { (_) throws(WorkerFailure) in throw .garbled })
    probe.detector = { detector }
    let finding = try #require(Examination(probe).findings.first { $0.subject == "faces" })
    #expect(finding.verdict == (detector == true ? .works : .missing))
    #expect(finding.words.contains("opencv-data"))
    #expect(!finding.isNeeded)
  }

  @Test func `a detector is what its file says, not its name`() throws {
    let folder = TemporaryFolder()
    try folder.write("<opencv_storage>", to: "cascade.xml")
    #expect(FaceDetector.isUsable(at: folder.path(of: "cascade.xml")) == false)
    #expect(FaceDetector.isUsable(at: folder.path(of: "none.xml")) == nil)
  }

  @Test func `formats that are not written are named, and no reason not to build`() {
    let examination = Examination(
      Examination.Probe(
        cores: 1,
        fingerprint: { () throws(WorkerFailure) in
          WorkerFingerprint(text: "sitegen 1", files: [])
        },
        render: { (_) throws(WorkerFailure) in
          let bytes = Data()
          return [.image(RenderedImage(bytes: bytes, size: PixelSize(width: 16, height: 16)))]
        }))
    for (name, reason) in OutputFormat.unsupported {
      let finding = examination.findings.first { $0.subject == "write \(name)" }
      #expect(finding?.verdict == .missing && finding?.isNeeded == false)
      #expect(finding?.words == reason)
    }
    #expect(Set(OutputFormat.unsupported.keys).isSuperset(of: ["heic", "jxl"]))
    #expect(OutputFormat.allCases.allSatisfy { OutputFormat.unsupported[$0.rawValue] == nil })
  }

  @Test func `no finding can command a terminal`() {
    let examination = Examination(
      Examination.Probe(
        cores: 1,
        fingerprint: { () throws(WorkerFailure) in throw .cannotStart("\u{1B}[2J") },
        render: { (_) throws(WorkerFailure) in throw .garbled }))
    #expect(!examination.text.hasControls)
  }

  @Test func `each package of fonts is there or missing, and never stops a build`() throws {
    let folder = TemporaryFolder()
    func findings() -> [Examination.Finding] {
      var probe = Examination.Probe(
        cores: 1,
        fingerprint: { () throws(WorkerFailure) in WorkerFingerprint(text: "s 1", files: []) },
        render: { (_) throws(WorkerFailure) in throw .garbled })
      let path = folder.path
      probe.fonts = { FontPackage.all(in: path) }
      let findings = Examination(probe).findings
      let start = findings.firstIndex { $0.subject == "fonts" } ?? findings.endIndex
      return Array(findings[start...].prefix(3))
    }
    let packages = ["fonts-noto-color-emoji", "fonts-noto-core", "fonts-wqy-microhei"]
    let none = findings()
    #expect(none.map(\.subject) == ["fonts", "", ""])
    #expect(none.map(\.verdict) == [.missing, .missing, .missing])
    #expect(none.allSatisfy { !$0.isNeeded })
    #expect(
      zip(none, packages).allSatisfy { $0.words.contains("install the package \($1)") })
    try folder.write([0], to: DeclaredFonts.emoji)
    try folder.write([0], to: DeclaredFonts.latin)
    let some = findings()
    #expect(some.map(\.verdict) == [.works, .missing, .missing])
    // Of a package that is there in part the others are missing.
    #expect(some.first?.words == "fonts-noto-color-emoji is there")
    #expect(some.dropFirst().first?.words.contains("Armenian") == true)
  }
}

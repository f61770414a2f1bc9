import Build
import TestSupport

@testable import SitegenCLI

struct ExaminationTests {
  @Test func `a missing worker is reported and prevents builds`() {
    let examination = Examination(worker: "/nonexistent/\u{1B}[2J")
    #expect(!examination.canBuild)
    #expect(examination.text.contains("the worker cannot start: "))
    #expect(!examination.text.hasControls)
  }

  @Test(arguments: [true, false, nil])
  func `a missing face detector does not prevent builds`(isUsable: Bool?) throws {
    var examination = Examination(worker: BuiltProduct.sitegen + "-worker")
    examination.addFaces(isUsable)
    let finding = try #require(examination.findings.last { $0.subject == "faces" })
    #expect(finding.verdict == (isUsable == true ? .works : .missing))
    #expect(finding.message.contains("opencv-data") && !finding.isNeeded)
    #expect(examination.canBuild)
  }

  @Test func `a missing library disables only the feature that needs it`() {
    var examination = Examination(worker: BuiltProduct.sitegen + "-worker")
    #expect(examination.findings.suffix(2).map(\.verdict) == [.works, .works])
    examination.addLibrary("serve", "no such file", "install it", "works")
    #expect(examination.text.hasSuffix("no  no such file: install it\n") && examination.canBuild)
  }

  @Test func `a detector is identified by its content, not its name`() throws {
    let folder = TemporaryFolder()
    try folder.write("<opencv_storage>", to: "cascade.xml")
    #expect(FaceDetector.isUsable(at: folder.path(of: "cascade.xml")) == false)
    #expect(FaceDetector.isUsable(at: folder.path(of: "none.xml")) == nil)
  }

  @Test func `missing font packages are reported but do not prevent builds`() throws {
    let folder = TemporaryFolder()
    func findings() throws -> [Examination.Finding] {
      let findings = Examination(worker: "/nonexistent", fonts: folder.path).findings
      let start = try #require(findings.firstIndex { $0.subject == "fonts" })
      return Array(findings[start...].prefix(3))
    }
    let packages = ["fonts-noto-color-emoji", "fonts-noto-core", "fonts-wqy-microhei"]
    let none = try findings()
    #expect(none.map(\.subject) == ["fonts", "", ""])
    #expect(none.allSatisfy { $0.verdict == .missing && !$0.isNeeded })
    #expect(zip(none, packages).allSatisfy { $0.message.contains("install the package \($1)") })
    try folder.write([0], to: DeclaredFonts.emoji)
    try folder.write([0], to: DeclaredFonts.latin)
    let some = try findings()
    #expect(some.map(\.verdict) == [.works, .missing, .missing])
    // A partly installed package is reported as missing fonts.
    #expect(some[0].message == "fonts-noto-color-emoji is installed")
    #expect(some[1].message.hasSuffix(" fonts missing)"))
  }
}

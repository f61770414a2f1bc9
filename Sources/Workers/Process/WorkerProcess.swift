import Files
import Foundation
import Glibc
import Imaging

/// The hidden mode `sitegen worker`: requests come in on stdin, answers go out on stdout.
///
/// It runs until stdin ends, which also happens when the build dies.
package enum WorkerProcess {
  /// Serves one build, and returns the exit status.
  package static func run() -> Int32 {
    // Before anything allocates much.
    WorkerMemory.configure()
    do {
      var wire = try Wire.takingStandardStreams()
      try serve(&wire)
      return 0
    } catch is Wire.Closed {
      // The build ended, in the middle of a message perhaps: nobody is left to tell.
      return 0
    } catch is Exhausted {
      // There was no room for the request itself; the build knows these words.
      FileHandle.standardError.write(Data("sitegen worker: out of memory\n".utf8))
      return 1
    } catch {
      FileHandle.standardError.write(Data("sitegen worker: \(error)\n".utf8))
      return 2
    }
  }

  private static func serve(_ wire: inout Wire) throws {
    let setup = try wire.readSetup()
    let fault = TestFault.armed()
    do {
      try ProcessLimits.set(addressSpace: setup.addressSpace)
      ImagingRuntime.declare(.worker)
      try ImagingRuntime.start()
      try ProcessLimits.forbidFiles()
    } catch let refusal as ImagingRuntime.Refusal {
      return try wire.send(.refusal, head: Array(refusal.reason.utf8))
    } catch let failure as SystemFailure {
      return try wire.send(.refusal, head: Array(failure.text.utf8))
    }
    let fingerprint = WorkerFingerprint(
      text: ImagingRuntime.fingerprint(), files: MappedFiles.ofThisProcess())
    enterJail()
    try wire.send(.hello, head: fingerprint.head)

    let resources = RenderResources(setup.resources)
    let reader = RequestReader()
    while let job = try wire.readJob(reader, limit: setup.requestBytes) {
      ProcessLimits.allow(
        processorSeconds: job.processorSeconds, wallSeconds: job.wallSeconds)
      fault?.strike(wire)
      do {
        let limit = WorkerLimits.answerBytes(
          for: job.request.recipes, atMost: setup.answerBytes)
        let answer = AnswerMessage(try outcomes(of: job.request, with: resources), limit: limit)
        try wire.send(.answer, head: answer.head, payload: answer.images)
      } catch is Exhausted {
        try wire.send(.exhausted, head: [])
      }
      ProcessLimits.rest()
    }
  }

  /// The place of the seccomp filter and the Landlock rules: coders are loaded, the policy is
  /// read, the descriptors are open, and no stranger's byte has arrived.
  private static func enterJail() {
  }
}

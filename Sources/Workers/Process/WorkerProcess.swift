import Files
import Foundation
import Glibc
import Imaging
import Recipes

/// The hidden mode `sitegen worker`: requests come in on stdin, answers go out on stdout.
///
/// It runs until stdin ends, which also happens when the build dies.
package enum WorkerProcess {
  /// Serves one build, and returns the exit status.
  package static func run() -> Int32 {
    ProcessLimits.configureAllocator()
    do {
      var wire = try Wire.takingStandardStreams()
      try serve(&wire)
      return 0
    } catch is Wire.Closed {
      // The build ended, perhaps in the middle of a message.
      return 0
    } catch is OutOfMemory {
      // There was no memory for the request itself; the build looks for these words.
      FileHandle.standardError.write(Data("sitegen worker: out of memory\n".utf8))
      return 1
    } catch {
      FileHandle.standardError.write(Data("sitegen worker: \(error)\n".utf8))
      return 2
    }
  }

  private static func serve(_ wire: inout Wire) throws {
    let setup = try wire.readSetup()
    #if DEBUG
      let fault = TestFault.armed()
    #endif
    do {
      try ProcessLimits.set(addressSpace: setup.addressSpace)
      ImagingRuntime.allowDecoding()
      try ImagingRuntime.start()
      try ProcessLimits.forbidFiles()
    } catch let refusal as ImagingRuntime.Refusal {
      return try wire.send(.refusal, head: Array(refusal.reason.utf8))
    } catch let failure as SystemFailure {
      return try wire.send(.refusal, head: Array(failure.text.utf8))
    }
    let fingerprint = WorkerFingerprint(
      text: ImagingRuntime.fingerprint(), files: WorkerFingerprint.filesOfThisProcess())
    // Here a seccomp filter and Landlock rules belong: coders are loaded, the policy is read, the
    // descriptors are open, and no byte of a source has arrived.
    try wire.send(.hello, head: fingerprint.head)

    let resources = RenderResources(setup.resources)
    let reader = RequestReader()
    while let job = try wire.readJob(reader, limit: setup.requestBytes) {
      ProcessLimits.allow(
        processorSeconds: job.processorSeconds, wallSeconds: job.wallSeconds)
      #if DEBUG
        fault?.strike(wire)
      #endif
      do {
        let limit = WorkerLimits.answerBytes(
          for: job.request.recipes, atMost: setup.answerBytes)
        let answer = AnswerMessage(try outcomes(of: job.request, with: resources), limit: limit)
        try wire.send(.answer, head: answer.head, payload: answer.images)
      } catch is OutOfMemory {
        try wire.send(.exhausted, head: [])
      }
      ProcessLimits.rest()
    }
  }
}

/// The job needs more memory than there is, which says nothing about the picture.
struct OutOfMemory: Error {}

extension WorkerProcess {
  /// One outcome for each recipe; one that fails does not harm the others.
  static func outcomes(
    of request: RenderRequest, with resources: RenderResources
  ) throws(OutOfMemory) -> [RenderOutcome] {
    TestGate.pass("before-decode")
    var picture: Picture
    do throws(Rejection) {
      picture = try Picture(request.source, request.payload, resources: resources)
    } catch {
      let rejection = try judged(error)
      return request.recipes.map { _ in .rejected(rejection) }
    }
    TestGate.pass("after-decode")
    var outcomes: [RenderOutcome] = []
    outcomes.reserveCapacity(request.recipes.count)
    for recipe in request.recipes {
      do throws(Rejection) {
        outcomes.append(.image(try picture.rendered(recipe) { TestGate.pass("after-draw") }))
      } catch {
        outcomes.append(.rejected(try judged(error)))
      }
    }
    TestGate.pass("after-encode")
    return outcomes
  }
}

/// Throws where a rejection speaks of this machine's memory.
private func judged(_ rejection: Rejection) throws(OutOfMemory) -> Rejection {
  if OutOfMemoryText.occurs(in: rejection.detail) { throw OutOfMemory() }
  return rejection
}

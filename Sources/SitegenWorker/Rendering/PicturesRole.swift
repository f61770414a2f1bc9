import Bytes
import Files
import Foundation
import Imaging
import Recipes
package import Workers

package enum PicturesRole {
  /// Serves a build until the build closes the pipe; in tests, `takeOver` simulates an attack.
  package static func serve(_ wire: consuming Wire, atRequest takeOver: () -> Void = {}) throws {
    ProcessLimits.configureAllocator()
    guard let message = try wire.read(limit: WorkerLimits.setupBytes) else { return }
    guard message.kind == .setup else { throw ByteReader.Malformed() }
    let setup = try Setup(head: message.head, payload: message.payload)
    #if DEBUG
      let fault = TestFault.armed()
    #endif
    do {
      try ProcessLimits.set(addressSpace: setup.addressSpace)
      ImagingRuntime.allowDecoding()
      try ImagingRuntime.start(draws: setup.draws)
      try OwnProcess.forbidFiles()
    } catch let refusal as ImagingRuntime.Refusal {
      return try wire.send(.refusal, head: Array(refusal.reason.utf8))
    } catch let failure as FileError {
      return try wire.send(.refusal, head: Array(failure.message.utf8))
    }
    let fingerprint = WorkerFingerprint(
      text: ImagingRuntime.fingerprint(draws: setup.draws),
      files: WorkerFingerprint.filesOfThisProcess())
    let sandbox: Sandbox
    do {
      #if DEBUG
        // Test gates need file access, which the sandbox would forbid.
        sandbox = TestGate.isArmed ? [] : try enterSandbox(keeping: wire.numbers)
      #else
        sandbox = try enterSandbox(keeping: wire.numbers)
      #endif
    } catch {
      return try wire.send(.refusal, head: Array("sandboxing failed: \(error.explanation)".utf8))
    }
    try wire.send(.hello, head: [sandbox.rawValue] + fingerprint.head)

    let resources = RenderResources(setup.resources)
    let reader = RequestReader()
    while let message = try wire.read(limit: setup.requestBytes) {
      guard message.kind == .request else { throw ByteReader.Malformed() }
      let request = try reader.request(head: message.head, payload: message.payload)
      ProcessLimits.beginJob()
      takeOver()
      #if DEBUG
        fault?.strike(wire)
      #endif
      do {
        let limit = WorkerLimits.answerBytes(for: request.recipes, atMost: setup.answerBytes)
        let answer = AnswerMessage(try outcomes(of: request, with: resources), limit: limit)
        try wire.send(.answer, head: answer.head, payload: answer.images)
      } catch is Wire.OutOfMemory {
        try wire.send(.exhausted, head: [])
      }
      ProcessLimits.endJob()
    }
  }
}

extension PicturesRole {
  /// Returns one outcome per recipe; a failed recipe does not affect the others.
  static func outcomes(
    of request: RenderRequest, with resources: RenderResources
  ) throws(Wire.OutOfMemory) -> [Result<RenderedImage, Rejection>] {
    TestGate.pass("before-decode")
    var picture: Picture
    do throws(Rejection) {
      picture = try Picture(request.source, request.payload, resources: resources)
    } catch {
      let rejection = try judged(error)
      return request.recipes.map { _ in .failure(rejection) }
    }
    TestGate.pass("after-decode")
    var outcomes: [Result<RenderedImage, Rejection>] = []
    outcomes.reserveCapacity(request.recipes.count)
    for recipe in request.recipes {
      do throws(Rejection) {
        outcomes.append(.success(try picture.rendered(recipe) { TestGate.pass("after-draw") }))
      } catch {
        outcomes.append(.failure(try judged(error)))
      }
    }
    TestGate.pass("after-encode")
    return outcomes
  }
}

/// Returns the rejection, or throws if its cause is low memory rather than the picture.
private func judged(_ rejection: Rejection) throws(Wire.OutOfMemory) -> Rejection {
  if OutOfMemoryText.occurs(in: rejection.detail) { throw Wire.OutOfMemory() }
  return rejection
}

import Diagnostics
import Files
import Foundation
import Store
import Workers

/// The versions that affect a worker's output: sitegen's render revision and all libraries used.
///
/// Reading them requires starting a worker, so they are cached until one of the worker's mapped
/// files changes.
struct Fingerprint: Sendable {
  let text: String

  static let unasked = Fingerprint(text: "")

  private init(text: String) {
    self.text = text
  }

  private static let name = "fingerprint"
  /// The key in the `meta` table for the last published site's renderer.
  static let lastKey = "renderer"

  private struct Kept: Codable {
    var program: String
    var text: String
    /// The stamps of the worker's files, keyed by path; zero for missing files.
    var files: [String: FileStamp] = [:]
  }

  init(_ context: BuildContext, inputs: inout Inputs) throws {
    let root = try Folder(opening: "/")
    // For `--require-sandbox`, start a worker to test the sandbox. This also covers the fetcher,
    // which needs the same kernel features but starts later.
    let isSandboxKnown = !context.options.requiresSandbox || context.pool.sandbox == .whole
    if isSandboxKnown, let bytes = try context.index.get(.meta, Self.name),
      let known = Self.known(bytes, program: context.options.programs.worker, root: root, &inputs)
    {
      text = known
      context.pool.expect(known)
      return
    }
    // Workers from an earlier build may have mapped the old files.
    context.pool.renew()
    let moment = FileStamp.now()
    let answer: WorkerFingerprint
    do throws(WorkerFailure) {
      answer = try context.pool.fingerprint { context.cancellation.isCancelled }
    } catch {
      if error == .cancelled { throw CancellationError() }
      throw BuildFailure(error)
        ?? .machine(
          .workerCannotStart, "a worker process is not responding",
          note: "\(error)", help: "`sitegen doctor` shows what this machine lacks")
    }
    text = answer.text
    context.pool.expect(text)
    var kept = Kept(program: context.options.programs.worker, text: text)
    // Include the path used to start the worker, which may be a symlink, and this program itself.
    let files = ["/proc/self/exe", context.options.programs.worker] + answer.files
    // Do not cache if the mapped files are unknown: a changed library would go undetected.
    var isSteady = !answer.files.isEmpty
    for path in files {
      let stamp = try root.stamp(of: Inputs.fromRoot(path))
      inputs.add(path, stamp, takenAt: moment)
      // If a file was replaced in the meantime, the worker may have mapped the old version.
      isSteady = isSteady && stamp?.isTrustworthy(takenAt: moment) == true
      kept.files[path] = stamp ?? StampedPaths.absent
    }
    if isSteady {
      try context.index.put(.meta, Self.name, Array(JSONEncoder().encode(kept)))
    } else {
      try context.index.remove(.meta, [Self.name])
    }
  }

  private static func known(
    _ bytes: [UInt8], program: String, root: Folder, _ inputs: inout Inputs
  ) -> String? {
    guard let kept = try? JSONDecoder().decode(Kept.self, from: Data(bytes)),
      kept.program == program,
      kept.files.allSatisfy({ (try? root.stamp(of: Inputs.fromRoot($0))) == $1 })
    else { return nil }
    for (path, stamp) in kept.files.sorted(by: { $0.key < $1.key }) { inputs.add(path, stamp) }
    return kept.text
  }
}

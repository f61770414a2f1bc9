import Diagnostics
import Files
import Foundation

// A path on the command line may lead to something that is not ours. That is found out before
// anything is made or changed.
extension BuildContext {
  /// - Throws: When the cache cannot be ours, or the report would replace something else.
  static func refuseForeignPaths(_ options: BuildOptions) throws {
    try refuseForeignCache(options)
    if let report = options.report { try refuseForeignReport(report) }
  }

  /// Files in the cache have plain names such as `store`, and are replaced and removed without
  /// asking: so the cache must be a folder of its own.
  static func refuseForeignCache(_ options: BuildOptions) throws {
    if try isOneFolder(options.output, options.cache) {
      throw BuildFailure.usage(
        Diagnostic(
          .error, .cacheNotOurs,
          "the output and the cache are one folder, \(options.cache)",
          help: "name another folder with --cache"))
    }
    guard let cache = try? Folder(opening: options.cache) else { return }
    let entries = try cache.entries()
    guard !entries.isEmpty, !entries.contains(where: { $0.name == lockName }) else { return }
    throw BuildFailure.usage(
      Diagnostic(
        .error, .cacheNotOurs,
        "\(options.cache) is no cache: there are files in it, and sitegen did not make it",
        help: "name an empty folder with --cache, or one that does not exist"))
  }

  private static func isOneFolder(_ one: String, _ other: String) throws -> Bool {
    guard let first = try? Folder(opening: one), let second = try? Folder(opening: other) else {
      return URL(fileURLWithPath: one).standardizedFileURL.path
        == URL(fileURLWithPath: other).standardizedFileURL.path
    }
    return try first.isSame(as: second)
  }

  /// Writing a report replaces the file: a pipe, a device or a link would be lost.
  private static func refuseForeignReport(_ path: String) throws {
    let (folder, name) = try split(path)
    if name.isEmpty {
      throw BuildFailure.usage(
        Diagnostic(
          .error, .reportUnwritable, "\(path) names a folder and no report",
          help: "name a file with --report"))
    }
    guard let kind = try folder.kind(of: name), kind != .file else { return }
    throw BuildFailure.machine(
      Diagnostic(
        .error, .machineFailed, "cannot write the report \(path)",
        note: "it is not a regular file", help: "name another file with --report"))
  }
}

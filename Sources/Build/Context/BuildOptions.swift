package import Diagnostics
import Files
package import Plan
package import Store
import Workers

package struct BuildOptions: Sendable {
  package var manifest = "content/manifest.yaml"
  /// YAML to use instead of a manifest file; its paths are relative to where that file would be.
  package var manifestText: String?
  /// The list, folder or URL to name in the report, for a site without a manifest.
  package var people: String?
  package var output = "output"
  package var cache = ".sitegen"
  package var templates = TemplatesFolder()
  /// Whether pages show recipes and files to the site's author; the manifest can disable this.
  package var isPreview = false
  package var jobs: Int
  /// Publishes nothing if there is a warning or an error.
  package var strict = false
  package var dryRun = false
  /// Takes over files in `output` that sitegen did not write.
  package var adopt = false
  package var allowEmpty = false
  /// Allows losing more than half of the published people, or of the people in a remote list.
  package var allowShrink = false
  package var fetching = FetchingOptions()
  /// A folder where several machines share rendered and fetched files.
  package var store: SharedStore.Location?
  /// Renders only this shard's users into the store and publishes nothing; nil for a full build.
  package var shard: Shard?
  /// Memory limit for all workers together, in bytes.
  package var memory = WorkerLimits.memory()
  /// Fails if a worker's sandbox lacks a layer.
  package var requiresSandbox = false
  package var pages: any PageMaker
  package var programs: Programs
  package var fontsFolder = debianFonts
  package var faceDetector = debianFaceDetector

  package static let debianFonts = "/usr/share/fonts"
  /// An OpenCV cascade with upright features and stumps, the only kind that `Cascade` supports.
  package static let debianFaceDetector =
    "/usr/share/opencv4/haarcascades/haarcascade_frontalface_alt.xml"

  package init(jobs: Int, programs: Programs, pages: any PageMaker) {
    self.jobs = jobs
    self.programs = programs
    self.pages = pages
  }
}

package struct Programs: Sendable, Hashable {
  package var main: String
  /// The worker program, which decodes and fetches pictures without access to the user's files.
  package var worker: String

  /// Uses the worker in the same folder as `program`.
  package init(beside program: String) {
    let folder = program.utf8.lastIndex(of: UInt8(ascii: "/")).map { program[...$0] } ?? ""
    (main, worker) = (program, folder + "sitegen-worker")
  }
}

package struct FetchingOptions: Sendable, Hashable {
  /// Revalidates every URL, even if it is fresh or failed recently.
  package var refresh = false
  /// Fetches and renders everything again.
  package var ignoringCache = false
  package var offline = false
  /// Timeout for one picture, in seconds.
  package var timeout = 15
  /// A file of CA certificates to trust instead of the system's.
  package var certificates: String?
  package var userAgent = "sitegen"
  /// Minimum freshness lifetime in seconds, for previews, which may build on every keystroke.
  package var patience: Int64 = 0
  package var clockOffset: Int64 = 0

  package init() {}

  /// Seconds since 1970.
  var now: Int64 { FileStamp.now() / 1_000_000_000 + clockOffset }
}

package enum ProgressEvent: Sendable, Hashable {
  case stage(String)
  case rendering(done: Int, total: Int)
  case fetching(done: Int, total: Int)
}

package struct BuildResult: Codable, Sendable {
  package var report: Report
  package var diagnostics: Diagnostics

  package init(report: Report, diagnostics: Diagnostics) {
    self.report = report
    self.diagnostics = diagnostics
  }

  /// 0, or 1 if the site was published but something failed.
  package var exitStatus: Int32 { report.users.failed > 0 || diagnostics.hasErrors ? 1 : 0 }
}

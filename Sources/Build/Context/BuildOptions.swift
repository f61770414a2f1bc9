package import Diagnostics
import Files
package import Plan
package import Store
import Workers

package struct BuildOptions: Sendable {
  package var manifest = "content/manifest.yaml"
  /// YAML that replaces the manifest file; paths in it are relative to the folder of `manifest`.
  package var manifestText: String?
  /// The list, folder or URL used instead of a manifest, as shown in the report.
  package var people: String?
  package var output = "output"
  package var cache = ".sitegen"
  package var templates = TemplatesFolder()
  /// Whether pages show recipes and files to the site's author; the manifest can disable this.
  package var isPreview = false
  package var jobs: Int
  package var strict = false
  package var dryRun = false
  /// Whether to publish into a folder with files that sitegen did not write.
  package var adopt = false
  package var allowEmpty = false
  /// Whether the site, or a remote list, may lose more than half of its people.
  package var allowShrink = false
  package var fetching = FetchingOptions()
  /// A folder where several machines share rendered and fetched files.
  package var store: SharedStore.Location?
  /// The shard to render into the store, without publishing; nil for a full build.
  package var shard: Shard?
  /// The memory limit for all workers together, in bytes.
  package var memory = WorkerLimits.memory()
  package var requiresSandbox = false
  package var pages: any PageMaker
  package var programs: Programs
  package var fontsFolder = debianFonts
  package var faceDetector = debianFaceDetector

  package static let debianFonts = "/usr/share/fonts"
  /// The path of an OpenCV cascade with only upright features and stumps, as `Cascade` requires.
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

  package init(beside program: String) {
    let folder = program.utf8.lastIndex(of: UInt8(ascii: "/")).map { program[...$0] } ?? ""
    (main, worker) = (program, folder + "sitegen-worker")
  }
}

package struct FetchingOptions: Sendable, Hashable {
  /// Whether to revalidate every URL, even if it is fresh or failed recently.
  package var refresh = false
  package var ignoringCache = false
  package var offline = false
  /// The timeout for one picture, in seconds.
  package var timeout = 15
  /// The path of a file with CA certificates to trust instead of the system's.
  package var certificates: String?
  package var userAgent = "sitegen"
  /// The minimum time to treat fetched data as fresh, in seconds; 0 except in watch mode.
  package var patience: Int64 = 0
  package var clockOffset: Int64 = 0

  package init() {}

  /// The current time, in seconds since 1970.
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

  /// The exit code: 0, or 1 if the site was published but something failed.
  package var exitStatus: Int32 { report.users.failed > 0 || diagnostics.hasErrors ? 1 : 0 }
}

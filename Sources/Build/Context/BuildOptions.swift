package import Diagnostics
import Files
package import Plan
package import Store
import Workers

/// The options of a build; the command line fills them in.
package struct BuildOptions: Sendable {
  package var manifest = "content/manifest.yaml"
  /// YAML in place of a missing manifest; paths in it are relative to where that would be.
  package var manifestText: String?
  /// What the report calls the people's data that comes without a manifest.
  package var people: String?
  package var output = "output"
  package var cache = ".sitegen"
  package var templates = TemplatesFolder()
  /// For those who make the site: its pages show recipes and files unless the manifest says otherwise.
  package var isPreview = false
  /// How many pictures are worked on at once.
  package var jobs: Int
  /// Every warning is a failure, and a failure publishes nothing.
  package var strict = false
  /// Say what would be done and write nothing.
  package var dryRun = false
  /// Take over files in `output` that sitegen did not write.
  package var adopt = false
  package var allowEmpty = false
  /// More than half the published people may go, and as many of those of a list on the network.
  package var allowShrink = false
  /// How fetched pictures are used.
  package var fetching = FetchingOptions()
  /// A folder in which several machines keep what they have rendered and fetched.
  package var store: SharedStore.Location?
  /// Render only these users into the store, and publish nothing; nil for a whole build.
  package var shard: Shard?
  /// Bytes that all workers together may take.
  package var memory = WorkerLimits.memory()
  /// A worker whose jail lacks a layer is a failure.
  package var requiresJail = false
  package var pages: any PageMaker
  package var programs: Programs
  /// Where the declared fonts lie; tests have other folders.
  package var fontsFolder = debianFonts
  /// The data by which faces are found; tests have others.
  package var faceDetector = debianFaceDetector

  package static let debianFonts = "/usr/share/fonts"
  /// A cascade of stumps over upright rectangles, the only kind that our reader evaluates.
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
  /// Decodes pictures and fetches them, in processes without the user's files.
  package var worker: String

  /// Those that lie beside the main program, whatever that is called.
  package init(beside program: String) {
    let folder = program.utf8.lastIndex(of: UInt8(ascii: "/")).map { program[...$0] } ?? ""
    (main, worker) = (program, folder + "sitegen-worker")
  }
}

/// How a build uses the network.
package struct FetchingOptions: Sendable, Hashable {
  /// Ask for every address again, however fresh it is, and also if it failed before.
  package var refresh = false
  /// Ask as if nothing had been fetched before, and render as if nothing had been rendered.
  package var ignoringCache = false
  /// Connect nowhere.
  package var offline = false
  /// Seconds that one picture may take in all.
  package var timeout = 15
  /// A file of certificates that are trusted instead of the system's.
  package var certificates: String?
  /// Our name in requests.
  package var userAgent = "sitegen"
  /// Seconds for which an answer counts, whatever the server says: a preview builds at every keystroke.
  package var patience: Int64 = 0
  /// Seconds that are added to the clock, for tests.
  package var clockOffset: Int64 = 0

  package init() {}

  /// Seconds since 1970.
  var now: Int64 { FileStamp.now() / 1_000_000_000 + clockOffset }
}

package enum ProgressEvent: Sendable, Hashable {
  /// One part of the sentence begins: "gather the sources".
  case stage(String)
  case rendering(done: Int, total: Int)
  case fetching(done: Int, total: Int)
}

/// The report and the diagnostics of a finished build.
package struct BuildResult: Codable, Sendable {
  package var report: Report
  package var diagnostics: Diagnostics

  package init(report: Report, diagnostics: Diagnostics) {
    self.report = report
    self.diagnostics = diagnostics
  }

  /// 0, or 1 when the site is there but something failed.
  package var exitStatus: Int32 { report.users.failed > 0 || diagnostics.hasErrors ? 1 : 0 }
}

// swift-tools-version: 6.3

// All targets use the same settings: language mode 6, strict memory safety (every unsafe expression
// is marked `unsafe`), internal imports by default, and warnings as errors. `script/test` and
// `script/release` also pass `--explicit-target-dependency-import-check error`, so a target can
// import only the dependencies listed for it below. This list is the architecture.

import PackageDescription

/// Compiles whole modules even in debug builds, which saves a quarter of the work in a first build.
let whole: [SwiftSetting] = [
  .unsafeFlags(
    ["-wmo", "-disable-batch-mode", "-num-threads", "2", "-no-emit-module-separately-wmo"],
    .when(configuration: .debug))
]

let language: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]
let settings = language + whole

/// Optimizes targets with loops over bytes even in debug builds, which `swift run` uses.
///
/// Without optimization, such loops are 12 to 16 times slower.
let optimized = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

func library(
  _ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil,
  swiftSettings: [SwiftSetting] = settings
) -> Target {
  .target(
    name: name, dependencies: dependencies, resources: resources, swiftSettings: swiftSettings)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
  swiftSettings: [SwiftSetting] = settings
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude,
    swiftSettings: swiftSettings)
}

/// The targets that tests of complete sites may import.
let rooms: [Target.Dependency] = [
  "Build", "Compare", "Gallery", "Plan", "Manifest", "Diagnostics", "Documents",
  "Workers", "Recipes", "Imaging", "Fetch", "Transfers", "Store", "Bytes", "Files",
]

/// The worker program, listed as a dependency so that `swift run sitegen` builds it too.
///
/// This also links the worker's libraries into the main program, which adds 15 ms to each start.
/// `script/release` therefore builds both programs separately.
let besides: [Target.Dependency] =
  Context.environment["SITEGEN_ONE_BY_ONE"] == nil ? ["SitegenWorker"] : []

/// Links Swift's ICU as a shared library; otherwise, each program contains a copy of 39 MB.
let shared: [LinkerSetting] =
  Context.environment["SITEGEN_ICU"].map { [.unsafeFlags([$0])] } ?? []

func system(_ name: String, pkgConfig: String?, apt: String?) -> Target {
  .systemLibrary(
    name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig,
    providers: apt.map { [.apt([$0])] })
}

let package = Package(
  name: "sitegen",
  products: [
    .executable(name: "sitegen", targets: ["SitegenCLI"]),
    .executable(name: "sitegen-worker", targets: ["SitegenWorker"]),
  ],
  targets: [
    // C libraries: only their headers.
    system("CMagickWand", pkgConfig: "MagickWand", apt: "libmagickwand-dev"),
    system("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
    system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    system("CCrypto", pkgConfig: nil, apt: "libssl-dev"),
    system("CMicroHTTPD", pkgConfig: nil, apt: "libmicrohttpd-dev"),
    system("CCurl", pkgConfig: nil, apt: "libcurl4-openssl-dev"),
    system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    system("CDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev"),
    system("CLinux", pkgConfig: nil, apt: nil),
    system("CFreeType", pkgConfig: "freetype2", apt: "libfreetype-dev"),
    system("CHarfBuzz", pkgConfig: "harfbuzz", apt: "libharfbuzz-dev"),
    system("CHeif", pkgConfig: "libheif", apt: "libheif-dev"),
    system("CWebP", pkgConfig: "libwebp", apt: "libwebp-dev"),
    system("CVectors", pkgConfig: nil, apt: nil),
    system("CRsvg", pkgConfig: nil, apt: "librsvg2-2"),
    system("CWorkbook", pkgConfig: nil, apt: "libzip-dev"),
    system("CTurboJPEG", pkgConfig: "libturbojpeg", apt: "libturbojpeg0-dev"),

    // Text, records, digests and compressed streams, for all rooms.
    .target(
      name: "Bytes", dependencies: ["CZlib", "CDeflate", "CCrypto", "CVectors"],
      swiftSettings: optimized, linkerSettings: [.linkedLibrary(":libcrypto.a")]),

    // Pictures.
    library("Magick", ["CMagickWand"], swiftSettings: optimized),
    library("Heif", ["CHeif"], swiftSettings: optimized),
    library("WebP", ["CWebP"], swiftSettings: optimized),
    library("JPEG", ["CTurboJPEG"], swiftSettings: optimized),
    library("SVG", ["CRsvg"], swiftSettings: optimized),
    library("Lettering", ["CFreeType", "CHarfBuzz"], swiftSettings: optimized),
    library(
      "Recipes", ["Bytes"], resources: [.embedInCode("Headers/samples")], swiftSettings: optimized),
    library(
      "Imaging",
      [
        "Recipes", "Magick", "Heif", "JPEG", "WebP", "SVG", "Bytes", "Lettering", "CVectors",
      ],
      swiftSettings: optimized),
    library("Workers", ["Recipes", "Bytes", "Files", "CLinux"], swiftSettings: optimized),

    // Text, files, memory.
    library("Diagnostics", []),
    library("Documents", ["CYAML", "CWorkbook", "Bytes", "Diagnostics"], swiftSettings: optimized),
    library("Mustache", ["Bytes", "Diagnostics"], swiftSettings: optimized),
    library("Files", ["CLinux"], swiftSettings: optimized),
    library("Fetch", ["Workers", "Bytes", "Files", "CLinux"]),
    library("Store", ["CSQLite", "Bytes", "Files"], swiftSettings: optimized),
    library("Transfers", ["Fetch", "Workers", "CCurl", "CLinux", "Bytes", "Files"]),

    // The steps from the manifest to the published folder.
    library(
      "Manifest", ["Bytes", "Diagnostics", "Documents", "Recipes"],
      resources: [.embedInCode("Reading/columns.txt")]),
    library("Plan", ["Manifest", "Bytes", "Diagnostics", "Files", "Recipes"]),
    .target(
      name: "Gallery",
      dependencies: [
        "Plan", "Manifest", "Diagnostics", "Documents", "Mustache", "Recipes", "Bytes", "Files",
      ],
      exclude: ["CompiledIn/README.md"],
      // `CompiledIn` is a link to `templates/`, so the templates are embedded in the program.
      resources: [.embedInCode("CompiledIn"), .embedInCode("Exports/package")],
      swiftSettings: settings),
    library(
      "Build",
      [
        "Plan", "Manifest", "Diagnostics", "Documents", "Workers", "Recipes", "Fetch", "Store",
        "Bytes", "Files",
      ]),
    library(
      "Compare",
      [
        "Build", "Gallery", "Plan", "Manifest", "Diagnostics", "Documents", "Mustache", "Recipes",
        "Bytes", "Store", "Files",
      ], swiftSettings: optimized),

    // The user interface.
    library(
      "Preview", ["Bytes", "Files", "CMicroHTTPD"],
      resources: [.embedInCode("Live/live"), .embedInCode("Server/pages")],
      swiftSettings: optimized),
    // The worker program, which keeps decoders and network code out of the main program.
    .target(
      name: "Rendering",
      dependencies: ["Workers", "Imaging", "Recipes", "Bytes", "Files", "CLinux"],
      path: "Sources/SitegenWorker/Rendering", swiftSettings: optimized),
    .executableTarget(
      name: "SitegenWorker",
      dependencies: ["Rendering", "Transfers", "Workers", "Files", "CLinux"],
      path: "Sources/SitegenWorker/Program", swiftSettings: optimized, linkerSettings: shared),
    .executableTarget(
      name: "SitegenCLI",
      dependencies: besides + [
        "Build", "Compare", "Gallery", "Plan", "Manifest", "Diagnostics", "Documents", "Preview",
        "Recipes", "Workers", "Fetch", "Store", "Files", "Bytes",
      ],
      resources: [
        .embedInCode("Schedule/schedule.sh"), .embedInCode("Commands/starter"),
        .embedInCode("Arguments/help.txt"), .embedInCode("Arguments/instead.txt"),
      ],
      swiftSettings: settings, linkerSettings: shared),

    // A worker program that is taken over by a test.
    .executableTarget(
      name: "TakenOver",
      dependencies: ["Rendering", "Transfers", "Workers", "Fetch", "Files", "CLinux"],
      path: "Tests/TakenOver", swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: ["Files", "CZlib"], path: "Tests/TestSupport",
      swiftSettings: optimized),
    .target(
      name: "SiteSupport", dependencies: rooms + ["TestSupport", "Magick"],
      path: "Tests/SiteSupport", swiftSettings: optimized),
    tests("BytesTests", ["Bytes", "CZlib"]),
    tests("MagickTests", ["Magick"]),
    tests("LetteringTests", ["Lettering"]),
    tests(
      "ImagingTests", ["Recipes", "Imaging", "Magick", "Bytes", "CLinux"], swiftSettings: optimized),
    tests("WorkersTests", ["Recipes", "Workers", "Bytes", "Files", "SitegenWorker", "TakenOver"]),

    tests("DocumentsTests", ["Documents", "Diagnostics"]),
    tests("FilesTests", ["Files"]),
    tests("MustacheTests", ["Mustache", "Diagnostics"]),
    tests("StoreTests", ["Store", "Bytes", "Files"]),
    tests(
      "FetchTests",
      ["Fetch", "Transfers", "Workers", "Bytes", "Files", "SitegenWorker", "TakenOver"]),
    tests("PreviewTests", ["Preview", "Files"]),

    tests("DiagnosticsTests", ["Diagnostics"]),
    tests("ManifestTests", rooms + ["SiteSupport"], exclude: ["Lists"]),
    tests("PlanTests", rooms + ["SiteSupport"]),
    tests("GalleryTests", rooms + ["SiteSupport"]),
    // The largest target is compiled last and alone, so two compiler processes share its files.
    tests("BuildTests", rooms + ["SiteSupport", "Magick"], swiftSettings: language),
    tests("BrowserTests", rooms + ["SiteSupport", "Magick"]),
    tests("SitegenCLITests", rooms + ["SitegenCLI"]),
  ]
)

// The parsers under libFuzzer. `script/fuzz` builds this target with the required sanitizers.
if Context.environment["SITEGEN_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Fuzz", dependencies: rooms + ["Mustache", "Preview"], path: "Tests/Fuzz",
      exclude: ["Found"],
      swiftSettings: settings))
}

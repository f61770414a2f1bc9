import Foundation

if let target = FuzzTarget.chosen {
  if let folder = ProcessInfo.processInfo.environment["SITEGEN_FUZZ_SEEDS"] {
    for (number, seed) in target.seeds().enumerated() {
      try Data(seed).write(to: URL(filePath: "\(folder)/seed-\(number)"))
    }
  } else {
    exit(runFuzzer())
  }
} else {
  print(FuzzTarget.all.keys.sorted().joined(separator: "\n"))
}

/// The version of the program; CHANGELOG.md tells what each one brought.
package enum Version {
  package static let current = "0.1.0"
}

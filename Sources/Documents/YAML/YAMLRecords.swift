/// The records of one YAML sequence, each read as soon as libyaml has seen its end.
///
/// Anchors hold for the rest of the list.
final class YAMLRecords {
  private let builder: YAMLBuilder
  private var hasStarted = false

  init(_ window: TextWindow, limits: DocumentLimits) {
    builder = YAMLBuilder(YAMLInput(window, awaiting: limits.recordBytes), limits: limits)
  }

  func next() throws(ReadFailure) -> RecordReader.Finding? {
    if !hasStarted {
      hasStarted = true
      try builder.enterList()
    }
    let event = try builder.next()
    if case .sequenceEnd = event.kind {
      try builder.finish()
      return nil
    }
    return try builder.record(from: event)
  }
}

/// Every diagnostic of the command line itself, once; docs/diagnostics.md lists the same.
package enum CommandLineID: String, CaseIterable, Sendable {
  case unknownCommand = "unknown-command"
  case unknownOption = "unknown-option"
  case missingValue = "missing-value"
  case badValue = "bad-value"
  case missingOperand = "missing-operand"
  case unexpectedWord = "unexpected-word"
  case folderTaken = "folder-taken"
  case samplesUnwritable = "samples-unwritable"
  case strict
  case portTaken = "port-taken"
  case badHost = "bad-host"
  case cannotServe = "cannot-serve"
  case servedToOthers = "served-to-others"
}

extension CommandLineID {
  /// One sentence each: what it means.
  package var meaning: String {
    switch self {
    case .unknownCommand: "The first word is no command."
    case .unknownOption: "The command has no option of this name."
    case .missingValue: "An option stands without its value."
    case .badValue: "The value of an option is not what it takes."
    case .missingOperand: "The command needs a word more, such as a folder."
    case .unexpectedWord: "The command takes no such word."
    case .folderTaken: "Samples would be written among files that are there already."
    case .samplesUnwritable: "A file of the samples could not be written."
    case .strict: "Something was wrong, and `--strict` publishes only what is not."
    case .portTaken: "Another program listens at the port, or at every port that was tried."
    case .badHost: "The address of `--host` is none of this machine's."
    case .cannotServe: "The system would not let us listen."
    case .servedToOthers: "With `--host` the preview may be seen from other machines."
    }
  }

  /// One sentence each: what to do.
  package var advice: String {
    switch self {
    case .unknownCommand, .unknownOption:
      "Use the name that the help line suggests; names are never shortened."
    case .missingValue: "Write `--name VALUE`; a value that begins with a dash, `--name=VALUE`."
    case .badValue: "Use a value that the message names; an option without one takes none."
    case .missingOperand, .unexpectedWord: "Look at `sitegen help COMMAND`."
    case .folderTaken: "Name another folder."
    case .samplesUnwritable: "Make room, or choose a folder that you may write to."
    case .strict: "Mend what the lines above it name, or build without `--strict`."
    case .portTaken: "Leave `--port` out, end the other program, or use `--port 0`."
    case .badHost: "Name an address of this machine, `0.0.0.0` or `::`."
    case .cannotServe: "Look at what the note says; the limits of the system may be too low."
    case .servedToOthers: "Leave `--host` out unless others shall see the site."
    }
  }
}

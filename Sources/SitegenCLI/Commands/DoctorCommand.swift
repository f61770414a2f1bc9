import Diagnostics
import Sitegen

extension Command {
  static let doctor: Command = Command(
    "doctor", "Tell what works on this machine, and what does not",
    notes: [
      "Every format is tried by a worker, as in a build. Exit status 3: a build cannot work here."
    ]
  ) { (_, session) throws(Diagnostic) in
    let examination = Examination(.standard)
    session.console.out(examination.text)
    return examination.canBuild ? .success : .machine
  }
}

import TestSupport

func sitegen(
  _ words: [String], in folder: String = Checkout.root.path
) throws -> RunningProgram.Ending {
  try RunningProgram(sitegen: words, in: folder).ending()
}

func sitegen(_ words: [String], in folder: TemporaryFolder) throws -> RunningProgram.Ending {
  try sitegen(words, in: folder.path)
}

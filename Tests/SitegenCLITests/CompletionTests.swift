import TestSupport

/// Shell completions from script/help_texts.py, tested in real shells.
struct CompletionTests {
  private static let bash = Need("bash", file: "/usr/bin/bash")
  private static let zsh = Need("zsh (script/bootstrap test)", file: "/usr/bin/zsh")
  private static let fish = Need("fish (script/bootstrap test)", file: "/usr/bin/fish")

  private func run(_ words: [String], in folder: TemporaryFolder) throws -> [String] {
    let run = try RunningProgram(words, in: folder.path).ending()
    #expect(run.status == 0)
    return run.out.split(separator: "\n").map(String.init)
  }

  /// Creates a folder with the completions, one file and one folder.
  private func folder() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    let script = Checkout.root.appendingPathComponent("script/help_texts.py").path
    _ = try run(
      ["python3", script, BuiltProduct.sitegen, "1", "2026-01-01", folder.path], in: folder)
    try folder.write("", to: "quiet/file")
    return folder
  }

  @Test(.needs(bash)) func `bash completes commands, options, values and paths`() throws {
    let folder = try folder()
    let script = """
      source bash-completion/completions/sitegen
      compopt() { :; }
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sitegen; printf '%s\\n' "${COMPREPLY[@]}"
      """
    func completed(_ words: String...) throws -> [String] {
      try run(["bash", "-c", script, "bash"] + words, in: folder)
    }
    #expect(try completed("sitegen", "ser") == ["serve"])
    #expect(try completed("sitegen", "build", "--dry") == ["--dry-run"])
    #expect(try completed("sitegen", "build", "--store-mode", "w") == ["write"])
    // The shell splits words at `=`.
    #expect(try completed("sitegen", "build", "--store-mode", "=", "w") == ["write"])
    #expect(try completed("sitegen", "build", "-o", "qu") == ["quiet"])
    #expect(try completed("sitegen", "help", "ser") == ["serve"])
    #expect(try completed("sitegen", "schedule", "in") == ["install"])
    #expect(try completed("sitegen", "check", "qu") == ["quiet"])
  }

  @Test(.needs(fish)) func `fish offers the same completions`() throws {
    let folder = try folder()
    func completed(_ line: String) throws -> [String] {
      let script = "source fish/vendor_completions.d/sitegen.fish; complete -C '\(line)'"
      return try run(["fish", "--no-config", "-c", script], in: folder)
        .map { String($0.prefix { $0 != "\t" }) }
    }
    #expect(try completed("sitegen ser") == ["serve"])
    #expect(try completed("sitegen qu") == [])
    #expect(try completed("sitegen build --dry") == ["--dry-run"])
    #expect(try completed("sitegen check build --dry") == [])
    #expect(try completed("sitegen build --store-mode w") == ["write"])
    #expect(try completed("sitegen build --store-mode=w") == ["--store-mode=write"])
    #expect(try completed("sitegen build -o qu") == ["quiet/"])
    #expect(try completed("sitegen help ser") == ["serve"])
    #expect(try completed("sitegen schedule in") == ["install"])
    #expect(try completed("sitegen check qu") == ["quiet/"])
  }

  @Test(.needs(zsh)) func `zsh offers the same completions`() throws {
    let folder = try folder()
    // Starts a second zsh in a pseudoterminal, in which Ctrl-T completes and prints the line.
    let script = """
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell "PS1= fpath=($PWD/zsh/vendor-completions \\$fpath)
      autoload -Uz compinit; compinit -u -D; setopt no_beep
      show() { zle complete-word; zle -I; print -r -- \\"<<\\$BUFFER>\\"'>'; BUFFER= }
      zle -N show; bindkey '^T' show; print rea''dy"
      zpty -r shell out '*ready*'
      for line; do
        zpty -w -n shell "$line"$'\\x14'
        zpty -r shell out '*<<*>>*'
        print -r -- "${${out##*<<}%%>>*}"
      done
      """
    let lines = [
      "sitegen ser", "sitegen build --dry", "sitegen build --store-mode w",
      "sitegen build --store-mode=w", "sitegen build -o qu", "sitegen build -oqu",
      "sitegen help ser", "sitegen schedule in", "sitegen check qu",
    ]
    #expect(
      try run(["zsh", "-f", "-c", script, "zsh"] + lines, in: folder) == [
        "sitegen serve ", "sitegen build --dry-run ", "sitegen build --store-mode write ",
        "sitegen build --store-mode=write ", "sitegen build -o quiet/", "sitegen build -oquiet/",
        "sitegen help serve ", "sitegen schedule install ", "sitegen check quiet/",
      ])
  }
}

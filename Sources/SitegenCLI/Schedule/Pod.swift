/// A pod of Kubernetes without rights: not root, and only its volumes to write to.
struct Pod {
  struct Container {
    var name: String
    /// In place of the image's own program.
    var command: [String] = []
    var words: [String]
  }

  struct Volume {
    var name: String
    var path: String
    /// The name of a PersistentVolumeClaim.
    var claim: String
  }

  var image = "sitegen"
  /// Must end well before the other begins.
  var before: Container?
  var container: Container
  var cores: Int?
  /// Megabytes.
  var memory: Int
  var volumes: [Volume]
  /// The name of a Secret whose keys become variables; it need not be there.
  var secret: String?
  /// Between SIGTERM and SIGKILL.
  var graceSeconds = 30
  /// The ServiceAccount of a pod that asks Kubernetes for something.
  var account: String?

  /// What stands under `spec:`.
  var text: String {
    let first = before.map { "initContainers:\n  \(text(of: $0).indented(2))\n" } ?? ""
    let claims = volumes.map { volume in
      "\n  - { name: \(volume.name), persistentVolumeClaim: { claimName: \(volume.claim.yamlText) } }"
    }
    return """
      restartPolicy: Never
      terminationGracePeriodSeconds: \(graceSeconds)
      \(account.map { "serviceAccountName: \($0)" } ?? "automountServiceAccountToken: false")
      \(first)containers:
        \(text(of: container).indented(2))
      volumes:
        - { name: tmp, emptyDir: {} }\(claims.joined())
      """
  }

  private func text(of container: Container) -> String {
    let mounts = (volumes.map { ($0.name, $0.path) } + [("tmp", "/tmp")]).map { name, path in
      "{ name: \(name), mountPath: \(path.yamlText) }"
    }
    let variables = secret.map { "  envFrom: [{ secretRef: { name: \($0), optional: true } }]\n" }
    let requests = cores.map { "requests: { cpu: \($0), memory: \(memory)Mi }, " } ?? ""
    // `$(…)` would be a variable's value.
    let words = container.words.map { $0.replacing("$", with: "$$") }
    let command = container.command.isEmpty ? "" : "  command: \(container.command.yamlList)\n"
    return """
      - name: \(container.name)
        image: \(image.yamlText)
      \(command)  args: \(words.yamlList)
      \(variables ?? "")  resources: { \(requests)limits: { memory: \(memory)Mi } }
        securityContext:
          allowPrivilegeEscalation: false
          readOnlyRootFilesystem: true
          runAsNonRoot: true
          capabilities: { drop: [ALL] }
          seccompProfile: { type: RuntimeDefault }
        volumeMounts: [\(mounts.joined(separator: ", "))]
      """
  }
}

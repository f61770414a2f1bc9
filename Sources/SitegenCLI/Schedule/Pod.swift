/// A pod of Kubernetes without rights: not root, and only its volumes to write to.
struct Pod {
  struct Container {
    var name: String
    var words: [String]
  }

  struct Volume {
    var name: String
    var path: String
    /// The name of a PersistentVolumeClaim.
    var claim: String
  }

  var image = "sitegen"
  var container: Container
  /// Megabytes.
  var memory: Int
  var volumes: [Volume]
  /// Between SIGTERM and SIGKILL.
  var graceSeconds = 30

  /// What stands under `spec:`.
  var text: String {
    let claims = volumes.map { volume in
      "\n  - { name: \(volume.name), persistentVolumeClaim: { claimName: \(volume.claim.yamlText) } }"
    }
    return """
      restartPolicy: Never
      terminationGracePeriodSeconds: \(graceSeconds)
      automountServiceAccountToken: false
      containers:
        \(text(of: container).indented(2))
      volumes:
        - { name: tmp, emptyDir: {} }\(claims.joined())
      """
  }

  private func text(of container: Container) -> String {
    let mounts = (volumes.map { ($0.name, $0.path) } + [("tmp", "/tmp")]).map { name, path in
      "{ name: \(name), mountPath: \(path.yamlText) }"
    }
    // `$(…)` would be a variable's value.
    let words = container.words.map { $0.replacing("$", with: "$$") }
    return """
      - name: \(container.name)
        image: \(image.yamlText)
        args: \(words.yamlList)
        resources: { limits: { memory: \(memory)Mi } }
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

/// Two Jobs: one has an index for each shard, the other waits and makes the site.
struct KubernetesJobs {
  var shards: PlanShards
  var image: String

  /// Between SIGTERM and SIGKILL; the picture at hand is finished in it.
  private static let grace = 60

  var text: String {
    // What a Job runs cannot be changed, so each plan has Jobs of its own.
    let volume = shards.name.kubernetesName
    let name = "\(volume.prefix(40))-\(shards.digest.prefix(8))"
    let label = "{ app: \(volume.yamlText) }"
    let site = Pod.Volume(name: "site", path: "/site", claim: volume)
    let store = shards.storeVolume
    var render = pod(
      "render", shards.renderWords + ["--jobs", String(shards.cores ?? 2)])
    render.volumes += [shards.sources == nil ? nil : site, store].compactMap(\.self)
    var assemble = pod("assemble", ["assemble", "/site"] + shards.planWords + shards.flags)
    assemble.before = Pod.Container(name: "status", words: ["status"] + shards.planWords)
    assemble.volumes = [site, store].compactMap(\.self)
    return """
      # Written by `sitegen emit kubernetes`; for Kubernetes 1.33 or newer.
      #
      #   kubectl apply -f FILE
      #
      # The site is the PersistentVolumeClaim \(volume)\(store == nil ? "" : ", the store \(volume)-store").
      # Where the store needs a secret, put its variables into the Secret \(volume)-store.
      # Kubernetes may start an index twice: that spoils nothing. Whether all is done, only
      # `sitegen status` knows. To render what is missing, delete the Job and apply it again: what is
      # done is in the store, and costs no second rendering.
      #
      # Every night: a plan is what is rendered, so each run needs Jobs of its own, which a CronJob makes
      # (`--on`).
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: \(name)-render
        labels: \(label)
      spec:
        completionMode: Indexed
        completions: \(shards.count) # the shards of the plan; JOB_COMPLETION_INDEX says which
        parallelism: \(shards.atOnce ?? 20) # may be changed while it runs
        backoffLimitPerIndex: 5 # tries of one shard: others do not suffer from it
        podReplacementPolicy: Failed # no second pod while the first still ends
        ttlSecondsAfterFinished: 604800
        podFailurePolicy:
          rules:
            # Evictions and drained nodes are nobody's failure.
            - action: Ignore
              onPodConditions: [{ type: DisruptionTarget, status: "True" }]
            # A picture that cannot be rendered and wrong words stay so. All else is tried again: 75 is
            # a shard that was told to stop or had no store for long, 137 one that had no memory, and
            # what is wrong with a machine (3) may be right on the next.
            - action: FailIndex
              onExitCodes: { containerName: render, operator: In, values: [1, 2] }
        template:
          metadata:
            labels: \(label)
          spec:
            \(render.text.indented(6))
      ---
      # Jobs cannot wait for others: a pod that finds something missing ends, and the next one looks
      # again, 10 seconds later at first, then up to 6 minutes.
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: \(name)-assemble
        labels: \(label)
      spec:
        backoffLimit: 200
        podReplacementPolicy: Failed
        ttlSecondsAfterFinished: 604800
        podFailurePolicy:
          rules:
            - action: Ignore
              onPodConditions: [{ type: DisruptionTarget, status: "True" }]
            # The site was tried: wrong words, a disk or pictures that failed will not be right next time.
            - action: FailJob
              onExitCodes: { containerName: assemble, operator: In, values: [1, 2, 3] }
            # Wrong words, or a plan of another renderer.
            - action: FailJob
              onExitCodes: { containerName: status, operator: In, values: [2] }
        template:
          metadata:
            labels: \(label)
          spec:
            \(assemble.text.indented(6))

      """
  }

  private func pod(_ name: String, _ words: [String]) -> Pod {
    Pod(
      image: image, container: Pod.Container(name: name, words: words), cores: shards.cores ?? 2,
      memory: 3072, volumes: [], secret: "\(shards.name.kubernetesName)-store",
      graceSeconds: Self.grace)
  }
}

import Diagnostics

/// A CronJob that plans, and makes the Jobs of each plan.
struct KubernetesSchedule {
  /// The plan's name is not known yet.
  var shards: PlanShards
  var image: String
  var timing: Timing

  func text() throws(Diagnostic) -> String {
    let volume = shards.name.kubernetesName
    let name = "\(volume.prefix(40))-plan".yamlText
    let words =
      ["/site", "--shards", String(shards.count), "--store", shards.store]
      + (shards.sources == nil ? [] : ["--sources", "shared"])
    var jobs = words + ["--name", shards.name, "--image", image] + shards.flags
    if let atOnce = shards.atOnce { jobs += ["--at-once", String(atOnce)] }
    if let cores = shards.cores { jobs += ["--jobs", String(cores)] }
    // A plan publishes nothing, and so adopts nothing.
    let plan = ["sitegen", "plan", "--quiet"] + words + shards.flags.filter { $0 != "--adopt" }
    let script = [
      "plan=$(\(plan.shellWords))",
      "sitegen emit kubernetes --plan \"$plan\" \(jobs.shellWords) >/tmp/jobs.yaml",
      // A plan says nothing of names and texts: the Jobs of an equal one run again.
      "kubectl delete --ignore-not-found --wait=false -f /tmp/jobs.yaml",
      "kubectl apply -f /tmp/jobs.yaml",
    ].joined(separator: " && ")
    let store = shards.storeVolume
    let pod = Pod(
      image: image,
      container: Pod.Container(name: "plan", command: ["sh", "-c"], words: [script]),
      cores: shards.cores ?? 2, memory: 3072,
      volumes: [Pod.Volume(name: "site", path: "/site", claim: volume), store].compactMap(\.self),
      secret: "\(volume)-store", account: name)
    return """
      # Written by `sitegen emit kubernetes`; for Kubernetes 1.33 or newer.
      #
      #   kubectl apply -f FILE
      #
      # Plans at its times, and makes two Jobs for each plan: one renders its shards, one makes the site.
      # Those of an equal plan are made again: names and texts are in no plan, and a shard may have
      # failed. What is rendered stays. The image needs kubectl too.
      # The site is the PersistentVolumeClaim \(volume)\(store == nil ? "" : ", the store \(volume)-store").
      apiVersion: v1
      kind: ServiceAccount
      metadata:
        name: \(name)
      ---
      # That is not little: who may make Jobs may run anything beside them, with each secret of the
      # namespace. So give the site a namespace of its own.
      apiVersion: rbac.authorization.k8s.io/v1
      kind: Role
      metadata:
        name: \(name)
      rules:
        - { apiGroups: [batch], resources: [jobs], verbs: [create, delete, get, patch] }
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata:
        name: \(name)
      roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: \(name) }
      subjects: [{ kind: ServiceAccount, name: \(name) }]
      ---
      apiVersion: batch/v1
      kind: CronJob
      metadata:
        name: \(name)
      spec:
        schedule: "\(try timing.cron())"
        concurrencyPolicy: Forbid
        jobTemplate:
          spec:
            # The next night tries again.
            backoffLimit: 2
            template:
              spec:
                \(pod.text.indented(10))

      """
  }
}

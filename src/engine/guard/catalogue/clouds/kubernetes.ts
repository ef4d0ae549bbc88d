import type { GuardRule } from "../../calls/rule.ts";

/** A name of what people use. */
const production = "\\b(?:prod|prd|production|live)\\b";
const kube = "kubectl|kubecolor|k|oc";

/** Rules on Kubernetes clusters and what runs in them. */
export const kubernetesRules: readonly GuardRule[] = [
  {
    id: "kube-delete-namespace",
    family: "safety",
    match: [
      {
        program: kube,
        words: "delete",
        without: "--dry-run",
        notTesting: true,
        operand: { like: "(?:.*,)?(?:ns|namespaces?|projects?)(?:[,/].*)?" },
      },
    ],
    message: "This deletes everything in the namespace, with its volumes and secrets.",
    remedy: "Delete the one resource that you mean by its name.",
    fires: [
      "kubectl delete namespace shop",
      "kubectl --context prod delete ns/shop --wait=false",
      "sudo k3s kubectl delete ns shop",
      "ssh master kubectl delete ns shop",
    ],
    passes: [
      "kubectl get ns",
      "kubectl delete pod web-1 -n shop",
      "kubectl delete ns shop --dry-run=client",
      "kubectl create ns shop",
      "kubectl delete ns ci-1234",
      "kubectl --context kind-dev delete ns shop",
    ],
  },
  {
    id: "kube-delete-all",
    family: "safety",
    match: [
      {
        program: kube,
        words: "delete",
        flags: ["--all|-A|--all-namespaces"],
        without: "--dry-run",
        notTesting: true,
      },
      // Names with their kind, of whatever was listed: `namespace/shop`.
      {
        program: kube,
        words: "delete",
        via: "xargs|parallel",
        from: kube,
        every: { like: "[\\x{FFFC}\\x{FFFD}]+" },
        without: "--dry-run",
      },
    ],
    message: "This deletes every resource of that kind at once.",
    remedy: "Name the resources, or choose them by a label with `-l`.",
    fires: [
      "kubectl delete pods --all -n shop",
      "kubectl delete all --all",
      "kubectl -n shop delete deploy,svc --all",
      "bash -c 'kubectl delete pvc -A --all'",
      "kubectl get ns -o name | xargs kubectl delete",
    ],
    passes: [
      "kubectl get pods --all-namespaces",
      "kubectl delete pods -l app=web",
      "kubectl get pods | grep Evicted | awk '{print $1}' | xargs kubectl delete pod",
      "kubectl delete pods --all --dry-run=server",
    ],
  },
  {
    id: "kube-delete-storage",
    family: "safety",
    match: [
      {
        program: kube,
        words: "delete",
        without: "--dry-run",
        notTesting: true,
        operand: {
          like: "(?:.*,)?(?:pvcs?|pvs?|persistentvolumes?|persistentvolumeclaims?|volumesnapshots?|volumesnapshotcontents?)(?:[,/.].*)?",
        },
      },
    ],
    message: "The data on the volume may be deleted with it.",
    remedy: "Set the volume's reclaim policy to Retain, or take a snapshot first.",
    fires: [
      "kubectl delete pvc data-db-0",
      "kubectl -n shop delete pv/pv-1 --force",
      "/usr/local/bin/kubectl delete persistentvolumeclaim data",
    ],
    passes: ["kubectl get pvc", "kubectl describe pv pv-1", "kubectl delete pod db-0"],
  },
  {
    id: "kube-delete-definitions",
    family: "safety",
    match: [
      {
        program: kube,
        words: "delete",
        without: "--dry-run",
        operand: {
          like: "(?:.*,)?(?:crds?|customresourcedefinitions?|apiservices?|storageclass(?:es)?|sc)(?:[,/.].*)?",
        },
      },
    ],
    message: "All objects of this kind in the cluster go with their definition.",
    remedy: "Delete single objects; leave definitions to the chart that made them.",
    fires: [
      "kubectl delete crd certificates.cert-manager.io",
      "sudo kubectl delete customresourcedefinition/x.example.com",
    ],
    passes: ["kubectl get crd", "kubectl delete certificate shop-tls"],
  },
  {
    id: "kube-delete-node",
    family: "safety",
    match: [
      { program: kube, words: "delete", without: "--dry-run", operand: { like: "(?:nodes?|no)(?:/.*)?" } },
      {
        program: "kubeadm|talosctl|rke2-uninstall.sh|k3s-uninstall.sh|k3s-agent-uninstall.sh",
        words: "reset",
      },
      { program: "k3s-uninstall.sh|k3s-agent-uninstall.sh|rke2-uninstall.sh|k3s-killall.sh" },
    ],
    message: "This takes a machine out of the cluster, with all that runs and is kept on it.",
    remedy: "Cordon and drain the node first, and see that its pods run elsewhere.",
    fires: [
      "kubectl delete node worker-1",
      "sudo kubeadm reset -f",
      "ssh w1 /usr/local/bin/k3s-uninstall.sh",
    ],
    passes: [
      "kubectl get nodes",
      "kubectl cordon worker-1",
      "kubeadm token list",
      "ls /usr/local/bin/k3s-uninstall.sh",
    ],
  },
  {
    id: "kube-drain-node",
    family: "safety",
    action: "advise",
    match: [{ program: kube, words: "drain", without: "--dry-run", count: [0, 99] }],
    message: "This moves every pod off the node; data in its empty volumes is lost.",
    remedy: "See what runs there with `kubectl get pods -A --field-selector spec.nodeName=NODE`.",
    fires: [
      "kubectl drain worker-1 --ignore-daemonsets --delete-emptydir-data",
      "sudo kubectl drain worker-1 --force",
    ],
    passes: ["kubectl drain worker-1 --dry-run=client", "kubectl uncordon worker-1"],
  },
  {
    id: "kube-force-delete",
    family: "safety",
    action: "advise",
    match: [
      { program: kube, words: "delete", flags: ["--force"], without: "--dry-run" },
      { program: kube, words: "delete", value: { of: "--grace-period", like: "0" }, without: "--dry-run" },
    ],
    message: "The pod is not waited for: two of them may write the same data.",
    remedy: "Leave `--force` out, and find out why it does not end.",
    fires: ["kubectl delete pod db-0 --force --grace-period=0", "sudo kubectl delete pod db-0 --force"],
    passes: [
      "kubectl delete pod web-1",
      "kubectl replace -f pod.yaml",
      "kubectl delete pod web-1 --grace-period=30",
    ],
  },
  {
    id: "kube-stop-all",
    family: "safety",
    match: [
      {
        program: kube,
        words: "scale",
        flags: ["--all"],
        value: { of: "--replicas", like: "0" },
        without: "--dry-run",
      },
      { program: kube, words: "rollout undo", flags: ["--all"] },
      {
        program: kube,
        words: "scale",
        value: { of: "--replicas", like: "0" },
        without: "--dry-run",
        text: production,
      },
    ],
    message: "What serves there stops serving.",
    remedy: "Name the one workload to scale.",
    fires: [
      "kubectl scale deploy --all --replicas=0 -n shop",
      "bash -c 'kubectl scale --replicas 0 deployment --all'",
      "kubectl scale deploy/shop --replicas=0 -n prod",
    ],
    passes: [
      "kubectl scale deploy web --replicas=0 -n dev",
      "kubectl scale deploy web --replicas=3 -n prod",
      "kubectl get deploy --all-namespaces",
    ],
  },
  {
    id: "kube-remove-finalizers",
    family: "safety",
    action: "advise",
    match: [
      { program: kube, words: "patch", text: "finalizers\\W{1,6}(?:null|\\[\\s*\\])", without: "--dry-run" },
      { program: kube, words: "replace", value: { of: "--raw", like: ".*/finalize" } },
    ],
    message: "Without finalizers nothing cleans up what belongs to the object, such as cloud disks.",
    remedy: "Find the controller that holds the finalizer and let it finish.",
    fires: [
      `kubectl patch ns shop -p '{"metadata":{"finalizers":null}}' --type=merge`,
      "kubectl replace --raw /api/v1/namespaces/shop/finalize -f ns.json",
    ],
    passes: [
      `kubectl patch deploy web -p '{"spec":{"replicas":2}}'`,
      "kubectl get ns shop -o jsonpath={.metadata.finalizers}",
    ],
  },
  {
    id: "kube-apply-from-url",
    family: "safety",
    action: "advise",
    match: [
      {
        program: kube,
        words: "apply|create|replace",
        value: { of: "-f|--filename|-k|--kustomize", like: "https?://.*" },
        without: "--dry-run",
      },
      { program: kube, words: "apply|create", from: "curl|wget", without: "--dry-run" },
    ],
    message: "Nobody has read what this puts into the cluster, and it may change any day.",
    remedy: "Download it, pin its version, read it, and apply the file.",
    fires: [
      "kubectl apply -f https://example.com/install.yaml",
      "curl -sL https://example.com/x.yaml | kubectl apply -f -",
    ],
    passes: [
      "kubectl apply -f k8s/",
      "kubectl apply -f https://example.com/x.yaml --dry-run=server",
      "cat x.yaml | kubectl apply -f -",
    ],
  },
  {
    id: "kube-delete-from-url",
    family: "safety",
    match: [
      {
        program: kube,
        words: "delete",
        value: { of: "-f|--filename|-k|--kustomize", like: "https?://.*" },
        without: "--dry-run",
      },
      { program: kube, words: "delete", from: "curl|wget", without: "--dry-run" },
      {
        program: kube,
        words: "delete",
        flags: ["-f|--filename"],
        value: { of: "-f|--filename", like: "\\.|\\./|/" },
      },
    ],
    message: "This deletes whatever the files name, namespaces and definitions among it.",
    remedy: "Look at it with `kubectl diff`, and delete the resources by name.",
    fires: [
      "kubectl delete -f https://example.com/install.yaml",
      "curl -s https://example.com/x.yaml | kubectl delete -f -",
      "kubectl delete -f .",
    ],
    passes: ["kubectl delete -f k8s/web.yaml", "kubectl diff -f ."],
  },
  {
    id: "kube-read-secret",
    family: "secrets",
    match: [
      {
        program: kube,
        words: "get",
        operand: { like: "(?:.*,)?secrets?(?:[,/].*)?" },
        value: {
          of: "-o|--output",
          like: "(?:ya?ml|json|jsonpath.*[^a-z]data\\b.*|jsonpath=\\{[.@]?\\}|go-template.*[^a-z]data\\b.*|custom-columns.*[^a-z]data\\b.*)",
        },
      },
      { program: kube, words: "config view", flags: ["--raw"] },
      { program: "oc", words: "extract|whoami", text: "--to=-|secret/|--show-token|(?:^| )-t\\b" },
      { program: kube, words: "create token", count: [1, 9] },
    ],
    message: "The secret's value becomes part of the conversation.",
    remedy: "Look at its keys with `kubectl describe secret NAME`, which shows no value.",
    fires: [
      "kubectl get secret db -o jsonpath='{.data.password}' | base64 -d",
      "kubectl -n shop get secrets -oyaml",
      "ssh master 'kubectl config view --raw'",
    ],
    passes: [
      "kubectl get secrets",
      "kubectl describe secret db",
      "kubectl get secret db -o name",
      "kubectl get secret db -o jsonpath='{.metadata.name}'",
      "kubectl config view",
    ],
  },
  {
    id: "kube-grant-admin",
    family: "safety",
    match: [
      {
        program: kube,
        words: "create clusterrolebinding|create rolebinding",
        value: { of: "--clusterrole", like: "cluster-admin" },
        without: "--dry-run",
      },
      {
        program: "oc",
        words: "adm policy",
        text: "add-cluster-role-to-(?:user|group) cluster-admin|add-scc-to-\\w+ privileged",
      },
    ],
    message: "The account may then do everything in the whole cluster.",
    remedy: "Bind a role with only the verbs and resources that are needed.",
    fires: [
      "kubectl create clusterrolebinding x --clusterrole=cluster-admin --serviceaccount=default:default",
      "sudo oc adm policy add-cluster-role-to-user cluster-admin ann",
    ],
    passes: [
      "kubectl create rolebinding x --clusterrole=view --user=ann",
      "kubectl get clusterrolebinding",
      "kubectl auth can-i '*' '*'",
    ],
  },
];

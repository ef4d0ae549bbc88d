import type { GuardRule } from "../../calls/rule.ts";

/** Rules on whole clusters, releases in them, and what keeps them deployed. */
export const clusterRules: readonly GuardRule[] = [
  {
    id: "helm-uninstall-all",
    family: "safety",
    match: [
      { program: "helm", words: "uninstall|delete|del|un", without: "--dry-run", operand: { from: "helm" } },
      { program: "helm", words: "uninstall|delete|del|un", via: "xargs", from: "helm" },
      { program: "helmfile", words: "destroy|delete" },
    ],
    message: "This removes every release that is listed, with all that they run.",
    remedy: "Uninstall the one release that you mean by its name.",
    fires: [
      "helm uninstall $(helm ls -q)",
      "helm ls -aq -n shop | xargs helm uninstall -n shop",
      "helmfile -e prod destroy",
    ],
    passes: ["helm ls -q", "helm uninstall shop --dry-run", "helmfile diff"],
  },
  {
    id: "helm-uninstall",
    family: "safety",
    action: "advise",
    match: [
      { program: "helm", words: "uninstall|delete|del|un", without: "--dry-run", count: [1, 99] },
      { program: "flux|istioctl|linkerd|cilium|velero", words: "uninstall" },
    ],
    message: "This removes all that the release made in the cluster, and its history.",
    remedy: "Look with `helm get manifest`, add `--keep-history`, or use `helm rollback`.",
    fires: ["helm uninstall shop -n shop", "sudo helm delete shop", "istioctl uninstall --purge -y"],
    passes: [
      "helm list",
      "helm rollback shop 3",
      "helm uninstall --help",
      "helm upgrade --install shop ./chart",
    ],
  },
  {
    id: "cluster-delete",
    family: "safety",
    match: [
      { program: "eksctl", words: "delete cluster|delete nodegroup|delete fargateprofile" },
      { program: "kops", words: "delete cluster", flags: ["--yes"] },
      { program: "rosa|ocm", words: "delete cluster" },
      { program: "clusterctl", words: "delete" },
      { program: "kind", words: "delete clusters", flags: ["-A|--all"] },
      { program: "k3d", words: "cluster delete", flags: ["-a|--all"] },
      { program: "minikube", words: "delete", flags: ["--all|--purge"] },
    ],
    message: "This deletes whole clusters with all that runs and is kept in them.",
    remedy: "Name one cluster and make sure that it is the right one first.",
    fires: [
      "eksctl delete cluster --name shop",
      "kops delete cluster shop.example.com --yes",
      "minikube delete --all --purge",
    ],
    passes: [
      "eksctl get cluster",
      "kops delete cluster shop.example.com",
      "minikube delete",
      "kind delete cluster --name dev",
    ],
  },
  {
    id: "etcd-delete-range",
    family: "safety",
    match: [
      { program: "etcdctl", words: "del", flags: ["--prefix|--from-key|--range"] },
      { program: "etcdctl|etcdutl", words: "snapshot restore|member remove" },
    ],
    message: "This deletes many keys of the store, which may be all that a cluster knows.",
    remedy: "Save a snapshot first, and delete single keys.",
    fires: ['etcdctl del "" --prefix', "ssh m1 sudo etcdctl --endpoints=https://m1:2379 del --from-key /"],
    passes: ["etcdctl get / --prefix --keys-only", "etcdctl del /shop/flag", "etcdctl snapshot save x.db"],
  },
  {
    id: "cluster-delete-deployment-record",
    family: "safety",
    match: [
      { program: "argocd", words: "app delete|proj rm|proj delete|cluster rm|repo rm" },
      { program: "velero", words: "backup delete|schedule delete|restore delete" },
      { program: "flux", words: "delete kustomization|delete helmrelease|delete source git" },
      { program: "rancher", words: "clusters delete|projects delete|namespaces delete" },
    ],
    message: "This deletes what keeps an application deployed, or its backups, and what it deployed.",
    remedy: "Turn its sync off, or remove it from the repository that is deployed.",
    fires: ["argocd app delete shop --yes", "sudo velero backup delete nightly --confirm"],
    passes: ["argocd app get shop", "velero backup get", "argocd app sync shop"],
  },
];

import { table, type MadeOutput } from "./draw.ts";

/** Clusters, containers, clouds and their plans. */
export const clusters: readonly MadeOutput[] = [
  {
    name: "kubectl-pods",
    command: "kubectl get pods -A",
    lines: (draw) =>
      table([
        ["NAMESPACE", "NAME", "READY", "STATUS", "RESTARTS", "AGE"],
        ...Array.from({ length: 70 }, () => [
          draw.pick("harbor", "kube-system", "tides"),
          `${draw.name()}-${draw.hex(10)}-${draw.hex(5)}`,
          "1/1",
          "Running",
          draw.pick("0", "0", "1 (3d ago)"),
          `${draw.between(2, 40)}d`,
        ]),
      ]),
  },
  {
    name: "kubectl-nodes-wide",
    command: "kubectl get nodes -o wide",
    lines: (draw) =>
      table([
        [
          "NAME",
          "STATUS",
          "ROLES",
          "AGE",
          "VERSION",
          "INTERNAL-IP",
          "EXTERNAL-IP",
          "OS-IMAGE",
          "KERNEL-VERSION",
        ],
        ...Array.from({ length: 30 }, (_, at) => [
          `node-${at}`,
          "Ready",
          "<none>",
          "118d",
          "v1.31.2",
          draw.address(),
          "<none>",
          "Debian GNU/Linux 12 (bookworm)",
          "6.1.0-26-amd64",
        ]),
      ]),
  },
  {
    name: "kubectl-describe",
    command: "kubectl describe pod tide-0",
    lines: (draw) => [
      "Name:             tide-0",
      "Namespace:        harbor",
      `Node:             node-3/${draw.address()}`,
      "Status:           Running",
      "Containers:",
      ...Array.from({ length: 6 }, () => draw.thing()).flatMap((name) => [
        `  ${name}:`,
        `    Container ID:   containerd://${draw.hex(64)}`,
        `    Image:          registry.example/${name}:1.${draw.below(20)}`,
        "    State:          Running",
        `    Ready:          True`,
        `    Restart Count:  ${draw.below(2)}`,
        "    Environment:    <none>",
      ]),
      "Conditions:",
      "  Type              Status",
      "  Initialized       True",
      "  Ready             True",
      "Events:",
      ...draw.rows(
        12,
        (at) => `  Normal  Pulled     ${at + 1}m   kubelet  Container image already present on machine`,
      ),
    ],
  },
  {
    name: "kubectl-events",
    command: "kubectl get events -n harbor",
    lines: (draw) =>
      table([
        ["LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"],
        ...Array.from({ length: 50 }, (_, at) => [
          `${at + 1}m`,
          "Normal",
          draw.pick("Scheduled", "Pulled", "Created", "Started"),
          `pod/${draw.name()}-${draw.hex(5)}`,
          `Successfully handled container ${draw.thing()}`,
        ]),
      ]),
  },
  {
    name: "kubectl-pods-json",
    command: "kubectl get pods -o json",
    lines: (draw) =>
      JSON.stringify(
        {
          apiVersion: "v1",
          kind: "List",
          items: Array.from({ length: 14 }, () => ({
            metadata: { name: `${draw.name()}-${draw.hex(5)}`, namespace: "harbor", uid: draw.hex(32) },
            spec: { nodeName: `node-${draw.below(9)}`, restartPolicy: "Always" },
            status: { phase: "Running", ready: true, restartCount: draw.below(2), podIP: draw.address() },
          })),
        },
        null,
        4,
      ).split("\n"),
  },
  {
    name: "kubectl-top",
    command: "kubectl top pods",
    lines: (draw) =>
      table([
        ["NAME", "CPU(cores)", "MEMORY(bytes)"],
        ...Array.from({ length: 80 }, () => [
          `${draw.name()}-${draw.hex(10)}`,
          `${draw.between(1, 90)}m`,
          `${draw.between(20, 400)}Mi`,
        ]),
      ]),
  },
  {
    name: "helm-list",
    command: "helm list -A",
    lines: (draw) =>
      table([
        ["NAME", "NAMESPACE", "REVISION", "UPDATED", "STATUS", "CHART", "APP VERSION"],
        ...Array.from({ length: 30 }, (_, at) => [
          `${draw.name()}-${at}`,
          "harbor",
          String(draw.between(1, 40)),
          `2026-11-${draw.between(10, 28)} ${draw.time(draw.below(9000))} +0000 UTC`,
          "deployed",
          `${draw.thing()}-${draw.below(9)}.${draw.below(9)}.1`,
          `2.${draw.below(30)}.0`,
        ]),
      ]).map((line) => line.replaceAll("   ", "\t")),
  },
  {
    name: "terraform-plan-long",
    command: "terraform plan -no-color",
    lines: (draw) => [
      "Terraform will perform the following actions:",
      "",
      ...Array.from({ length: 16 }, (_, at) => at).flatMap((at) => [
        `  # aws_instance.${draw.name("_")}[${at}] will be updated in-place`,
        `  ~ resource "aws_instance" "${draw.thing()}" {`,
        `        id            = "i-0${draw.hex(16)}"`,
        `      ~ tags          = {`,
        `          ~ "Version" = "1.${at}" -> "1.${at + 1}"`,
        "        }",
        `        # (${draw.between(20, 34)} unchanged attributes hidden)`,
        "    }",
        "",
      ]),
      "Plan: 0 to add, 16 to change, 0 to destroy.",
    ],
  },
  {
    name: "terraform-apply-long",
    command: "terraform apply -auto-approve -no-color",
    lines: (draw) => [
      ...Array.from({ length: 12 }, (_, at) => `aws_subnet.${draw.thing()}_${at}`).flatMap((name) => [
        `${name}: Creating...`,
        ...draw.rows(4, (at) => `${name}: Still creating... [${at + 1}0s elapsed]`),
        `${name}: Creation complete after 4${draw.below(9)}s [id=subnet-${draw.hex(17)}]`,
      ]),
      "",
      "Apply complete! Resources: 12 added, 0 changed, 0 destroyed.",
    ],
  },
  {
    name: "pulumi-preview",
    command: "pulumi preview",
    lines: (draw) => [
      "Previewing update (harbor/prod)",
      "",
      "     Type                        Name                 Plan",
      ...draw.rows(50, (at) => `     ├─ aws:ec2:Instance         ${`${draw.name()}-${at}`.padEnd(20)} same`),
      "",
      "Resources:",
      "    50 unchanged",
    ],
  },
  {
    name: "docker-ps",
    command: "docker ps -a",
    lines: (draw) =>
      table([
        ["CONTAINER ID", "IMAGE", "COMMAND", "CREATED", "STATUS", "PORTS", "NAMES"],
        ...Array.from({ length: 40 }, (_, at) => [
          draw.hex(12),
          `registry.example/${draw.thing()}:2.${draw.below(9)}`,
          '"/usr/bin/serve"',
          `${draw.between(2, 9)} days ago`,
          `Up ${draw.between(2, 9)} days`,
          draw.pick("8080/tcp", ""),
          `${draw.name("_")}_${at}`,
        ]),
      ]),
  },
  {
    name: "docker-images",
    command: "docker images",
    lines: (draw) =>
      table([
        ["REPOSITORY", "TAG", "IMAGE ID", "CREATED", "SIZE"],
        ...Array.from({ length: 50 }, () => [
          `registry.example/${draw.name("/")}`,
          `1.${draw.below(30)}`,
          draw.hex(12),
          `${draw.between(2, 11)} weeks ago`,
          `${draw.between(80, 400)}MB`,
        ]),
      ]),
  },
  {
    name: "docker-stats",
    command: "docker stats --no-stream",
    lines: (draw) =>
      table([
        ["CONTAINER ID", "NAME", "CPU %", "MEM USAGE / LIMIT", "MEM %", "NET I/O", "PIDS"],
        ...Array.from({ length: 40 }, (_, at) => [
          draw.hex(12),
          `${draw.thing()}-${at}`,
          `${draw.decimal(3, 2)}%`,
          `${draw.between(20, 300)}MiB / 2GiB`,
          `${draw.decimal(15, 2)}%`,
          `${draw.between(1, 90)}kB / ${draw.between(1, 90)}kB`,
          String(draw.between(3, 40)),
        ]),
      ]),
  },
  {
    name: "docker-build",
    command: "docker build --progress=plain .",
    lines: (draw) => [
      "#1 [internal] load build definition from Dockerfile",
      "#1 DONE 0.0s",
      "#4 [1/5] FROM docker.io/library/node:24",
      ...draw.rows(
        40,
        () => `#4 sha256:${draw.hex(64)} ${draw.below(40)}.10MB / 48.20MB 0.${draw.below(9)}s`,
      ),
      "#4 DONE 6.2s",
      "#5 [2/5] RUN npm ci",
      ...draw.rows(
        6,
        (at) => `#5 ${at}.${draw.below(999)} npm warn deprecated ${draw.name()}@1.${at}.0: no longer kept`,
      ),
      "#5 DONE 11.0s",
      "#9 exporting to image",
      `#9 writing image sha256:${draw.hex(64)} done`,
      "#9 DONE 0.4s",
    ],
  },
  {
    name: "docker-compose-logs",
    command: "docker compose logs",
    lines: (draw) =>
      draw.rows(
        80,
        (at) =>
          `${draw.pick("web-1  ", "db-1   ", "cache-1")} | 2026-11-28T${draw.time(at * 3)}.${draw.between(100, 999)}Z ${draw.pick("info", "debug")} served ${draw.thing()} in ${draw.between(1, 30)}ms`,
      ),
  },
  {
    name: "aws-instances",
    command: "aws ec2 describe-instances",
    lines: (draw) =>
      JSON.stringify(
        {
          Reservations: Array.from({ length: 9 }, () => ({
            ReservationId: `r-${draw.hex(17)}`,
            OwnerId: "123456789012",
            Instances: [
              {
                InstanceId: `i-${draw.hex(17)}`,
                InstanceType: "m7g.large",
                State: { Code: 16, Name: "running" },
                PrivateIpAddress: draw.address(),
                Placement: { AvailabilityZone: `eu-central-1${draw.pick("a", "b")}`, Tenancy: "default" },
                Tags: [{ Key: "Name", Value: draw.name() }],
              },
            ],
          })),
        },
        null,
        4,
      ).split("\n"),
  },
  {
    name: "aws-s3-ls",
    command: "aws s3 ls s3://harbor-logs --recursive",
    lines: (draw) =>
      draw.rows(
        70,
        (at) =>
          `2026-11-${draw.between(10, 28)} ${draw.time(at)} ${String(draw.between(900, 99_000)).padStart(10)} logs/2026/11/${draw.name()}-${at}.gz`,
      ),
  },
  {
    name: "aws-table",
    command: "aws rds describe-db-instances --output table",
    lines: (draw) => [
      "------------------------------------------------------------",
      "|                   DescribeDBInstances                    |",
      "+----------------------+------------+--------+-------------+",
      "|          Id          |   Class    | Status |   Storage   |",
      "+----------------------+------------+--------+-------------+",
      ...draw.rows(
        40,
        (at) =>
          `|  ${`${draw.name()}-${at}`.padEnd(20)}|  db.m7.xl  |  ok    |  ${String(draw.between(20, 400)).padEnd(11)}|`,
      ),
      "+----------------------+------------+--------+-------------+",
    ],
  },
  {
    name: "gcloud-instances",
    command: "gcloud compute instances list",
    lines: (draw) =>
      table(
        [
          ["NAME", "ZONE", "MACHINE_TYPE", "PREEMPTIBLE", "INTERNAL_IP", "EXTERNAL_IP", "STATUS"],
          ...Array.from({ length: 40 }, (_, at) => [
            `${draw.name()}-${at}`,
            `europe-west3-${draw.pick("a", "b", "c")}`,
            "e2-medium",
            "",
            draw.address(),
            "",
            "RUNNING",
          ]),
        ],
        2,
      ),
  },
  {
    name: "az-vms",
    command: "az vm list -d --output table",
    lines: (draw) =>
      table(
        [
          ["Name", "ResourceGroup", "PowerState", "PublicIps", "Location"],
          ["---------------", "---------------", "------------", "-----------", "----------"],
          ...Array.from({ length: 40 }, (_, at) => [
            `${draw.name()}-${at}`,
            "harbor-rg",
            "VM running",
            "",
            "westeurope",
          ]),
        ],
        2,
      ),
  },
  {
    name: "gh-runs",
    command: "gh run list",
    lines: (draw) =>
      draw.rows(40, () =>
        [
          "completed",
          "success",
          `Raise the ${draw.name(" ")}`,
          "ci",
          draw.pick("main", "tides"),
          draw.pick("push", "pull_request"),
          String(draw.between(1_900_000_000, 1_999_999_999)),
          `${draw.between(1, 9)}m${draw.between(1, 59)}s`,
          "2026-11-28T09:12:00Z",
        ].join("\t"),
      ),
  },
  {
    name: "gh-pr-json",
    command: "gh pr list --json number,title,state,author",
    lines: (draw) => [
      JSON.stringify(
        Array.from({ length: 40 }, (_, at) => ({
          author: { is_bot: false, login: draw.thing() },
          number: 400 - at,
          state: "OPEN",
          title: `Lower the ${draw.name(" ")}`,
        })),
      ),
    ],
  },
  {
    name: "gh-run-log",
    command: "gh run view 1923 --log",
    lines: (draw) =>
      draw.rows(
        70,
        (at) =>
          `build\tRun npm test\t2026-11-28T${draw.time(at)}.${draw.between(1_000_000, 9_999_999)}Z ${draw.pick("ok", "compiled", "linked")} src/${draw.name("/")}.ts`,
      ),
  },
  {
    name: "ansible-playbook",
    command: "ansible-playbook site.yml",
    lines: (draw) => [
      ...Array.from({ length: 5 }, () =>
        `TASK [${draw.thing()} : set up the ${draw.name(" ")}] `.padEnd(78, "*"),
      ).flatMap((task) => [
        task,
        ...draw.rows(14, (at) => `${draw.pick("ok", "changed")}: [host-${at}.harbor.example]`),
        "",
      ]),
      "PLAY RECAP *********************************************************************",
      ...draw.rows(
        14,
        (at) =>
          `host-${at}.harbor.example      : ok=5    changed=${draw.below(4)}    unreachable=0    failed=0    skipped=0    rescued=0    ignored=0`,
      ),
    ],
  },
  {
    name: "vault-list",
    command: "vault list -detailed secret/metadata/harbor",
    lines: (draw) =>
      table(
        [
          ["Keys", "created_time", "current_version", "deletion_time", "destroyed"],
          ["----", "------------", "---------------", "-------------", "---------"],
          ...Array.from({ length: 40 }, (_, at) => [
            `${draw.name()}-${at}`,
            `2026-11-0${draw.between(1, 9)}T09:00:00Z`,
            String(draw.between(1, 9)),
            "n/a",
            "false",
          ]),
        ],
        4,
      ),
  },
  {
    name: "argocd-apps",
    command: "argocd app list",
    lines: (draw) =>
      table(
        [
          ["NAME", "CLUSTER", "NAMESPACE", "PROJECT", "STATUS", "HEALTH", "SYNCPOLICY", "CONDITIONS"],
          ...Array.from({ length: 40 }, (_, at) => [
            `argocd/${draw.name()}-${at}`,
            "https://kubernetes.default.svc",
            "harbor",
            "default",
            "Synced",
            "Healthy",
            "Auto",
            "<none>",
          ]),
        ],
        2,
      ),
  },
  {
    name: "nomad-status",
    command: "nomad job status harbor",
    lines: (draw) => [
      "ID            = harbor",
      "Type          = service",
      "Status        = running",
      "",
      "Allocations",
      ...table(
        [
          ["ID", "Node ID", "Task Group", "Version", "Desired", "Status", "Created", "Modified"],
          ...Array.from({ length: 36 }, () => [
            draw.hex(8),
            draw.hex(8),
            draw.thing(),
            "12",
            "run",
            "running",
            "4d2h ago",
            "4d1h ago",
          ]),
        ],
        2,
      ),
    ],
  },
  {
    name: "trivy-table",
    command: "trivy image registry.example/tide:2.1",
    lines: (draw) => [
      "registry.example/tide:2.1 (debian 12.7)",
      "Total: 30 (LOW: 30, MEDIUM: 0, HIGH: 0, CRITICAL: 0)",
      "┌──────────────────┬────────────────┬──────────┬──────────────┐",
      "│     Library      │ Vulnerability  │ Severity │  Installed   │",
      "├──────────────────┼────────────────┼──────────┼──────────────┤",
      ...draw.rows(
        30,
        (at) =>
          `│ ${`lib${draw.thing()}${at}`.padEnd(16)} │ CVE-2026-${String(10_000 + at * 37).padEnd(5)} │ LOW      │ 1.${String(draw.below(90)).padEnd(10)} │`,
      ),
      "└──────────────────┴────────────────┴──────────┴──────────────┘",
    ],
  },
];

import { table, type MadeOutput } from "./draw.ts";

/** Machines, networks and databases. */
export const systems: readonly MadeOutput[] = [
  {
    name: "df-many",
    command: "df -h",
    lines: (draw) =>
      table(
        [
          ["Filesystem", "Size", "Used", "Avail", "Use%", "Mounted on"],
          ...Array.from({ length: 50 }, (_, at) => [
            `/dev/nvme${at}n1`,
            "100G",
            `${30 + draw.below(20)}G`,
            `${50 + draw.below(20)}G`,
            `${30 + draw.below(20)}%`,
            `/srv/${draw.name("/")}${at}`,
          ]),
        ],
        2,
      ),
  },
  {
    name: "systemctl-units",
    command: "systemctl list-units --type=service",
    lines: (draw) =>
      table(
        [
          ["  UNIT", "LOAD", "ACTIVE", "SUB", "DESCRIPTION"],
          ...Array.from({ length: 60 }, (_, at) => [
            `  ${draw.name()}-${at}.service`,
            "loaded",
            "active",
            draw.pick("running", "exited"),
            `Keeps the ${draw.thing()}`,
          ]),
        ],
        1,
      ),
  },
  {
    name: "systemctl-status",
    command: "systemctl status tide",
    lines: (draw) => [
      "● tide.service - Tide tables",
      "     Loaded: loaded (/lib/systemd/system/tide.service; enabled; preset: enabled)",
      "     Active: active (running) since Sat 2026-11-28 09:00:01 UTC; 3h ago",
      "   Main PID: 812 (tide)",
      "",
      ...draw.rows(
        40,
        (at) => `Nov 28 ${draw.time(at * 20)} quay tide[812]: table ${at} of ${draw.thing()} served`,
      ),
    ],
  },
  {
    name: "journalctl",
    command: "journalctl -u crane --no-pager",
    lines: (draw) =>
      draw.rows(
        90,
        (at) =>
          `Nov 28 ${draw.time(at * 7)} quay crane[${draw.pick(812, 813)}]: job ${draw.between(1000, 9999)} finished with status 0 in ${draw.between(2, 40)}ms`,
      ),
  },
  {
    name: "journal-json",
    command: "journalctl -o json",
    lines: (draw) =>
      draw.rows(20, (at) =>
        JSON.stringify({
          __REALTIME_TIMESTAMP: String(1_795_000_000_000_000 + at * 1000),
          PRIORITY: "6",
          _PID: "812",
          _COMM: "crane",
          _HOSTNAME: "quay",
          MESSAGE: `lifted ${draw.name()}`,
        }),
      ),
  },
  {
    name: "dmesg",
    command: "dmesg",
    lines: (draw) =>
      draw.rows(
        60,
        (at) =>
          `[${(at * 0.41).toFixed(6).padStart(12)}] ${draw.pick("usb 1-1", "pci 0000:00:1f.2", "nvme nvme0", "eth0")}: ${draw.pick("new device found", "link becomes ready", "assigned address")} ${draw.hex(4)}`,
      ),
  },
  {
    name: "nginx-access",
    command: "./tail-access.sh",
    lines: (draw) =>
      draw.rows(
        60,
        (at) =>
          `${draw.address()} - - [28/Nov/2026:${draw.time(at)} +0000] "GET /${draw.name("/")} HTTP/1.1" 200 ${draw.between(200, 9000)} "-" "curl/8.5.0"`,
      ),
  },
  {
    name: "haproxy-log",
    command: "./proxy-log.sh",
    lines: (draw) =>
      draw.rows(
        50,
        (at) =>
          `Nov 28 ${draw.time(at)} lb haproxy[44]: ${draw.address()}:${draw.between(20_000, 60_000)} [28/Nov/2026:${draw.time(at)}.120] front back/web${draw.below(4)} 0/0/1/${draw.between(2, 30)}/33 200 ${draw.between(200, 900)} - - ---- 3/3/0/0/0 0/0 "GET /${draw.thing()} HTTP/1.1"`,
      ),
  },
  {
    name: "smart-attributes",
    command: "smartctl -A /dev/sda",
    lines: (draw) =>
      table(
        [
          [
            "ID#",
            "ATTRIBUTE_NAME",
            "FLAG",
            "VALUE",
            "WORST",
            "THRESH",
            "TYPE",
            "UPDATED",
            "WHEN_FAILED",
            "RAW_VALUE",
          ],
          ...Array.from({ length: 30 }, (_, at) => [
            String(at + 1),
            `${draw.thing()}_Rate_${at}`,
            "0x0032",
            "100",
            "100",
            "000",
            "Old_age",
            "Always",
            "-",
            String(draw.below(40)),
          ]),
        ],
        1,
      ),
  },
  {
    name: "zpool-status",
    command: "zpool status",
    lines: (draw) => [
      "  pool: harbor",
      " state: ONLINE",
      "config:",
      "",
      "        NAME                      STATE     READ WRITE CKSUM",
      ...draw.rows(40, (at) => `          ata-${draw.hex(12)}-part${at}   ONLINE       0     0     0`),
      "",
      "errors: No known data errors",
    ],
  },
  {
    name: "kubernetes-metrics",
    command: "./scrape.sh",
    lines: (draw) => [
      "# HELP harbor_ships_total Ships that have landed.",
      "# TYPE harbor_ships_total counter",
      ...draw.rows(
        60,
        (at) =>
          `harbor_ships_total{berth="${draw.name()}-${at}",quay="${draw.pick("north", "south")}"} ${draw.between(10, 99)}`,
      ),
    ],
  },
  {
    name: "nvidia-smi",
    command: "nvidia-smi --query-gpu=index,name,temperature.gpu,memory.used --format=csv",
    lines: (draw) => [
      "index, name, temperature.gpu, memory.used [MiB]",
      ...draw.rows(
        64,
        (at) => `${at}, NVIDIA H100 80GB HBM3, ${draw.between(38, 46)}, ${draw.between(60_000, 70_000)} MiB`,
      ),
    ],
  },
  {
    name: "squeue",
    command: "squeue",
    lines: (draw) =>
      draw.rows(
        50,
        (at) =>
          `${String(912_000 + at).padStart(18)}    batch ${draw.thing().padStart(8)}      dev  R ${draw.between(1, 9)}:${draw.between(10, 59)}:00      1 node-${draw.between(1, 40)}`,
      ),
  },
  {
    name: "cassandra-ring",
    command: "nodetool status",
    lines: (draw) => [
      "Datacenter: quay",
      "================",
      "Status=Up/Down",
      "|/ State=Normal/Leaving/Joining/Moving",
      ...table(
        [
          ["--", "Address", "Load", "Tokens", "Owns", "Host ID", "Rack"],
          ...Array.from({ length: 34 }, () => [
            "UN",
            draw.address(),
            `${draw.between(200, 240)}.1 GiB`,
            "16",
            "?",
            draw.hex(32),
            "r1",
          ]),
        ],
        2,
      ),
    ],
  },
  {
    name: "kafka-groups",
    command: "kafka-consumer-groups.sh --describe --group tides",
    lines: (draw) =>
      table(
        [
          ["GROUP", "TOPIC", "PARTITION", "CURRENT-OFFSET", "LOG-END-OFFSET", "LAG", "CONSUMER-ID", "HOST"],
          ...Array.from({ length: 40 }, (_, at) => [
            "tides",
            "ships",
            String(at),
            String(90_000 + at),
            String(90_002 + at),
            String(draw.below(4)),
            `c-${draw.hex(8)}`,
            `/${draw.address()}`,
          ]),
        ],
        2,
      ),
  },
  {
    name: "rabbit-queues",
    command: "rabbitmqctl list_queues name messages consumers",
    lines: (draw) => [
      "Timeout: 60.0 seconds ...",
      "Listing queues for vhost / ...",
      "name\tmessages\tconsumers",
      ...draw.rows(90, (at) => `${draw.name(".")}.${at}\t${draw.below(9)}\t${draw.between(1, 3)}`),
    ],
  },
  {
    name: "mongosh-documents",
    command: "./ships.sh",
    lines: (draw) => [
      "[",
      ...draw
        .rows(
          30,
          (at) =>
            `  {\n    _id: ObjectId('${draw.hex(24)}'),\n    ship: '${draw.name()}',\n    berth: ${at},\n    landed: true\n  },`,
        )
        .join("\n")
        .split("\n"),
      "]",
    ],
  },
  {
    name: "elastic-indices",
    command: "./indices.sh",
    lines: (draw) => [
      "health status index              uuid                   pri rep docs.count store.size",
      ...draw.rows(
        50,
        (at) =>
          `green  open   ships-2026.11.${String(at).padEnd(4)} ${draw.hex(22)}   1   1     ${draw.between(100_000, 180_000)}    ${draw.between(80, 99)}.1mb`,
      ),
    ],
  },
  {
    name: "csv-report",
    command: "./report.sh --csv",
    lines: (draw) => [
      "ship,berth,landed,tonnes,paid",
      ...draw.rows(
        90,
        (at) => `${draw.name()},${at},2026-11-${draw.between(10, 28)},${draw.between(100, 900)},true`,
      ),
    ],
  },
  {
    name: "tsv-report",
    command: "./report.sh --tsv",
    lines: (draw) => [
      "ship\tberth\ttonnes\tcurrency\tamount",
      ...draw.rows(90, (at) =>
        [draw.name(), String(at), String(draw.between(100, 900)), "EUR", draw.decimal(900, 2)].join("\t"),
      ),
    ],
  },
  {
    name: "json-services",
    command: "./services.sh --json",
    lines: (draw) => [
      JSON.stringify(
        Array.from({ length: 60 }, (_, at) => ({
          name: `${draw.name()}-${at}`,
          ready: true,
          status: "Running",
          restarts: 0,
          memory: draw.between(100, 400),
          zone: draw.pick("a", "b"),
        })),
      ),
    ],
  },
  {
    name: "json-lines",
    command: "./ships.sh --ndjson",
    lines: (draw) =>
      draw.rows(60, (at) =>
        JSON.stringify({
          level: "info",
          at: `2026-11-28T${draw.time(at)}Z`,
          ship: draw.name(),
          tonnes: draw.between(100, 900),
          ok: true,
        }),
      ),
  },
  {
    name: "yaml-list",
    command: "./inventory.sh",
    lines: (draw) => [
      "ships:",
      ...draw
        .rows(
          50,
          (at) =>
            `  - name: ${draw.name()}\n    berth: ${at}\n    flag: ${draw.pick("de", "jp", "nl")}\n    insured: true`,
        )
        .join("\n")
        .split("\n"),
    ],
  },
  {
    name: "xml-list",
    command: "./export.sh",
    lines: (draw) => [
      '<?xml version="1.0"?>',
      "<ships>",
      ...draw.rows(
        50,
        (at) =>
          `  <ship id="${1000 + at}" name="${draw.name()}" status="landed" tonnes="${draw.between(100, 900)}"/>`,
      ),
      "</ships>",
    ],
  },
  {
    name: "key-values",
    command: "./settings.sh",
    lines: (draw) =>
      draw.rows(
        90,
        (at) => `harbor.${draw.name(".")}.${at} = ${draw.pick("enabled", "enabled", "disabled")}`,
      ),
  },
  {
    name: "bars",
    command: "./fleet",
    lines: (draw) =>
      draw.rows(
        50,
        (at) => `${`${draw.name()}-${at}`.padEnd(20)} │${"█".repeat(12).padEnd(20, "░")}│ 60 %  on course`,
      ),
  },
  {
    name: "markdown-table",
    command: "./compare",
    lines: (draw) => [
      "| ship | berth | tonnes | state |",
      "| --- | ---: | ---: | --- |",
      ...draw.rows(60, (at) => `| ${draw.name()} | ${at} | ${draw.between(100, 900)} | moored |`),
    ],
  },
  {
    name: "checklist",
    command: "./inspect",
    lines: (draw) => draw.rows(90, (at) => `[x] ${draw.name()} ${at} inspected by ${draw.thing()}`),
  },
  {
    name: "hash-sums",
    command: "sha256sum -c SUMS",
    lines: (draw) => draw.rows(90, (at) => `dist/${draw.name("/")}-${at}.js: OK`),
  },
  {
    name: "retries",
    command: "./wait-for-tide",
    lines: (draw) => [
      "waiting for the tide",
      ...draw.rows(140, () => draw.pick("still waiting", "still waiting", "asked the pilot")),
      "the tide is here",
    ],
  },
  {
    name: "same-warnings",
    command: "./compile-all",
    lines: (draw) =>
      draw.rows(70, (at) =>
        at % 2 === 0
          ? `compiled ${draw.name("/")}.src`
          : "note: the old tide table is used; a new one can be had from the harbor office",
      ),
  },
];

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { compressOutput } from "../../../../../src/engine/guard/output/compressors/compress.ts";
import { restoredLines } from "./support/lines.ts";
import { restoredJson } from "./support/restored.ts";

const rows = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => row(index));
const odd = (index: number) => index === 200;

/** Outputs of which one row differs from the others in the middle, where a person would look for it. */
const tables: readonly (readonly [command: string, lines: readonly string[]])[] = [
  [
    "kubectl get pods",
    rows(400, (at) => `web-${at}  ${odd(at) ? "0/1  ImagePullBackOff  57" : "1/1  Running  0"}  3d`),
  ],
  [
    "df -h",
    rows(400, (at) => `/dev/sd${at}  100G  ${odd(at) ? "100G  0  100%" : "40G  60G  40%"}  /mnt/d${at}`),
  ],
  ["duf", rows(400, (at) => `/mnt/d${at} [####....] ${odd(at) ? 97 : 40 + (at % 9)}% full`)],
  ["docker ps -a", rows(400, (at) => `${at}ab  web  ${odd(at) ? "Exited (137) 2 hours ago" : "Up 3 days"}`)],
  [
    "systemctl list-units",
    rows(400, (at) => `svc-${at}.service  loaded  ${odd(at) ? "inactive dead" : "active running"}`),
  ],
  ["ps aux", rows(400, (at) => `dev  ${at}  ${odd(at) ? "99.9" : "0.0"}  0.1  /usr/lib/worker`)],
  ["du -a", rows(400, (at) => `${odd(at) ? 4_385_248 : 100}\tnode_modules/pkg-${at}`)],
  ["ls -la dist", rows(400, (at) => `-rw-r--r-- 1 dev dev ${odd(at) ? 0 : 1000} Nov 28 10:00 file${at}.js`)],
  ["find . -type f", rows(400, (at) => (odd(at) ? "./dist/stray.ts" : `./dist/file${at}.js`))],
  [
    "grep -rn knot .",
    rows(400, (at) => `./node_modules/knots/a${at % 3}.js:${at}:knot ${odd(at) ? "reef" : "bowline"}`),
  ],
  ["npm ls --all", rows(400, (at) => `│ ├── pkg-${at}@1.0.0${odd(at) ? " extraneous" : ""}`)],
  [
    "git status",
    ["On branch main", "Untracked files:", ...rows(400, (at) => `\tsrc/${odd(at) ? "new" : `a${at}`}.ts`)],
  ],
  ["git log --stat", rows(400, (at) => ` src/file${at}.ts | ${odd(at) ? "2211 +++---" : "2 +-"}`)],
  [
    "git log",
    rows(
      100,
      (at) => `commit ${String(at).padStart(40, "0")}\nAuthor: A\n\n    Change ${at}\n    body ${at}`,
    ),
  ],
  [
    "git fetch",
    rows(400, (at) => ` * [new branch]      b${at}  -> origin/b${at}${odd(at) ? " (forced)" : ""}`),
  ],
  [
    "terraform plan",
    rows(400, (at) => `  # aws_instance.web[${at}] will be ${odd(at) ? "created" : "updated in-place"}`),
  ],
  ["npm outdated", rows(400, (at) => `pkg-${at}  1.0.0  1.0.0  ${odd(at) ? "9.0.0" : "2.0.0"}  app`)],
  [
    "apt-get dist-upgrade -s",
    ["The following packages will be REMOVED:", ...rows(400, (at) => `  libberth${at}`)],
  ],
  [
    "vite build",
    ["vite v6.0.0", ...rows(400, (at) => `dist/assets/a${at}.js  ${odd(at) ? "9,120.11" : "1.20"} kB`)],
  ],
  ["./report.sh", rows(3000, (at) => `${at},ship${at},${odd(at) ? -5 : 100}`)],
  ["./tests.sh", rows(800, (at) => `[${at}/800] berth.case_${at}  ${odd(at) ? "wanted 2, got 1" : "fine"}`)],
  ["docker logs web", rows(900, (at) => `2026-11-28T10:00:01Z INFO queue depth=${odd(at) ? 48_211 : 3}`)],
  [
    "journalctl",
    rows(900, (at) => `Nov 28 10:00:01 host app[1]: job ${at} finished with status ${odd(at) ? 137 : 0}`),
  ],
  [
    "ping -c 900 10.0.0.1",
    rows(900, (at) => `64 bytes: icmp_seq=${at} ttl=64 time=${odd(at) ? 1800 : 0.4} ms`),
  ],
  [
    "pytest --cov",
    [
      "==== test session starts ====",
      ...rows(400, (at) => `src/a${at}.py  100  ${odd(at) ? "93  7%" : "2  98%"}`),
    ],
  ],
  [
    "go test -cover ./...",
    rows(400, (at) => `ok  \texample.com/a${at}\t0.1s\tcoverage: ${odd(at) ? 3 : 90}.0% of statements`),
  ],
  [
    "mvn test",
    rows(
      400,
      (at) =>
        `[INFO] Tests run: 40, Failures: 0, Errors: 0, Skipped: ${at + 1}, Time elapsed: 1 s -- in A${at}`,
    ),
  ],
  [
    "npm install --loglevel http",
    rows(400, (at) => `npm http fetch GET 404 https://npm.example/pkg-${at} 12ms`),
  ],
  ["./configure", rows(400, (at) => `checking for berth_${at}... no`)],
  ["cargo update", rows(400, (at) => `    Updating berth${at} v1.0.0 -> v${odd(at) ? 9 : 1}.1.0`)],
];

function distinct(lines: readonly string[]): string[] {
  return [...new Set(lines.flatMap((line) => line.split("\n")))];
}

describe("rows that differ", () => {
  for (const [command, lines] of tables)
    for (const words of [command.split(" "), null])
      it(`are all kept: ${words === null ? "unknown command" : "command"} ${command}`, () => {
        const about = { command: words === null ? null : [words], isFailure: false };
        const made = compressOutput(lines.join("\n"), about);
        const remaining = new Set(made === null ? distinct(lines) : restoredLines(made.text));
        assert.deepEqual(
          distinct(lines).filter((line) => !remaining.has(line)),
          [],
        );
      });

  for (const [command, line, slow] of [
    [
      "go test -json ./...",
      (at: number, took: number) => `{"Action":"pass","Package":"a/b","Test":"Test${at}","Elapsed":${took}}`,
      48,
    ],
    ["go test -v ./...", (at: number, took: number) => `--- PASS: Test${at} (${took}s)`, 48],
    ["go test ./...", (at: number, took: number) => `ok  \texample.com/a${at}\t${took}s`, 48],
    ["cargo nextest run", (at: number, took: number) => `        PASS [   ${took}s] berth case_${at}`, 48],
    [
      "mvn test",
      (at: number, took: number) =>
        `[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: ${took} s -- in A${at}`,
      48,
    ],
    ["npx jest --verbose", (at: number, took: number) => `    ✓ berth ${at} (${took} ms)`, 4800],
  ] as const)
    it(`include the passing test that took much longer than others: ${command}`, () => {
      const lines = rows(400, (at) => line(at, at === 217 ? slow : 0.03));
      const ends = command.startsWith("npx")
        ? ["Tests:       400 passed, 400 total"]
        : ["     Summary [ 90s]"];
      const about = { command: [command.split(" ")], isFailure: false };
      const made = compressOutput([...lines, ...ends].join("\n"), about);
      assert.ok(made !== null && made.text.split("\n").length < 100, "the others are left out");
      assert.ok(made.text.split("\n").includes(lines[217] ?? ""), made.text);
    });

  it("are all kept, whatever they are and whichever program prints them", () => {
    const cell = fc.constantFrom(
      "ok",
      "0/1",
      "Pending",
      "100%",
      "-5",
      "エラー",
      "200",
      "503",
      "true",
      "false",
    );
    const row = fc.tuple(fc.nat(99_999), fc.array(cell, { minLength: 1, maxLength: 5 }));
    const programs = ["kubectl", "./run.sh", "aws", "az", "git", "ls", "docker", "make", "cargo", "apt"];
    fc.assert(
      fc.property(
        fc.uniqueArray(row, { minLength: 60, maxLength: 300, selector: ([id]) => id }),
        fc.constantFrom(...programs),
        fc.constantFrom("  ", "\t", ",", " | "),
        (cells, program, separator) => {
          const lines = cells.map(([id, values]) => [`name-${id}`, ...values].join(separator));
          const made = compressOutput(lines.join("\n"), { command: [[program, "list"]], isFailure: false });
          const remaining = new Set(made === null ? lines : restoredLines(made.text));
          for (const line of lines) assert.ok(remaining.has(line), line);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("are all kept in JSON, on one line or several, and in a file's text unchanged", () => {
    const list = Array.from({ length: 500 }, (_, id) => ({ id, ready: id !== 250 }));
    for (const text of [JSON.stringify(list), JSON.stringify(list, null, 2)]) {
      for (const command of [
        [["cat", "list.json"]],
        [["jq", ".", "list.json"]],
        [["curl", "-s", "file:///tmp/list.json"]],
      ])
        assert.equal(compressOutput(text, { command, isFailure: false }), null);
      for (const command of [
        [["./api.sh"]],
        [["npx", "vitest", "--reporter=json"]],
        [
          ["curl", "-s", "https://harbor.example/api"],
          ["jq", "."],
        ],
      ]) {
        const made = compressOutput(text, { command, isFailure: false });
        assert.deepEqual(restoredJson(made?.text ?? ""), list);
      }
    }
  });

  it("are all kept in UTF-16: its zero bytes are no control sequences", () => {
    const text = [...rows(300, (at) => `row ${at}\r`), "ERROR torn\r"].join("\n").split("").join("\u0000");
    assert.equal(compressOutput(text, { command: [["./old.exe"]], isFailure: false }), null);
  });

  it("are kept where few states of a line have words of their own", () => {
    const states = rows(
      60,
      (at) => `frame= ${at * 24} speed=1.0x ${at}%${at === 31 ? " dup=40 drop=310" : ""}`,
    );
    const text = [states.join("\r"), ...rows(80, () => "still waiting for the tide")].join("\n");
    const made = compressOutput(text, { command: [["./encode.sh"]], isFailure: false });
    assert.match(made?.text ?? "", /drop=310\nframe= 1416/u);
  });

  it("are kept where a progress bar overwrites them", () => {
    const bar = (share: number) => `${"#".repeat(share / 4)} ${share}% of the cargo`;
    const line = `${bar(4)}\r${bar(8)}\rusing pool of 3 cranes\r${rows(25, (at) => bar(at * 4)).join("\r")}`;
    const text = [line, ...rows(80, () => "still waiting for the tide")].join("\n");
    const made = compressOutput(text, { command: [["./load.sh"]], isFailure: false });
    assert.match(made?.text ?? "", /using pool of 3 cranes\n#+ 96% of the cargo/u);
  });
});

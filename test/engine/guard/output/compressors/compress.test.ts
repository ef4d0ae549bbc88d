import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  compressOutput,
  type AboutOutput,
} from "../../../../../src/engine/guard/output/compressors/compress.ts";

const lines = <Line>(count: number, line: (index: number) => Line) =>
  Array.from({ length: count }, (_, index) => line(index));
const about = (...words: string[]): AboutOutput => ({ command: [words], isFailure: false });

interface Case {
  readonly name: string;
  readonly words: readonly string[];
  readonly text: readonly string[];
  readonly expected: readonly string[];
  readonly compressor: string;
}

const cases: readonly Case[] = [
  {
    name: "an image's build, its layers and the packages within",
    words: ["docker", "build", "."],
    text: [
      "#1 [internal] load build definition from Dockerfile",
      "#5 [1/3] FROM docker.io/library/debian",
      ...lines(40, (index) => `#5 sha256:${"ab".repeat(20)} ${index}.0MB / 40.0MB 0.${index}s`),
      "#6 [2/3] RUN apt-get install -y berth",
      ...lines(20, (index) => `#6 1.${index} Setting up libberth${index} (1.0) ...`),
      "#6 2.1 E: Unable to locate package berth",
      '#6 ERROR: process "/bin/sh -c apt-get install -y berth" did not complete successfully: exit code: 100',
    ],
    expected: [
      "#1 [internal] load build definition from Dockerfile",
      "#5 [1/3] FROM docker.io/library/debian",
      "[… 40 steps of layers left out …]",
      "#6 [2/3] RUN apt-get install -y berth",
      "[… 20 steps of packages left out …]",
      "#6 2.1 E: Unable to locate package berth",
      '#6 ERROR: process "/bin/sh -c apt-get install -y berth" did not complete successfully: exit code: 100',
    ],
    compressor: "docker",
  },
  {
    name: "pnpm's progress but for the last",
    words: ["pnpm", "install"],
    text: [
      ...lines(60, (index) => `Progress: resolved ${index}, reused 0, downloaded ${index}, added 0`),
      "Packages: +60",
      "++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++",
      "Progress: resolved 60, reused 0, downloaded 60, added 60, done",
      " WARN  deprecated berth@1.0.0",
    ],
    expected: [
      "[… 60 steps of packages left out …]",
      "Packages: +60",
      "++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++",
      "Progress: resolved 60, reused 0, downloaded 60, added 60, done",
      " WARN  deprecated berth@1.0.0",
    ],
    compressor: "pnpm",
  },
  {
    name: "equal lines, and many blank ones",
    words: ["./run.sh"],
    text: ["begin", ...lines(120, () => "still waiting for the tide"), ...lines(9, () => ""), "end"],
    expected: [
      "begin",
      "still waiting for the tide",
      "[… 119 repeats of the line above, 7 blank lines left out …]",
      "end",
    ],
    compressor: "general",
  },
  {
    name: "log lines that are equal but for their time",
    words: ["docker", "logs", "web"],
    text: [
      ...lines(60, (index) => `2026-11-28T10:00:${String(index).padStart(2, "0")}Z INFO tide measured`),
      "2026-11-28T10:01:00Z INFO finished with status 137",
      ...lines(9, (index) => `2026-11-28T10:02:0${index}Z INFO tide measured`),
    ],
    expected: [
      ...lines(3, (index) => `2026-11-28T10:00:0${index}Z INFO tide measured`),
      "[… 57 lines equal but for their time left out …]",
      "2026-11-28T10:01:00Z INFO finished with status 137",
      "[… 4 lines equal but for their time left out …]",
      ...lines(5, (index) => `2026-11-28T10:02:0${index + 4}Z INFO tide measured`),
    ],
    compressor: "logs",
  },
];

describe("a tool's output", () => {
  for (const { name, words, text, expected, compressor } of cases)
    it(`keeps only what is needed: ${name}`, () => {
      const made = compressOutput(text.join("\n"), about(...words));
      assert.equal(made?.text, expected.join("\n"));
      assert.equal(made.compressor, compressor);
    });

  it("is not cut below 2,048 bytes, or if that saves less than a tenth", () => {
    const passing = lines(40, (index) => ` ✓ test/a-${index}.test.ts (3 tests) 2ms`);
    const short = [...passing, " Test Files  40 passed (40)"].join("\n");
    assert.ok(Buffer.byteLength(short) < 2048);
    assert.equal(compressOutput(short, about("vitest")), null);
    const others = lines(1200, (index) => `console: berth ${"abcdefg"[index % 7] ?? ""} ${index}`);
    const mostly = [...passing, ...others, " Test Files  40 passed (40)"].join("\n");
    assert.equal(compressOutput(mostly, { command: [["vitest"]], isFailure: true }), null);
    assert.notEqual(compressOutput(`${short}\n${short}`, about("vitest")), null);
  });

  it("keeps all lines if something was left out before", () => {
    const text = ["[… 3 passing tests left out …]", ...lines(200, () => "still waiting for the tide")].join(
      "\n",
    );
    assert.equal(compressOutput(text, about("./run.sh")), null);
  });

  it("counts a filter as reading a file only if it names one", () => {
    const text = [
      ...lines(80, (index) => ` ✓ test/berth-${index}.test.ts (3 tests) 2ms`),
      " Test Files  80 passed (80)",
    ].join("\n");
    const made = (...command: string[][]) => compressOutput(text, { command, isFailure: false })?.compressor;
    assert.equal(made(["vitest", "run"], ["tail", "-n", "100"]), "vitest");
    assert.equal(made(["npm", "test"], ["head", "-100"]), "vitest");
    assert.equal(made(["npm", "test"], ["head", "-100", "log.txt"]), undefined);
    assert.equal(made(["tail", "-n", "100", "log.txt"]), undefined);
    assert.equal(made(["cat"]), undefined);
    assert.equal(made(["find", "."], ["xargs"], ["head"]), undefined);
    assert.equal(made(["git", "show", "HEAD:log.txt"]), undefined);
    assert.equal(made(["purser", "output", "12"]), undefined);
  });

  it("keeps the end of a progress bar, and errors that it overwrote", () => {
    const bar = lines(200, (index) => `\u001B[2K\rloading ${index} of 200`).join("");
    const made = compressOutput(
      `${bar}\rerror: no berth\r\u001B[1mloaded\u001B[0m\nend\n`,
      about("./run.sh"),
    );
    assert.equal(made?.text, "error: no berth\nloaded\nend\n");
    assert.equal(made.compressor, "terminal");
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { withoutLoss } from "../../../../../src/engine/guard/output/compressors/lossless.ts";
import { restoredLines } from "./support/lines.ts";

const rows = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => row(index));
const written = (lines: readonly string[]) => withoutLoss(lines)?.lines ?? [];

describe("lines written without loss", () => {
  it("name equal lines by a number where they occur again", () => {
    const lines = rows(40, (at) => (at % 2 === 0 ? `step ${at}` : "note: the old tide table is used"));
    const made = written(lines);
    assert.equal(
      made[0],
      "[… 19 repeats of equal lines left out …] a number such as (=1) alone repeats the line that it first stands before",
    );
    assert.deepEqual(made.slice(1, 5), ["step 0", "(=1) note: the old tide table is used", "step 2", "(=1)"]);
    assert.deepEqual(restoredLines(made.join("\n")), lines);
  });

  it("have narrow gaps between columns, but for rows with an empty place or another status", () => {
    const row = (name: string, state: string, port: string) =>
      `${name.padEnd(20)}${state.padEnd(26)}${port.padEnd(12)}web`;
    const lines = rows(60, (at) =>
      row(`ship-${at}`, at === 31 ? "CrashLoopBackOff" : "Running", at === 12 ? "" : "80/tcp"),
    );
    const made = written(lines);
    assert.match(made[0] ?? "", /^\[… [\d,]+ spaces between columns left out …\]$/u);
    assert.equal(made[1], "ship-0  Running  80/tcp  web");
    assert.equal(made[13], lines[12]);
    assert.equal(made[32], lines[31]);
  });

  it("stay as they are where most rows have an empty place", () => {
    const row = (name: string, port: string) =>
      `${name.padEnd(20)}${"Up 3 days".padEnd(26)}${port.padEnd(12)}web`;
    const lines = [row("NAME", "PORT"), ...rows(60, (at) => row(`ship-${at}`, at === 12 ? "80/tcp" : ""))];
    assert.equal(withoutLoss(lines), null);
  });

  it("have narrow gaps at bars, where an empty place stays between two", () => {
    const lines = rows(40, (at) => `| ${String(at).padEnd(12)} | ${(at === 7 ? "" : "moored").padEnd(20)} |`);
    assert.ok(written(lines).includes("| 3 | moored |"));
    assert.ok(written(lines).some((line) => /^\| 7 +\| +\|$/u.test(line)));
  });

  it("have their start written once", () => {
    const lines = [
      "PING harbor",
      ...rows(60, (at) => `64 bytes from 10.0.0.1: icmp_seq=${at} time=${at % 7} ms`),
    ];
    const made = written(lines);
    assert.equal(
      made[0],
      '[… 60 repeats of a line\'s start left out …] … stands for "64 bytes from 10.0.0.1: icmp_seq="',
    );
    assert.deepEqual(made.slice(1, 4), ["PING harbor", "… 0 time=0 ms", "… 1 time=1 ms"]);
    assert.deepEqual(restoredLines(made.join("\n")), lines);
  });

  it("stay as they are where that saves little, or where a line looks like a sign", () => {
    assert.equal(withoutLoss(rows(50, (at) => `${at * 7919} ${"abc".repeat(at % 9)}`)), null);
    assert.equal(withoutLoss(["(=1) is a list", ...rows(50, () => "thetidecomesinagain")]), null);
    assert.equal(withoutLoss([]), null);
  });
});

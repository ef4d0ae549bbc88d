import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { cellsOf } from "../../../../src/engine/cli/text-cells.ts";
import { Scratch } from "../support/support.ts";

let scratch: Scratch;

/** A response from the day before yesterday. */
function recent(): string {
  const at = new Date(Date.now() - 48 * 3_600_000).toISOString();
  const usage = { input_tokens: 500, cache_read_input_tokens: 60_000, output_tokens: 300 };
  const message = { id: "m1", model: "claude-sonnet-4-6", usage };
  return `${JSON.stringify({ type: "assistant", message, requestId: "r1", timestamp: at, cwd: "/argo" })}\n`;
}

/** The output in a terminal of some width, without colour. */
async function statusIn(columns: number, write?: (line: string) => void): Promise<string[]> {
  let text = "";
  const stdout = { isTTY: true, columns, write: (part: string | Uint8Array) => (text += String(part)) };
  const { stderr } = await scratch.purser(["status", "--all"], { now: () => Date.now(), stdout });
  for (const line of stderr.trimEnd().split("\n")) write?.(line);
  return stripVTControlCharacters(text).trimEnd().split("\n");
}

function asked(text: string): string {
  return `${JSON.stringify({ type: "user", message: { role: "user", content: text }, cwd: "/argo" })}\n`;
}

describe("purser status in a terminal", () => {
  beforeEach(() => {
    scratch = new Scratch();
  });
  afterEach(() => {
    scratch.dispose();
  });

  it("leaves out the id, the project, the model, the cost, the next call and the context, in this order, in a terminal without room", async () => {
    scratch.transcript(
      "-argo/5f0c0000-s.jsonl",
      asked("Fix the login page and its tests, please") + recent(),
    );
    const table: readonly [columns: number, header: string][] = [
      [170, "Session ID Project Model Context Used Until compaction Next call Cost Advice"],
      [128, "Session Project Model Context Used Until compaction Next call Cost Advice"],
      [116, "Session Model Context Used Until compaction Next call Cost Advice"],
      [101, "Session Context Used Until compaction Next call Cost Advice"],
      [90, "Session Context Used Until compaction Next call Advice"],
      [80, "Session Context Used Until compaction Advice"],
    ];
    for (const [columns, header] of table) {
      const lines = await statusIn(columns);
      assert.equal(lines[0]?.replaceAll(/ +/gu, " "), header, `in ${columns}`);
      for (const line of lines) assert.ok(cellsOf(line) <= columns, line);
    }
  });

  it("takes two lines a session in a terminal of less than 80 columns", async () => {
    scratch.transcript(
      "-argo/5f0c0000-s.jsonl",
      asked("修复登录测试并更新所有文档以便新用户可以看到完整的说明") + recent(),
    );
    assert.deepEqual(await statusIn(60), [
      "修复登录测试并更新所有文档以便新用户可以看到完整的说明",
      "  continue · ~30% of 200k · ~106k until compaction · ~$0.024",
      "~ estimated",
    ]);
    assert.deepEqual(await statusIn(79), [
      "修复登录测试并更新所有文档以便新用户可以看到完整的说明",
      "  continue · ~30% of 200k · ~106k until compaction · Claude Code · ~$0.024",
      "~ estimated",
    ]);
    assert.deepEqual(await statusIn(25), [
      "修复登录测试并更新所有文…",
      "  continue · ~30% of 200k",
      "~ estimated",
    ]);
  });

  it("cuts a long title at its least informative end, and only once", async () => {
    const title =
      "Fix the flaky login test that fails on every second run since nobody is looking at it any more";
    scratch.transcript("-argo/5f0c0000-s.jsonl", asked(title) + recent());
    for (const columns of [40, 79, 80, 120, 200]) {
      const lines = await statusIn(columns);
      const [, shown = ""] = /(Fix .*?)…/u.exec(lines.join("\n")) ?? [];
      assert.ok(shown.length > 5 && title.startsWith(shown), `${shown} in ${columns}`);
      assert.equal(lines.join("").split("…").length, 2);
    }
  });

  it("--watch prints again after the terminal's width changed", async () => {
    scratch.transcript("-argo/5f0c0000-s.jsonl", asked("Fix the login page") + recent());
    const interrupt = new AbortController();
    const written: string[] = [];
    const listeners: (() => void)[] = [];
    const stdout = {
      isTTY: true,
      columns: 100,
      onResize: (listener: () => void) => void listeners.push(listener),
      write: (text: string | Uint8Array) => {
        written.push(stripVTControlCharacters(String(text)));
        if (written.length > 1) interrupt.abort();
        else {
          stdout.columns = 60;
          setImmediate(() => {
            for (const listener of listeners) listener();
          });
        }
      },
    };
    const host = { stdout, signal: interrupt.signal, now: () => Date.now() };
    assert.equal((await scratch.purser(["status", "--all", "--watch"], host)).code, 0);
    assert.match(written[0] ?? "", /^Session +Context +/u);
    assert.match(written[1] ?? "", /^Fix the login page\n {2}continue · ~30% of 200k/u);
  });

  it("combines the sessions of a model with an unknown window", async () => {
    // The agent assumes a window for a model it does not know; only a larger response refutes it.
    const mystery = recent().replace("claude-sonnet-4-6", "mystery-9").replace("60000", "1200000");
    for (const name of ["a", "b", "c"]) scratch.transcript(`-argo/${name}.jsonl`, mystery);
    const notes: string[] = [];
    const lines = await statusIn(70, (line) => notes.push(line));
    assert.equal(lines.length, 6);
    assert.match(lines[1] ?? "", /^ {2}1\.2M tokens, window unknown · Claude Code · mystery-9$/u);
    assert.equal(notes.length, 1);
    assert.match(notes[0] ?? "", /^mystery-9: window unknown \(3 sessions\): .*purser\.models/u);
  });
});

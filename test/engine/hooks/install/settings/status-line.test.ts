import { isObject } from "../../../../../src/engine/base/parse.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";

import type { HookFile } from "../../../../../src/engine/hooks/install/settings/agent-file.ts";
import type { RecordPorts } from "../../../../../src/engine/hooks/install/hooks-install-record.ts";
import {
  parseJsonDocument,
  valueOf,
} from "../../../../../src/engine/hooks/install/settings/json-document.ts";
import { makeChange } from "../../../../../src/engine/hooks/install/make-change.ts";
import { planInstall, planUninstall } from "../../../../../src/engine/hooks/install/plan-change.ts";
import {
  hasStatusLine,
  withoutStatusLine,
  withStatusLine,
  chainedLine,
  statusLineCommand,
  type ChainedLine,
} from "../../../../../src/engine/hooks/install/settings/set-status-line.ts";
import { MemoryDisk } from "../support/memory-disk.ts";
import { claudeHooks, settingsText, shim } from "../support/settings-files.ts";

const settingsFile = "/home/nana/.claude/settings.json";
const file: HookFile = { program: "claude-code", scope: "user", file: settingsFile, choice: null };
const make = (chained: ChainedLine) => statusLineCommand(shim, chained, "linux");

function done(result: { ok: boolean; value?: string }): string {
  assert.ok(result.ok && result.value !== undefined);
  return result.value;
}

function lineOf(text: string): unknown {
  const parsed = parseJsonDocument(text);
  assert.ok(parsed.ok && parsed.value.root !== null);
  const value: unknown = valueOf(parsed.value.root);
  return typeof value === "object" && value !== null ? Reflect.get(value, "statusLine") : undefined;
}

describe("a status line that chains the user's", () => {
  it("keeps its other settings, once, and restores the text byte for byte", () => {
    const mine = `{\n  "model": "opus",\n  "statusLine": { "type": "command",  "command": "~/line.sh 'a b'", "padding": 2 }\n}\n`;
    const ours = done(withStatusLine(mine, make));
    const line = lineOf(ours);
    assert.ok(isObject(line));
    const { command, ...rest } = line;
    assert.deepEqual(rest, { type: "command", padding: 2 });
    assert.equal(chainedLine(String(command))?.command, "~/line.sh 'a b'");
    assert.equal(done(withStatusLine(ours, make)), ours);
    assert.ok(hasStatusLine(ours) && !hasStatusLine(mine));
    const moved = done(
      withStatusLine(ours, (own) => statusLineCommand({ ...shim, path: "/new/hook.cjs" }, own, "linux")),
    );
    assert.match(moved, /\/new\/status-line\.cjs/u);
    for (const text of [ours, moved]) assert.equal(done(withoutStatusLine(text)), mine);
  });

  it("is added if there was none, and removed without a trace", () => {
    const ours = done(withStatusLine(`{\n  "model": "opus"\n}\n`, make));
    assert.equal(done(withoutStatusLine(ours)), `{\n  "model": "opus"\n}\n`);
  });

  it("leaves unknown settings unchanged", () => {
    for (const text of [`{"statusLine":{"type":"other","command":"x"}}`, `{"statusLine":7}`, `[]`, ``]) {
      assert.equal(done(withStatusLine(text, make)), text);
      assert.equal(done(withoutStatusLine(text)), text);
    }
    assert.equal(withStatusLine(`{"statusLine":1,"statusLine":2}`, make).ok, false);
    assert.equal(chainedLine("node x --purser-status-line=AAAA"), null);
  });

  it("is removed with the hooks, and restores any previous file", async () => {
    const own = fc.option(fc.record({ command: fc.string({ unit: "grapheme" }), padding: fc.nat() }));
    await fc.assert(
      fc.asyncProperty(settingsText, own, fc.boolean(), async (text, line, isForgotten) => {
        const disk = new MemoryDisk();
        let count = 0;
        const ports: RecordPorts = { disk, records: "/home/nana/.purser/h", unique: () => `t${++count}` };
        const initial = line === null ? text : done(withStatusLine(text, () => line.command));
        disk.put(settingsFile, initial);
        const asked = { file, wanted: claudeHooks(), hasSecret: false, statusLine: make };
        for (const isNeeded of [true, false]) {
          const plan = await planInstall(asked, ports);
          assert.ok(plan.ok && plan.value.isNeeded === isNeeded);
          assert.ok((await makeChange(plan.value, ports)).ok);
        }
        assert.ok(hasStatusLine(disk.text(settingsFile) ?? "") || /^\s*$/u.test(text));
        if (isForgotten)
          for (const name of disk.names()) if (name.includes("/.purser/")) await disk.remove(name);
        const plan = await planUninstall(file, ports);
        assert.ok(plan.ok && (await makeChange(plan.value, ports)).ok);
        if (!isForgotten) assert.equal(disk.text(settingsFile), initial);
        else if (line !== null) assert.deepEqual(lineOf(disk.text(settingsFile) ?? ""), lineOf(initial));
      }),
      { numRuns: 40 },
    );
  });
});

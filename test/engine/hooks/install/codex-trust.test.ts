import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  readCodexTrust,
  skippedHooks,
  trustHash,
  readTomlTables,
} from "../../../../src/engine/hooks/install/codex-trust.ts";
import type { HookScope } from "../../../../src/engine/hooks/install/settings/agent-file.ts";
import { newDocument } from "../../../../src/engine/hooks/install/settings/set-hooks.ts";
import { hookFormats } from "../../../../src/engine/hooks/install/settings/install-settings-entry.ts";
import { wantedHooks } from "../../../../src/engine/hooks/install/settings/wanted-hooks.ts";
import { shim } from "./support/settings-files.ts";

const home = "/home/nana";
const user = `${home}/.codex/hooks.json`;
const wanted = wantedHooks({ program: "codex", shim, address: null, isShared: false, platform: "linux" });
const text = newDocument(wanted, hookFormats.codex);

function label(event: string): string {
  return event.replaceAll(/(?!^)[A-Z]/gu, (letter) => `_${letter}`).toLowerCase();
}

/** As Codex writes it after its user's review. */
function reviewed(file: string, events = wanted.map(({ event }) => event), at = "0:0"): string {
  return wanted
    .filter(({ event }) => events.includes(event))
    .map(({ event, handler }) => {
      const key = JSON.stringify(`${file}:${label(event)}:${at}`);
      return `[hooks.state.${key}]\ntrusted_hash = "${trustHash({ event, value: handler })}"\n`;
    })
    .join("\n");
}

function skipped(
  config: string,
  { hooks = text, scope = "user" }: { hooks?: string; scope?: HookScope } = {},
) {
  const project = "/work/argo";
  const file = scope === "user" ? user : `${project}/.codex/hooks.json`;
  const files: Readonly<Record<string, string>> = { [`${home}/.codex/config.toml`]: config, [file]: hooks };
  const found = { program: "codex", scope, file, choice: null } as const;
  const input = {
    env: {},
    home,
    project,
    isSame: Object.is,
    readText: (name: string) => files[name] ?? null,
  };
  return skippedHooks(readCodexTrust(found, input));
}

describe("the hooks that Codex runs", () => {
  it("are those with a reviewed text, by the hash that Codex writes", () => {
    const value = { type: "command", command: "echo hi", timeout: 5 };
    // The real program takes such a hash: see test/agents/hooks/codex.test.ts.
    const identity =
      '{"event_name":"pre_tool_use","hooks":[{"async":false,"command":"echo hi","timeout":5,"type":"command"}]}';
    const expected = `sha256:${createHash("sha256").update(identity).digest("hex")}`;
    assert.equal(trustHash({ event: "PreToolUse", value }), expected);
    assert.equal(skipped(reviewed(user)), null);
  });

  it("are empty before the review", () => {
    const all = wanted.map(({ event }) => event);
    for (const config of [
      "",
      "[features]\nhooks = true\n",
      reviewed("/else/hooks.json"),
      reviewed(user, all, "1:0"),
    ])
      assert.deepEqual(skipped(config)?.unreviewed, all, config);
  });

  it("are not those that changed since, or were switched off", () => {
    const changed = text.replaceAll(shim.path, "/ext/purser-2/dist/hook.cjs");
    const found = skipped(reviewed(user), { hooks: changed });
    assert.deepEqual([found?.changed.length, found?.unreviewed], [wanted.length, []]);
    const off = `${reviewed(user)}\n[hooks.state."${user}:stop:0:0"]\nenabled = false\n`;
    assert.deepEqual(skipped(off.replace(/\[hooks\.state\."[^"]*:stop:0:0"\]\ntrusted_hash.*\n/u, ""))?.off, [
      "Stop",
    ]);
  });

  it("are found behind hooks of others", () => {
    const mine = { hooks: [{ type: "command", command: "true" }] };
    const parsed: unknown = JSON.parse(text);
    assert.ok(typeof parsed === "object" && parsed !== null && "hooks" in parsed);
    const lists: unknown = parsed.hooks;
    assert.ok(typeof lists === "object" && lists !== null);
    const both = Object.fromEntries(
      Object.entries(lists).map(([event, list]: [string, unknown[]]) => [event, [mine, ...list]]),
    );
    const hooks = JSON.stringify({ hooks: both });
    const all = wanted.map(({ event }) => event);
    assert.equal(skipped(reviewed(user, all, "1:0"), { hooks }), null);
    assert.equal(skipped(reviewed(user), { hooks })?.unreviewed.length, all.length);
  });

  it("of a project are empty if Codex does not trust it", () => {
    const config = reviewed("/work/argo/.codex/hooks.json");
    assert.deepEqual(skipped(config, { scope: "project" }), {
      unreviewed: [],
      changed: [],
      off: [],
      isProjectUntrusted: true,
    });
    const trusted = `[projects."/work/argo"]\ntrust_level = "trusted"\n${config}`;
    assert.equal(skipped(trusted, { scope: "project" }), null);
  });
});

describe("tables of TOML", () => {
  it("are read with every way to write a name and a value", () => {
    const tables = readTomlTables(
      String.raw`top = "x"
[a.'b.c'."d\\e"] # comment
one = "1" # "2"
two = 'C:\x'
three = true
four = [1]
[[list]]
five = "not ours"
[ spaced . "out" ]
six = false`,
    );
    assert.deepEqual(
      tables.map(({ path, values }) => [path, Object.fromEntries(values)]),
      [
        [["a", "b.c", String.raw`d\e`], { one: "1", two: String.raw`C:\x`, three: true }],
        [["spaced", "out"], { six: false }],
      ],
    );
  });

  it("never fail, and end", () => {
    const piece = fc.constantFrom(
      "[",
      "]",
      '"',
      "'",
      ".",
      "=",
      "\\",
      "a",
      "\n",
      " ",
      "true",
      "#",
      "[[",
      "]]",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 60 }).map((parts) => parts.join("")),
        ),
        (toml) => {
          for (const { path } of readTomlTables(toml)) assert.ok(path.length > 0);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

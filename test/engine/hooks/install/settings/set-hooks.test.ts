import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  hookFormats,
  type HookEntry,
} from "../../../../../src/engine/hooks/install/settings/install-settings-entry.ts";
import {
  comments,
  parseJsonDocument,
  valueOf,
} from "../../../../../src/engine/hooks/install/settings/json-document.ts";
import {
  containersIn,
  withHooks,
  withoutHooks,
} from "../../../../../src/engine/hooks/install/settings/set-hooks.ts";
import { hookStatus } from "../../../../../src/engine/hooks/install/installer.ts";
import { MemoryDisk } from "../support/memory-disk.ts";
import { claudeHooks, settingsText } from "../support/settings-files.ts";

const format = hookFormats["claude-code"];
const hooks = claudeHooks();
const older = claudeHooks({ address: null, shim: { path: "/old/hook.cjs", runtime: "node" } }).slice(0, 6);

function installed(text: string, wanted: readonly HookEntry[] = hooks): string {
  const done = withHooks(text, wanted, format);
  assert.ok(done.ok, done.ok ? "" : `${done.reason}: ${done.detail.text}\n${text}`);
  return done.value;
}

function taken(text: string, kept: ReadonlySet<string> = new Set()): string {
  const done = withoutHooks(text, format, kept);
  assert.ok(done.ok, done.ok ? "" : `${done.reason}: ${done.detail.text}\n${text}`);
  return done.value;
}

function meaning(text: string): unknown {
  const parsed = parseJsonDocument(text);
  assert.ok(parsed.ok);
  return parsed.value.root === null ? null : valueOf(parsed.value.root);
}

describe("hooks in a settings file", () => {
  const [stop] = hooks.filter(({ event }) => event === "Stop");
  assert.ok(stop);

  it("are added in the file's own style", () => {
    const before = `{\n    "model": "opus", // the large one\n    "hooks": {\n        "Stop": [\n            { "hooks": [{ "type": "command", "command": "say done" }] }\n        ]\n    } // mine\n}\n`;
    const text = installed(before, [{ ...stop, handler: { type: "command", command: "x --purser-hook=y" } }]);
    assert.equal(
      text,
      `{\n    "model": "opus", // the large one\n    "hooks": {\n        "Stop": [\n            { "hooks": [{ "type": "command", "command": "say done" }] },\n            {\n                "hooks": [\n                    {\n                        "type": "command",\n                        "command": "x --purser-hook=y"\n                    }\n                ]\n            }\n        ]\n    } // mine\n}\n`,
    );
    assert.equal(taken(text), before);
  });

  it("leave a comment with its member", () => {
    const text = installed(`{\n  "a": 1 // about a\n}\n`, [stop]);
    assert.match(text, /^\{\n {2}"a": 1, \/\/ about a\n {2}"hooks": \{/u);
    assert.equal(taken(text), `{\n  "a": 1, // about a\n}\n`.replace("1,", "1"));
  });

  it("lose the matcher of an earlier version, and keep one that a person chose", async () => {
    const [after] = hooks.filter(({ event }) => event === "PostToolUse");
    assert.ok(after);
    const matcherOf = (text: string) => /"matcher": "(?<matcher>\w+)"/u.exec(text)?.groups?.["matcher"];
    const stateOf = async (text: string) => {
      const disk = new MemoryDisk();
      disk.put("/settings.json", text);
      const file = { file: "/settings.json", program: "claude-code", scope: "user", choice: null } as const;
      const status = await hookStatus(file, { wanted: [after] }, disk);
      return status.ok ? status.value.state : status.reason;
    };
    const former = installed("{\n}\n", [{ ...after, matcher: "SendMessage", formerMatcher: null }]);
    assert.equal(matcherOf(former), "SendMessage");
    assert.equal(await stateOf(former), "outdated");
    const replaced = installed(former, [after]);
    assert.equal(replaced, installed("{\n}\n", [after]));
    assert.equal(await stateOf(replaced), "installed");
    const chosen = former.replace("SendMessage", "Bash");
    assert.equal(installed(chosen, [after]), chosen);
    assert.equal(await stateOf(chosen), "installed");
  });

  it("are written on one line in a file of one line", () => {
    assert.match(installed(`{"a":1}`, [stop]), /^\{"a":1,"hooks":\{"Stop":\[[^\n]*\}$/u);
  });

  it("make a file of nothing but white space a settings file", () => {
    assert.match(installed(" \n", [stop]), /^ \n\{\n {2}"hooks": \{/u);
  });

  it("that purser wrote earlier are repaired in place, even if moved", () => {
    const text = installed(`{"hooks":{"Stop":[{"hooks":[]}]}}`, older);
    const moved = text.replace(`"Stop":[`, `"Stop":[{"matcher":"x","hooks":[]},`);
    const now = installed(moved);
    assert.doesNotMatch(now, /\/old\/hook/u);
    assert.deepEqual(meaning(taken(now, new Set(["hooks", "hooks.Stop"]))), {
      hooks: { Stop: [{ matcher: "x", hooks: [] }, { hooks: [] }] },
    });
  });

  it("of ours that are there twice, or for an event no longer wanted, go", () => {
    const twice = installed(`{}`, [stop]).replace(
      /"Stop": \[([^]*)\]\n {2}\}/u,
      `"Stop": [$1, $1], "Gone": [$1] }`,
    );
    assert.equal(twice.match(/127\.0\.0\.1/gu)?.length, 3);
    const now = installed(twice, [stop]);
    assert.equal(now.match(/127\.0\.0\.1/gu)?.length, 1);
    assert.doesNotMatch(now, /Gone/u);
  });

  it("leave the containers of a user in place", () => {
    const before = `{"hooks":{"Stop":[]}}`;
    const kept = containersIn(before, format);
    assert.deepEqual([...kept], ["hooks", "hooks.Stop"]);
    assert.equal(taken(installed(before, [stop]), kept), before);
    assert.equal(taken(installed(before, [stop])), `{}`);
  });

  for (const [what, text, reason] of [
    ["does not parse", `{"a":1`, "not_json"],
    ["is a list", `[]`, "other_shape"],
    ["has other hooks than known", `{"hooks":[]}`, "other_shape"],
    ["has an event of another shape", `{"hooks":{"Stop":{}}}`, "other_shape"],
    ["has hooks twice", `{"hooks":{},"hooks":{}}`, "other_shape"],
  ] as const)
    it(`are not put into a file that ${what}`, () => {
      const done = withHooks(text, hooks, format);
      assert.equal(done.ok ? "" : done.reason, reason);
    });

  it("of ours go without a trace of meaning, and come a second time without a change", () => {
    fc.assert(
      fc.property(settingsText, fc.boolean(), (text, isUpgrade) => {
        const first = isUpgrade ? installed(installed(text, older)) : installed(text);
        assert.equal(installed(first), first, "a second time changes nothing");
        const own = comments(text.replace(/^\uFEFF/u, ""));
        assert.deepEqual(comments(first.replace(/^\uFEFF/u, "")), own, "every comment is still there");
        const after = taken(first, containersIn(text, format));
        assert.deepEqual(meaning(after), meaning(text));
        assert.deepEqual(comments(after.replace(/^\uFEFF/u, "")), own);
        assert.equal(after.startsWith("\uFEFF"), text.startsWith("\uFEFF"));
      }),
      { numRuns: 200 },
    );
  });

  it("of ours that run the script take the place of those before it, wherever it is, and go again", () => {
    const places = fc.stringMatching(/^\/[a-zA-Z '"$`\\!%é🚢-]{1,30}\/hook\.sh$/u);
    const ways = fc.record({ onFailure: fc.constantFrom("open", "closed"), isPosted: fc.boolean() });
    fc.assert(
      fc.property(settingsText, places, ways, (text, script, { onFailure, isPosted }) => {
        const wanted = claudeHooks({ script, onFailure, ...(isPosted ? {} : { address: null }) });
        const before = installed(text, claudeHooks({ address: null }));
        const now = installed(before, wanted);
        assert.deepEqual(installed(now, wanted), now);
        assert.deepEqual(meaning(taken(now, containersIn(text, format))), meaning(text));
      }),
      { numRuns: 100 },
    );
  });
});

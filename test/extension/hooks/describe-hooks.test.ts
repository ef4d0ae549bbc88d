import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { fail, succeed } from "../../../src/engine/base/result.ts";
import type { HookChoice } from "../../../src/engine/hooks/install/installer.ts";
import {
  installNotes,
  describeInEditor,
  describePolicy,
  describeRefusal,
  describeHookGroup,
  describeState,
  hookGroupOf,
  hookGroups,
} from "../../../src/extension/hooks/describe-hooks.ts";
import { maskBearer } from "../../../src/engine/base/text.ts";
import { shortPath } from "../../../src/extension/editor/describe-editor.ts";
import { t } from "../support/session.ts";

const choice: HookChoice = {
  file: { program: "claude-code", scope: "user", file: "/home/dev/.claude/settings.json", choice: null },
  wanted: [],
  hasSecret: false,
  way: "node",
  withoutHttp: null,
  policies: [],
  lacks: null,
  isInsistedOn: false,
};
const strict = { comments: false, trailingCommas: false };

describe("descriptions of hooks", () => {
  it("explains before installation what is special about the file", () => {
    const notes = (change: Partial<HookChoice>, leniencies = strict, elsewhere: string[] = []) =>
      installNotes({ choice: { ...choice, ...change }, skill: null, leniencies, elsewhere }, t);
    assert.deepEqual(notes({}), []);
    const skilled = (state: "absent" | "foreign" | "installed") =>
      installNotes(
        { choice, skill: { file: "/x", state, changes: [] }, leniencies: strict, elsewhere: [] },
        t,
      );
    assert.match(skilled("absent").join(), /skill check-tokens/u);
    assert.match(skilled("foreign").join(), /stays as it is/u);
    assert.deepEqual(skilled("installed"), []);
    assert.match(notes({ hasSecret: true }).join(), /permissions are set to owner-only/u);
    assert.match(
      notes({ withoutHttp: { kind: "in_repository" } }).join(),
      /version control, so it gets no access token/u,
    );
    assert.match(notes({ withoutHttp: { kind: "no_address" } }).join(), /until you install again/u);
    assert.match(notes({ hasSecret: true }).join(), /nobody else can log in.*small process/u);
    assert.match(notes({ hasSecret: true, isInsistedOn: true }).join(), /as you set it/u);
    const people = { kind: "account", name: "mallory" } as const;
    assert.match(
      notes({ withoutHttp: { kind: "not_alone", people } }).join(),
      /^The account mallory can log in .* could read what is posted/u,
    );
    const lacks = { isPostingUnknown: false, areModsUnknown: true, tried: null };
    assert.deepEqual(notes({ lacks: { ...lacks, version: "2.1.197", events: ["PreModelSwitch"] } }), [
      "Claude Code 2.1.197 does not report PreModelSwitch.",
    ]);
    assert.match(
      notes({}, { ...strict, comments: true }).join(),
      /has comments, which Claude Code does not read/u,
    );
    assert.match(notes({}, strict, ["~/x.json"]).join(), /^~\/x\.json has purser's hooks too/u);
    assert.match(notes({ file: { ...choice.file, program: "codex" } }).join(), /\/hooks/u);
    assert.match(notes({ file: { ...choice.file, scope: "project" } }).join(), /Everybody who shares/u);
  });

  it("names what prevents the hooks from running", () => {
    const policy = {
      effect: "no_hooks",
      file: "/etc/x",
      setting: "disableAllHooks",
      isManaged: false,
    } as const;
    assert.equal(
      describePolicy(policy, "claude-code", t),
      "Claude Code will not run purser's hooks: blocked by disableAllHooks.",
    );
    assert.match(describePolicy({ ...policy, isManaged: true }, "codex", t), /An administrator set it\.$/u);
    assert.match(describePolicy({ ...policy, effect: "no_http" }, "claude-code", t), /may not post hooks/u);
  });

  it("has a remedy for every refusal", () => {
    const reasons = [
      ...([
        "not_json",
        "other_shape",
        "unsafe_edit",
        "link_loop",
        "not_a_file",
        "not_own",
        "too_large",
      ] as const),
      ...(["unreadable", "unwritable", "changed", "no_such_scope"] as const),
    ];
    const messages = reasons.map((reason) => describeRefusal(reason, "/x/settings.json: no", t));
    for (const text of messages) {
      assert.ok(text.startsWith("/x/settings.json: no"), text);
      assert.match(text, /[.]$/u);
    }
  });

  it("counts outdated, skipped and unreadable hooks as needing attention", () => {
    const skipped = { unreviewed: ["Stop"], changed: [], off: [], isProjectUntrusted: false };
    const groupOf = (state: "installed" | "outdated" | "absent", isSkipped = false) =>
      hookGroupOf(succeed({ state, skipped: isSkipped ? skipped : null }));
    assert.deepEqual(
      [groupOf("installed"), groupOf("absent"), groupOf("outdated"), groupOf("installed", true)],
      ["installed", "absent", "attention", "attention"],
    );
    assert.equal(hookGroupOf(fail("not_json", plainSentence("/x/settings.json: no"))), "attention");
    assert.deepEqual(
      hookGroups.map((each) => describeHookGroup(each, t)),
      ["Need attention", "Installed", "Not installed"],
    );
  });

  it("describes the state in a few words", () => {
    const run = { skipped: null };
    assert.equal(describeState({ ...run, state: "absent", events: [] }, t), "not installed");
    assert.equal(
      describeState({ ...run, state: "installed", events: ["Stop", "Setup"] }, t),
      "installed · 2 events",
    );
    assert.equal(
      describeState({ ...run, state: "outdated", events: ["Stop"] }, t),
      "not up to date · 1 events",
    );
    const none = { unreviewed: [], changed: [], off: [], isProjectUntrusted: false };
    const installed = { state: "installed", events: ["Stop", "Setup"] } as const;
    assert.equal(
      describeState({ ...installed, skipped: { ...none, unreviewed: ["Stop"] } }, t),
      "1 of 2 events not run · review them in Codex: /hooks",
    );
    assert.equal(
      describeState({ ...installed, skipped: { ...none, isProjectUntrusted: true } }, t),
      "not run · Codex does not trust the project",
    );
  });
});

it("describes from its settings whether VS Code's own chat runs Copilot CLI's hooks", () => {
  const said = (useHooks: unknown, locations: unknown, scope: "user" | "project" = "user") =>
    describeInEditor({ useHooks, locations }, scope, t);
  assert.equal(said(true, { ".github/hooks": true }), "in VS Code's chat too");
  assert.equal(said(true, undefined, "project"), "in VS Code's chat too");
  assert.equal(said(true, { ".github/hooks": false }), "in VS Code's chat too");
  const out = "not in VS Code's chat: excluded by chat.hookFilesLocations";
  assert.equal(said(true, { ".github/hooks": false }, "project"), out);
  assert.equal(said(true, { "~/.copilot/hooks": false }), out);
  assert.equal(said(false, {}), "not in VS Code's chat: chat.useHooks is off");
  assert.equal(said(undefined, undefined), "VS Code's chat runs none in this version");
});

describe("texts of files", () => {
  it("never contains a key, regardless of the text around it", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w-]{16,64}$/u), fc.string(), fc.string(), (token, before, after) => {
        fc.pre(!before.includes(token) && !/^[\w-]/u.test(after));
        assert.ok(!maskBearer(`${before}Bearer ${token}${after}`, "key").includes(token));
      }),
    );
  });

  it("has a readable name", () => {
    assert.equal(shortPath("/home/dev/.claude/settings.json", "/home/dev"), "~/.claude/settings.json");
    assert.equal(shortPath("/etc/x.json", "/home/dev"), "/etc/x.json");
    assert.equal(shortPath("/home/devil/x", "/home/dev"), "/home/devil/x");
    assert.equal(shortPath("/home/dev", "/home/dev"), "/home/dev");
  });
});

import path from "node:path";
import { describe, it } from "node:test";
import type { HookProgram } from "../../../../src/engine/hooks/program.ts";
import { hookFile } from "../../../../src/engine/hooks/install/settings/agent-file.ts";
import { findPolicies, readTomlFlag } from "../../../../src/engine/hooks/install/policies.ts";
import { assert } from "../../support/assert-texts.ts";

const url = "http://127.0.0.1:41234/hook/claude-code";

function policies(program: HookProgram, files: Readonly<Record<string, string>>): string[] {
  const found = findPolicies(program, {
    env: {},
    home: "/home/nana",
    project: "/argo",
    isSame: Object.is,
    platform: "linux",
    url,
    readText: (file) => files[file] ?? null,
    list: (folder) =>
      Object.keys(files).flatMap((file) => (path.dirname(file) === folder ? [path.basename(file)] : [])),
  });
  return found.map(({ effect, setting, isManaged }) => `${effect} ${setting}${isManaged ? " managed" : ""}`);
}

const managed = "/etc/claude-code/managed-settings.json";
const own = "/home/nana/.claude/settings.json";

describe("what forbids hooks", { skip: process.platform === "win32" }, () => {
  for (const [what, program, files, expected] of [
    ["nothing", "claude-code", {}, []],
    [
      "the administrator",
      "claude-code",
      { [managed]: `{"allowManagedHooksOnly":true}` },
      ["no_hooks allowManagedHooksOnly managed"],
    ],
    [
      "a part of the administrator's settings",
      "claude-code",
      { "/etc/claude-code/managed-settings.d/9.json": `{"strictPluginOnlyCustomization":["hooks"]}` },
      ["no_hooks strictPluginOnlyCustomization managed"],
    ],
    [
      "the account's administrator",
      "claude-code",
      { "/home/nana/.claude/remote-settings.json": `{"disableAllHooks":true}` },
      ["no_hooks disableAllHooks managed"],
    ],
    [
      "the project",
      "claude-code",
      { "/argo/.claude/settings.json": `{"disableAllHooks":true}` },
      ["no_hooks disableAllHooks"],
    ],
    [
      "the user, in the project",
      "claude-code",
      { "/argo/.claude/settings.local.json": `{"disableAllHooks":true}` },
      ["no_hooks disableAllHooks"],
    ],
    [
      "not a user who plays administrator",
      "claude-code",
      { [own]: `{"allowManagedHooksOnly":true,"strictPluginOnlyCustomization":true}` },
      [],
    ],
    [
      "a list of addresses",
      "claude-code",
      { [own]: `{"allowedHttpHookUrls":["https://*"]}` },
      ["no_http allowedHttpHookUrls"],
    ],
    [
      "not a list that has ours",
      "claude-code",
      {
        [own]: `{"allowedHttpHookUrls":["https://*"]}`,
        [managed]: `{"allowedHttpHookUrls":["http://127.0.0.1:*"]}`,
      },
      [],
    ],
    ["not a file that does not parse", "claude-code", { [managed]: `{"disableAllHooks":true` }, []],
    [
      "Codex's switch",
      "codex",
      { "/home/nana/.codex/config.toml": `[features]\nhooks = false # for now` },
      ["no_hooks features.hooks"],
    ],
    [
      "Codex's requirements",
      "codex",
      { "/etc/codex/requirements.toml": `allow_managed_hooks_only = true` },
      ["no_hooks allow_managed_hooks_only managed"],
    ],
    [
      "Copilot's switch in the project",
      "copilot",
      { "/argo/.github/copilot/settings.json": `{"disableAllHooks":true}` },
      ["no_hooks disableAllHooks"],
    ],
    [
      "not Copilot's switch of the user, which its folder of hooks does not heed",
      "copilot",
      { "/home/nana/.copilot/settings.json": `{"disableAllHooks":true}` },
      [],
    ],
    [
      "Gemini's switch",
      "gemini",
      { "/home/nana/.gemini/settings.json": `{"hooksConfig":{"enabled":false}} // off` },
      ["no_hooks hooksConfig.enabled"],
    ],
    [
      "Gemini's list of hooks that are off, in the project",
      "gemini",
      { "/argo/.gemini/settings.json": `{"hooksConfig":{"disabled":["purser","lint"]}}` },
      ["no_hooks hooksConfig.disabled"],
    ],
    [
      "Gemini's administrator",
      "gemini",
      { "/etc/gemini-cli/settings.json": `{"hooksConfig":{"enabled":false}}` },
      ["no_hooks hooksConfig.enabled managed"],
    ],
    ["nothing to Gemini", "gemini", { "/argo/.gemini/settings.json": `{"hooksConfig":{"disabled":7}}` }, []],
  ] as const)
    it(`is reported: ${what}`, () => {
      assert.deepEqual(policies(program, files), expected);
    });
});

describe("a switch in TOML", () => {
  for (const [text, expected] of [
    ["", null],
    ["[features]\nhooks = false", false],
    ["features.hooks = true", true],
    [`["features"]\n"hooks"=false`, false],
    ["[other]\nhooks = false\n[features]\nhooksy = false", null],
    ["[[features]]\nhooks = false", null],
    ["# [features]\nhooks = false", null],
    ["[features]\nhooks = false\nhooks = true", true],
  ] as const)
    it(`is ${expected} in ${JSON.stringify(text)}`, () => {
      assert.equal(readTomlFlag(text, ["features", "hooks"]), expected);
    });
});

describe("the file of a scope", { skip: process.platform === "win32" }, () => {
  const at = (
    program: HookProgram,
    scope: "user" | "project" | "local",
    env: Record<string, string> = {},
  ) => {
    const found = hookFile(program, scope, { env, home: "/home/nana", project: "/argo", isSame: Object.is });
    return found.ok ? [found.value.file, found.value.choice] : found.reason;
  };
  it("is where its agent reads it", () => {
    assert.deepEqual(at("claude-code", "user"), ["/home/nana/.claude/settings.json", null]);
    assert.deepEqual(at("claude-code", "project"), ["/argo/.claude/settings.json", null]);
    assert.deepEqual(at("claude-code", "local"), ["/argo/.claude/settings.local.json", null]);
    assert.deepEqual(at("codex", "user", { CODEX_HOME: "/c" }), ["/c/hooks.json", null]);
    assert.deepEqual(at("codex", "project"), ["/argo/.codex/hooks.json", null]);
    assert.deepEqual(at("copilot", "user"), ["/home/nana/.copilot/hooks/purser.json", null]);
    assert.deepEqual(at("copilot", "project"), ["/argo/.github/hooks/purser.json", null]);
    assert.equal(at("codex", "local"), "no_such_scope");
  });
  it("is that of the first of several folders, and names it", () => {
    assert.deepEqual(at("claude-code", "user", { CLAUDE_CONFIG_DIR: "/a" }), ["/a/settings.json", null]);
    assert.deepEqual(at("claude-code", "user", { CLAUDE_CONFIG_DIR: "/a, ~/b" }), [
      "/a/settings.json",
      "CLAUDE_CONFIG_DIR names several folders: this is the first; not /home/nana/b",
    ]);
  });
});

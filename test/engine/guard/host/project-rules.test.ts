import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import test, { type TestContext } from "node:test";
import type { Sentence } from "../../../../src/engine/base/language.ts";
import { actionOf } from "../../../../src/engine/guard/calls/rule-action.ts";
import { readExample } from "../../../../src/engine/guard/calls/example.ts";
import { LoadedRules } from "../../../../src/engine/guard/user-rules/loaded-rules.ts";
import { FolderTrust } from "../../../../src/engine/settings/folder-trust.ts";
import { projectFilesAt, guardFileAt } from "../../../../src/engine/guard/host/project-files.ts";
import { repositoryRoot } from "../../../../src/engine/base/disk/same-path.ts";

const { platform } = process;

function place(t: TestContext) {
  const home = realpathSync(mkdtempSync(path.join(os.tmpdir(), "purser-project-")));
  t.after(() => rmSync(home, { recursive: true }));
  const problems: string[] = [];
  const onProblem = ({ text }: Sentence): void => void problems.push(text.replaceAll(home, "~"));
  const trust = new FolderTrust({ file: path.join(home, ".purser", "trusted.json"), platform, onProblem });
  let elapsed = 0;
  const ownFile = path.join(home, ".purser", "guard.yaml");
  const rules = new LoadedRules({
    file: guardFileAt(ownFile),
    projectFiles: (root) =>
      projectFilesAt(root, { userHome: home, ownFile, isTrusted: (each) => trust.isTrusted(each) }),
    now: () => 0,
    elapsed: () => (elapsed += 1001),
    onProblem,
  });
  const at = (name: string) => path.join(home, name);
  const contextOf = (folder: string) => ({
    folder: at(folder),
    home,
    project: repositoryRoot(at(folder), home),
    temporary: "/tmp",
  });
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  const fired = async (command: string, folder = "shop"): Promise<string[]> => {
    const hits = await rules.judge(readExample(command), contextOf(folder));
    return hits.map(({ rule }) => `${rule.id} ${actionOf(rule)}`);
  };
  const states = async (folder = "shop") => {
    const files = await rules.files(contextOf(folder));
    return files.map(({ name, state, faults }) =>
      [path.relative(home, name).replaceAll("\\", "/"), state, ...faults.map(({ line }) => line)].join(" "),
    );
  };
  mkdirSync(at("shop/.git"), { recursive: true });
  mkdirSync(at("shop/src/deep"), { recursive: true });
  return { at, fired, states, problems, trust, write, contextOf };
}

const noDeploy =
  "rules: [{ id: no-deploy, match: [{ program: make, words: deploy }], message: This deploys. }]\n";
const hookify = "---\nname: warn-curl\nevent: bash\npattern: curl\n---\nUse the mirror.\n";

test("a trusted project's files apply in all its folders, and are read again when they change", async (t) => {
  const { at, fired, states, trust, write } = place(t);
  write("shop/.purser/guard.yaml", noDeploy);
  write("shop/.claude/hookify.curl.local.md", hookify);
  assert.deepEqual(await fired("make deploy; curl x"), []);
  assert.deepEqual(await states(), [
    "shop/.purser/guard.yaml untrusted",
    "shop/.claude/hookify.curl.local.md untrusted",
  ]);
  assert.ok(trust.set(at("shop"), true).ok);
  assert.deepEqual(await fired("make deploy; curl x"), ["no-deploy ask", "hookify-warn-curl advise"]);
  assert.deepEqual(await fired("make deploy", "shop/src/deep"), ["no-deploy ask"]);
  assert.deepEqual(await fired("make deploy", "elsewhere"), []);
  write("shop/.purser/guard.yaml", noDeploy.replaceAll("deploy", "release"));
  assert.deepEqual(await fired("make deploy"), []);
  assert.deepEqual(await fired("make release"), ["no-release ask"]);
  assert.ok(trust.set(at("shop"), false).ok);
  assert.deepEqual(await fired("make release"), []);
});

test("reports a fault with its line, and the previous rules still apply", async (t) => {
  const { at, fired, states, trust, write, problems } = place(t);
  trust.set(at("shop"), true);
  write("shop/.purser/guard.yaml", noDeploy);
  write("shop/.claude/hookify.curl.local.md", hookify);
  await fired("ls");
  write("shop/.purser/guard.yaml", "set:\n  delete-home: off\n");
  write("shop/.claude/hookify.curl.local.md", hookify.replace("pattern: curl", "pattern: (?<=x)curl"));
  assert.deepEqual(await fired("make deploy; curl x"), ["no-deploy ask", "hookify-warn-curl advise"]);
  assert.deepEqual(await fired("rm -rf ~"), ["delete-home ask"]);
  assert.deepEqual(await states(), [
    "shop/.purser/guard.yaml faulty 2",
    "shop/.claude/hookify.curl.local.md faulty 4",
  ]);
  assert.match(problems.join("\n"), /~\/shop\/\.purser\/guard\.yaml: line 2: .*\n.*hookify\.curl.*line 4: /u);
});

test("the user's settings apply in addition to each project's", async (t) => {
  const { at, fired, trust, write } = place(t);
  trust.set(at("shop"), true);
  write("shop/.purser/guard.yaml", `${noDeploy}set: { delete-outside-project: ask }\n`);
  assert.deepEqual(await fired("rm -rf /opt/app/data"), ["delete-outside-project ask"]);
  assert.deepEqual(await fired("rm -rf /opt/app/data", "other"), ["delete-outside-project advise"]);
  write(
    ".purser/guard.yaml",
    `exceptions: [{ rule: no-deploy, folder: ~/shop/src }]\nset: { hookify-x: off }\n`,
  );
  assert.deepEqual(await fired("make deploy", "shop/src"), []);
  assert.deepEqual(await fired("make deploy"), ["no-deploy ask"]);
  write(".purser/guard.yaml", "set: { delete-outside-project: off }\n");
  assert.deepEqual(await fired("rm -rf /opt/app/data"), []);
});

test("does not read links, folders and too large files", async (t) => {
  const { at, fired, states, trust, write } = place(t);
  trust.set(at("shop"), true);
  write("elsewhere/guard.yaml", noDeploy);
  mkdirSync(at("shop/.purser"));
  symlinkSync(at("elsewhere/guard.yaml"), at("shop/.purser/guard.yaml"));
  assert.deepEqual(await fired("make deploy"), []);
  assert.deepEqual(await states(), ["shop/.purser/guard.yaml faulty 1"]);
  rmSync(at("shop/.purser"), { recursive: true });
  symlinkSync(at("elsewhere"), at("shop/.purser"));
  assert.deepEqual(await fired("make deploy"), []);
  rmSync(at("shop/.purser"));
  mkdirSync(at("shop/.purser/guard.yaml"), { recursive: true });
  assert.deepEqual(await states(), ["shop/.purser/guard.yaml faulty 1"]);
  rmSync(at("shop/.purser"), { recursive: true });
  write("shop/.purser/guard.yaml", `${noDeploy}# ${"x".repeat(3_000_000)}`);
  assert.deepEqual(await fired("make deploy"), []);
  assert.deepEqual(await states(), ["shop/.purser/guard.yaml faulty 1"]);
});

test("the home folder's files are not a project's", async (t) => {
  const { at, fired, states, trust, write } = place(t);
  trust.set(at("."), true);
  write(".purser/guard.yaml", noDeploy);
  write(".claude/hookify.curl.local.md", hookify);
  assert.deepEqual(await fired("make deploy; curl x", "."), ["no-deploy ask"]);
  assert.deepEqual(await states("."), [".purser/guard.yaml read"]);
});

test("trusts a linked worktree with its repository, but not a folder that only claims to be one", (t) => {
  const { at, trust, write } = place(t);
  trust.set(at("shop"), true);
  write("tree/.git", `gitdir: ${at("shop/.git/worktrees/tree")}\n`);
  assert.equal(trust.isTrusted(at("tree")), false);
  write("shop/.git/worktrees/tree/gitdir", `${at("tree/.git")}\n`);
  assert.equal(trust.isTrusted(at("tree")), true);
  write("forged/.git", `gitdir: ${at("shop/.git/worktrees/tree")}\n`);
  assert.equal(trust.isTrusted(at("forged")), false);
  mkdirSync(at("stranger"));
  symlinkSync(at("stranger"), at("shop/linked"));
  assert.equal(trust.isTrusted(at("shop/linked")), false);
  assert.equal(trust.isTrusted(at("shop/src")), true);
});

test("trust is stored, only the same editor takes it back, and a broken file trusts nothing", (t) => {
  const { at, trust, write, problems } = place(t);
  const window = (editor: string, isTrusted?: boolean) => ({
    editor,
    workspace: null,
    isTrusted,
    user: {},
    folders: [{ path: at("shop"), settings: {} }],
  });
  trust.report(window("code"));
  assert.equal(trust.isTrusted(at("shop")), false);
  trust.report(window("code", true));
  trust.report(window("cursor", false));
  assert.equal(trust.isTrusted(at("shop/src")), true);
  const other = new FolderTrust({
    file: at(".purser/trusted.json"),
    platform,
    onProblem: (problem) => assert.equal(problem, ""),
  });
  assert.equal(other.isTrusted(at("shop")), true);
  trust.report(window("code", false));
  assert.equal(other.isTrusted(at("shop")), false);
  write(".purser/trusted.json", "{");
  assert.equal(trust.isTrusted(at("shop")), false);
  assert.match(problems.join(), /trusted\.json: it is no JSON; no folder is trusted/u);
});

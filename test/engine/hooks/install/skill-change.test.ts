import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { skillText, planSkill } from "../../../../src/engine/hooks/install/skill-change.ts";
import { hookFile, type HookScope } from "../../../../src/engine/hooks/install/settings/agent-file.ts";
import { makeChange } from "../../../../src/engine/hooks/install/make-change.ts";
import { MemoryDisk } from "./support/memory-disk.ts";
import { shim } from "./support/settings-files.ts";

const skillFile = "/home/nana/.claude/skills/check-tokens/SKILL.md";

function worldOn(disk: MemoryDisk, env: Record<string, string> = {}) {
  let count = 0;
  const records = "/home/nana/.purser/installed-hooks";
  return {
    disk,
    records,
    unique: () => `t${++count}`,
    env,
    home: "/home/nana",
    project: "/argo",
    isSame: Object.is,
    shim,
  };
}

async function does(
  act: "install" | "uninstall",
  context: ReturnType<typeof worldOn>,
  scope: HookScope = "user",
) {
  const file = hookFile("claude-code", scope, context);
  assert.ok(file.ok);
  const plan = await planSkill(act, file.value, context);
  assert.ok(plan.ok && plan.value !== null);
  for (const change of plan.value.changes) assert.ok((await makeChange(change, context)).ok);
  return plan.value;
}

describe("the skill check-tokens", () => {
  it("is put where the agent looks, once, and leaves nothing behind", async () => {
    const disk = new MemoryDisk();
    disk.put("/home/nana/.claude/settings.json", "{}");
    const folders = [...disk.folders].sort();
    const context = worldOn(disk);
    assert.equal((await does("install", context)).state, "absent");
    assert.equal(disk.text(skillFile), skillText(shim));
    const again = await does("install", context);
    assert.deepEqual([again.state, again.changes[0]?.isNeeded], ["installed", false]);
    await does("uninstall", context);
    assert.deepEqual(disk.names(), ["/home/nana/.claude/settings.json"]);
    assert.deepEqual([...disk.folders].filter((each) => !each.includes(".purser")).sort(), folders);
  });

  it("names the program of this purser: another's path is brought up to date", async () => {
    const disk = new MemoryDisk();
    await does("install", { ...worldOn(disk), shim: { ...shim, path: "/old/hook.cjs" } });
    assert.match(
      disk.text(skillFile) ?? "",
      /^node "\/old\/cli\.cjs" status --session \$\{CLAUDE_SESSION_ID\} --json$/mu,
    );
    assert.equal((await does("install", worldOn(disk))).state, "outdated");
    assert.equal(disk.text(skillFile), skillText(shim));
    await does("uninstall", worldOn(disk));
    assert.equal(disk.text(skillFile), undefined);
  });

  it("keeps a skill that it did not write, or that somebody changed", async () => {
    const disk = new MemoryDisk();
    const context = worldOn(disk);
    disk.put(skillFile, "# mine\n");
    for (const act of ["install", "uninstall"] as const) {
      assert.equal((await does(act, context)).state, "foreign");
      assert.equal(disk.text(skillFile), "# mine\n");
    }
    await disk.remove(skillFile);
    await does("install", context);
    const changed = `${skillText(shim)}And tell it in Greek.\n`;
    disk.put(skillFile, changed);
    for (const act of ["install", "uninstall"] as const) {
      assert.equal((await does(act, context)).state, "foreign");
      assert.equal(disk.text(skillFile), changed);
    }
  });

  it("follows the agent's own folder, and a project's", async () => {
    const disk = new MemoryDisk();
    disk.put("/argo/package.json", "{}");
    const elsewhere = await does("install", worldOn(disk, { CLAUDE_CONFIG_DIR: "/c" }));
    assert.equal(elsewhere.file, "/c/skills/check-tokens/SKILL.md");
    const shared = await does("install", worldOn(disk), "project");
    assert.equal(shared.file, "/argo/.claude/skills/check-tokens/SKILL.md");
    assert.equal(disk.files.get(shared.file)?.mode, 0o644);
    await does("uninstall", worldOn(disk), "project");
    await does("install", worldOn(disk), "local");
    assert.equal(disk.text("/argo/.claude/skills/check-tokens/.gitignore"), "*\n");
    await does("uninstall", worldOn(disk), "local");
    assert.deepEqual(
      disk.names().filter((name) => name.startsWith("/argo")),
      ["/argo/package.json"],
    );
    assert.ok(!disk.folders.has("/argo/.claude"));
    for (const program of ["codex", "copilot"] as const)
      assert.deepEqual(
        await planSkill("install", { program, scope: "user", file: "/x/y.json" }, worldOn(disk)),
        {
          ok: true,
          value: null,
        },
      );
  });

  it("asks the agent to check its context, and the rest of its budgets", () => {
    const text = skillText(shim);
    const program = /^node "(?<program>[^"]+)" status --session \$\{CLAUDE_SESSION_ID\} --json$/mu.exec(text);
    assert.ok(program?.groups?.["program"] !== undefined);
    const check = `node "${program.groups["program"]}" budget check --session \${CLAUDE_SESSION_ID} --tokens 0 --json`;
    assert.ok(text.split("\n").includes(check), text);
  });

  it("omits its permission if its path would end the rule early", () => {
    const rules = /^allowed-tools: Bash\(node "[^"]+" status \*\), Bash\(node "[^"]+" budget check \*\)$/mu;
    assert.match(skillText(shim), rules);
    assert.doesNotMatch(skillText({ ...shim, path: "/a (b)/hook.cjs" }), /allowed-tools/u);
  });
});

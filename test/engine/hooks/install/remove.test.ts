import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { hookPrograms } from "../../../../src/engine/hooks/program.ts";
import { hookScopes } from "../../../../src/engine/hooks/install/settings/agent-file.ts";
import type { InstallContext } from "../../../../src/engine/hooks/install/installer.ts";
import { makeChange } from "../../../../src/engine/hooks/install/make-change.ts";
import { removeInstalled } from "../../../../src/engine/hooks/install/remove.ts";
import { repairInstalled } from "../../../../src/engine/hooks/install/repair.ts";
import { planWholeInstall } from "../../../../src/engine/hooks/install/whole-plan.ts";
import { contextOn, home } from "./support/context-on.ts";
import { MemoryDisk, systemError } from "./support/memory-disk.ts";
import { address, settingsText } from "./support/settings-files.ts";

const user = `${home}/.claude/settings.json`;

const worldOn = (disk: MemoryDisk, project = "/work/harbor") => contextOn(disk, { project, address });

async function install(context: InstallContext, paths: readonly string[]) {
  for (const program of hookPrograms)
    for (const scope of hookScopes) {
      if (!paths.includes(`${program} ${scope}`)) continue;
      const plan = await planWholeInstall({ program, scope }, context, { statusLine: true });
      assert.ok(plan.ok);
      for (const change of plan.value.changes) assert.ok((await makeChange(change, context)).ok);
    }
}

const everywhere = [
  "claude-code user",
  "claude-code project",
  "claude-code local",
  "codex user",
  "codex project",
  "copilot user",
  "copilot project",
  "gemini user",
  "gemini project",
];

/** Everything on the disk except purser's own files. */
function others(disk: MemoryDisk) {
  return {
    files: disk.names().flatMap((name) => (name.includes("/.purser/") ? [] : [[name, disk.text(name)]])),
    folders: [...disk.folders].filter((name) => !name.includes("/.purser")).sort(),
  };
}

describe("taking out all that was installed", () => {
  it("leaves every file and folder as it was, in every project, and nothing remembered", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...everywhere)),
        fc.option(settingsText),
        fc.boolean(),
        async (paths, mine, isTwice) => {
          const disk = new MemoryDisk();
          disk.put(`${home}/.profile`, "");
          if (mine !== null) disk.put(user, mine);
          disk.put("/work/harbor/package.json", "{}");
          disk.put("/work/other/package.json", "{}");
          const before = others(disk);
          const context = worldOn(disk);
          await install(context, paths);
          await install(worldOn(disk, "/work/other"), paths);
          if (isTwice) await install(context, paths);
          const removals = await removeInstalled({ ...context, project: null });
          assert.deepEqual(
            removals.filter(({ outcome }) => outcome !== "removed"),
            [],
          );
          assert.deepEqual(others(disk), before);
          assert.deepEqual(
            disk.names().filter((name) => name.includes("/.purser/")),
            [],
          );
          assert.deepEqual(await removeInstalled(context), []);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("removes purser's hooks from files others changed, and keeps a skill that somebody changed", async () => {
    const disk = new MemoryDisk();
    const context = worldOn(disk);
    disk.put(user, '{\n  "model": "opus"\n}\n');
    await install(context, ["claude-code user"]);
    disk.put(user, (disk.text(user) ?? "").replace("opus", "haiku"));
    const skill = `${home}/.claude/skills/check-tokens/SKILL.md`;
    disk.put(skill, `${disk.text(skill) ?? ""}Mine.`);
    const removals = await removeInstalled(context);
    assert.deepEqual(
      removals.filter(({ outcome }) => outcome === "kept").map(({ file }) => file),
      [skill],
    );
    assert.equal(disk.text(user), '{\n  "model": "haiku"\n}\n');
    assert.ok(disk.text(skill)?.endsWith("Mine."));
    assert.ok(!disk.names().some((name) => name.includes("/skills/purser/")));
  });

  it("continues if one file cannot be changed, and can be repeated", async () => {
    const disk = new MemoryDisk();
    const context = worldOn(disk);
    disk.put(user, "{}");
    await install(context, everywhere);
    disk.fault = (_, file) => {
      if (file === user) throw systemError("EROFS");
    };
    const failed = (await removeInstalled(context)).filter(({ outcome }) => outcome === "failed");
    assert.deepEqual(
      failed.map(({ file }) => file),
      [user],
    );
    assert.match(failed[0]?.detail?.text ?? "", /EROFS; it is as it was/u);
    disk.fault = () => undefined;
    await removeInstalled(context);
    assert.equal(disk.text(user), "{}");
    assert.deepEqual(
      others(disk).files.map(([name]) => name),
      [user],
    );
  });

  it("ignores invalid records and those of deleted files", async () => {
    const disk = new MemoryDisk();
    const context = worldOn(disk);
    await install(context, ["codex user", "claude-code user"]);
    disk.put(`${context.records}/x.json`, "{");
    disk.put(`${context.records}/y.json`, '{"schema":1,"target":"/etc/passwd"}');
    await disk.remove(`${home}/.codex/hooks.json`);
    await removeInstalled(context);
    assert.deepEqual(
      disk.names().map((name) => name.replace(home, "~")),
      ["~/.purser/installed-hooks/x.json", "~/.purser/installed-hooks/y.json"],
    );
  });
});

describe("repairing everything that was installed", () => {
  it("points hooks in every project to the existing shim, and lists the changes in a dry run", async () => {
    const disk = new MemoryDisk();
    const context = worldOn(disk);
    await install(context, everywhere);
    await install(worldOn(disk, "/work/other"), everywhere);
    const shim = { path: "/code-server/purser-1/dist/hook.cjs", runtime: "node" };
    const other = { ...context, project: null, shim, isUsable: (path: string) => path === shim.path };
    const before = others(disk);
    const dry = await repairInstalled(other, true);
    assert.equal(dry.length, 14);
    assert.ok(dry.every(({ outcome, changes }) => outcome === "repaired" && changes.length > 0));
    assert.deepEqual(others(disk), before);
    const done = await repairInstalled(other);
    // The repair of the first file also repairs the others that run it.
    const mends = (repairs: typeof dry) =>
      new Set(repairs.flatMap(({ changes }) => changes.map(({ settings }) => settings.file)));
    assert.deepEqual([...mends(done)].sort(), [...mends(dry)].sort());
    assert.ok(done.every(({ outcome }) => outcome === "repaired"));
    for (const [name = "", text = ""] of others(disk).files)
      if (!name.includes("backup")) assert.ok(!text.includes("/ext/purser-1"), name);
    assert.deepEqual(await repairInstalled(other), []);
    await removeInstalled(other);
    assert.deepEqual(others(disk).files, []);
  });

  it("recognizes settings whose record does not name their kind", async () => {
    const disk = new MemoryDisk();
    const context = worldOn(disk);
    await install(context, everywhere);
    for (const name of disk.names())
      if (name.startsWith(context.records)) {
        const record: unknown = JSON.parse(disk.text(name) ?? "");
        assert.ok(typeof record === "object" && record !== null);
        disk.put(name, JSON.stringify({ ...record, settings: undefined }));
      }
    const repairs = await repairInstalled({ ...context, isUsable: () => false }, true);
    assert.deepEqual(
      repairs.map(({ program, scope }) => `${program} ${scope}`).sort(),
      everywhere.toSorted(),
    );
    await removeInstalled(context);
    assert.deepEqual(others(disk).files, []);
  });
});

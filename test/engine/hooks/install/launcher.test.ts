import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import type { InstallContext } from "../../../../src/engine/hooks/install/installer.ts";
import { makeChange } from "../../../../src/engine/hooks/install/make-change.ts";
import { removeInstalled } from "../../../../src/engine/hooks/install/remove.ts";
import { repairInstalled } from "../../../../src/engine/hooks/install/repair.ts";
import { planWholeInstall, planWholeUninstall } from "../../../../src/engine/hooks/install/whole-plan.ts";
import type { HookScope } from "../../../../src/engine/hooks/install/settings/agent-file.ts";
import type { HookProgram } from "../../../../src/engine/hooks/program.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { contextOn, home } from "./support/context-on.ts";
import { MemoryDisk } from "./support/memory-disk.ts";

const launcher = `${home}/.purser/hook.cjs`;
const codex = `${home}/.codex/hooks.json`;
const [older, newer] = ["/ext/purser-1/dist/hook.cjs", "/ext/purser-2/dist/hook.cjs"];

function machine(isInRepository = false) {
  const disk = new MemoryDisk();
  const shim = { path: older, runtime: "node" };
  const context = contextOn(disk, { shim, isInRepository: () => isInRepository });
  return { disk, context };
}

/** After an update: the old folder is gone. */
function updated(context: InstallContext) {
  const shim = { path: newer, runtime: "node" };
  return { ...context, shim, isUsable: (each: string) => each === newer };
}

async function carryOut(
  act: typeof planWholeInstall | typeof planWholeUninstall,
  [program, scope]: readonly [HookProgram, HookScope],
  context: InstallContext,
) {
  const plan = await act({ program, scope }, context, { statusLine: false });
  assert.ok(plan.ok);
  for (const change of plan.value.changes) assert.ok((await makeChange(change, context)).ok);
}

describe("hooks that an agent trusts by their text", () => {
  for (const program of ["codex", "gemini"] as const)
    for (const scope of ["user", "project"] as const)
      it(`stay the same when purser is updated, in the ${scope}'s settings of ${program}`, async () => {
        // The project is under version control: nothing in it may change.
        const { disk, context } = machine(scope === "project");
        await carryOut(planWholeInstall, [program, scope], context);
        const settings = disk.names().filter((name) => name.endsWith(".json") && !name.includes("/.purser/"));
        const before = settings.map((name) => disk.text(name));
        assert.ok(before[0]?.includes(launcher) === true && !before[0].includes("/ext/"));
        const [repair, ...more] = await repairInstalled(updated(context));
        assert.deepEqual([repair?.outcome, more], ["repaired", []]);
        assert.match(repair?.detail.text ?? "", /purser-1\/dist\/hook\.cjs is not in use any more/u);
        assert.deepEqual(
          settings.map((name) => disk.text(name)),
          before,
        );
        assert.ok(disk.text(launcher)?.includes(`require("${newer}")`));
        assert.deepEqual(await repairInstalled(updated(context)), []);
        await carryOut(planWholeInstall, [program, scope], updated(context));
        assert.deepEqual(
          settings.map((name) => disk.text(name)),
          before,
        );
      });

  it("are repaired if the launcher is missing or was edited", async () => {
    for (const text of [null, "", "require(x);", 'require("unfinished);\n']) {
      const { disk, context } = machine();
      await carryOut(planWholeInstall, ["codex", "user"], context);
      if (text === null) await disk.remove(launcher);
      else disk.put(launcher, text);
      assert.equal((await repairInstalled(updated(context)))[0]?.outcome, "repaired");
      assert.ok(disk.text(launcher)?.includes(newer));
    }
  });

  it("of a purser before the launcher lead to it once their own shim is gone", async () => {
    const { disk, context } = machine();
    await carryOut(planWholeInstall, ["codex", "user"], context);
    disk.put(codex, (disk.text(codex) ?? "").replaceAll(launcher, older));
    await disk.remove(launcher);
    await repairInstalled(updated(context));
    assert.ok(disk.text(codex)?.includes(launcher) === true && disk.text(codex)?.includes("/ext/") === false);
    assert.ok(disk.text(launcher)?.includes(newer));
  });

  it("take the launcher with them when the last of them goes, and with the extension", async () => {
    const { disk, context } = machine();
    const nothing = disk.names();
    await carryOut(planWholeInstall, ["codex", "user"], context);
    await carryOut(planWholeInstall, ["gemini", "project"], context);
    await carryOut(planWholeUninstall, ["codex", "user"], context);
    assert.ok(disk.text(launcher) !== undefined);
    await carryOut(planWholeUninstall, ["gemini", "project"], context);
    assert.deepEqual(disk.names(), nothing);
    await carryOut(planWholeInstall, ["codex", "user"], context);
    const removed = await removeInstalled(context);
    assert.deepEqual(
      removed.map(({ file }) => file),
      [codex, launcher],
    );
    assert.deepEqual(disk.names(), nothing);
  });
});

it(
  "The launcher passes everything to the shim, wherever it is",
  { skip: process.platform === "win32" },
  async (t) => {
    const folder = path.join(scratchFolder(t), `it's "here" $HOME`);
    mkdirSync(folder);
    const shim = path.join(folder, "hook.cjs");
    writeFileSync(shim, `process.stdin.pipe(process.stdout); console.log(process.argv[2]);`);
    const { disk, context } = machine();
    const own = { ...context, shim: { path: shim, runtime: "node" } };
    await carryOut(planWholeInstall, ["gemini", "user"], own);
    const file = path.join(folder, "launcher.cjs");
    writeFileSync(file, disk.text(launcher) ?? "");
    const settings = disk.text(`${home}/.gemini/settings.json`) ?? "";
    const [, line = ""] =
      /"command": (?<line>".*--purser-hook=gemini:AfterTool.*"),?$/mu.exec(settings) ?? [];
    const command = String(JSON.parse(line)).replace(launcher, file.replaceAll("'", String.raw`'\''`));
    const output = execFileSync("bash", ["-c", command], { input: "told", encoding: "utf8" });
    assert.equal(output, "--purser-hook=gemini:AfterTool\ntold");
  },
);

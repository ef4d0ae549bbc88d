import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import type { InstallContext } from "../../../../src/engine/hooks/install/installer.ts";
import { makeChange } from "../../../../src/engine/hooks/install/make-change.ts";
import { removeInstalled } from "../../../../src/engine/hooks/install/remove.ts";
import { repairInstalled } from "../../../../src/engine/hooks/install/repair.ts";
import { shimLine } from "../../../../src/engine/hooks/install/settings/install-settings-entry.ts";
import { planWholeInstall, planWholeUninstall } from "../../../../src/engine/hooks/install/whole-plan.ts";
import type { HookScope } from "../../../../src/engine/hooks/install/settings/agent-file.ts";
import type { HookProgram } from "../../../../src/engine/hooks/program.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { contextOn, home } from "./support/context-on.ts";
import { MemoryDisk } from "./support/memory-disk.ts";

const launcher = `${home}/.purser/hook.cjs`;
const script = `${home}/.purser/hook.sh`;
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

/** Hooks as purser wrote them before the script. */
function formerHooks(program: HookProgram, event: string) {
  const command = shimLine({ path: launcher, runtime: "node" }, program, event);
  return { [event]: [{ hooks: [{ type: "command", command }] }] };
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
        const file = scope === "user" ? script : launcher;
        assert.ok(before[0]?.includes(file) === true && !before[0].includes("/ext/"));
        const [repair, ...more] = await repairInstalled(updated(context));
        assert.deepEqual([repair?.outcome, more], ["repaired", []]);
        assert.match(repair?.detail.text ?? "", /purser-1\/dist\/hook\.cjs is not in use any more/u);
        assert.deepEqual(
          settings.map((name) => disk.text(name)),
          before,
        );
        assert.ok(disk.text(file)?.includes(newer) === true && !disk.text(file)?.includes(older));
        assert.deepEqual(await repairInstalled(updated(context)), []);
        await carryOut(planWholeInstall, [program, scope], updated(context));
        assert.deepEqual(
          settings.map((name) => disk.text(name)),
          before,
        );
      });

  it("are repaired if the launcher is missing or was edited", async () => {
    for (const [scope, file] of [["project", launcher] as const, ["user", script] as const])
      for (const text of [null, "", "require(x);", 'require("unfinished);\n', "program=$(id)\n"]) {
        const { disk, context } = machine();
        await carryOut(planWholeInstall, ["codex", scope], context);
        if (text === null) await disk.remove(file);
        else disk.put(file, text);
        assert.equal((await repairInstalled(updated(context)))[0]?.outcome, "repaired");
        assert.ok(disk.text(file)?.includes(newer));
      }
  });

  it("of a purser before the script keep their text in Codex, and the launcher goes on leading to the shim", async () => {
    const { disk, context } = machine();
    await carryOut(planWholeInstall, ["codex", "user"], context);
    const former = JSON.stringify({ hooks: formerHooks("codex", "Stop") });
    disk.put(codex, former);
    await disk.remove(script);
    assert.equal((await repairInstalled(updated(context)))[0]?.outcome, "repaired");
    assert.equal(disk.text(codex), former);
    assert.ok(disk.text(launcher)?.includes(`require("${newer}")`));
    assert.deepEqual(await repairInstalled(updated(context)), []);
  });

  it("of a purser before the script run it in Gemini CLI, which reviews no text of its user's", async () => {
    const { disk, context } = machine();
    await carryOut(planWholeInstall, ["gemini", "user"], context);
    const settings = `${home}/.gemini/settings.json`;
    disk.put(settings, JSON.stringify({ hooks: formerHooks("gemini", "AfterTool") }));
    disk.put(launcher, `require(${JSON.stringify(older)});\n`);
    await disk.remove(script);
    const usable = { ...context, isUsable: (each: string) => each === older };
    const [repair, ...more] = await repairInstalled(usable);
    assert.deepEqual([repair?.outcome, more], ["repaired", []]);
    assert.match(repair?.detail.text ?? "", /started Node/u);
    assert.ok(disk.text(settings)?.includes(script) === true && !disk.text(settings)?.includes(launcher));
    assert.ok(disk.text(script)?.includes(`program='${older}'`));
    assert.deepEqual(await repairInstalled(usable), []);
  });

  it("have a script of this version's text, unless another installation's leads there", async () => {
    const { disk, context } = machine();
    await carryOut(planWholeInstall, ["codex", "user"], context);
    const text = disk.text(script) ?? "";
    const edited = `${text}# other\n`;
    for (const isOurs of [true, false]) {
      disk.put(script, isOurs ? edited : edited.replace(older, newer));
      const usable = { ...context, isUsable: () => true };
      const outcomes = (await repairInstalled(usable)).map(({ outcome }) => outcome);
      assert.deepEqual(outcomes, isOurs ? ["repaired"] : []);
      assert.equal(disk.text(script) === text, isOurs);
    }
  });

  it("of a purser before the launcher lead to it once their own shim is gone", async () => {
    const { disk, context } = machine();
    await carryOut(planWholeInstall, ["codex", "user"], context);
    disk.put(codex, JSON.stringify({ hooks: formerHooks("codex", "Stop") }).replaceAll(launcher, older));
    await disk.remove(script);
    await repairInstalled(updated(context));
    assert.ok(disk.text(codex)?.includes(script) === true && disk.text(codex)?.includes("/ext/") === false);
    assert.ok(disk.text(script)?.includes(newer));
  });

  it("take the launcher with them when the last of them goes, and with the extension", async () => {
    const { disk, context } = machine();
    const nothing = disk.names();
    await carryOut(planWholeInstall, ["codex", "user"], context);
    await carryOut(planWholeInstall, ["gemini", "project"], context);
    await carryOut(planWholeUninstall, ["codex", "user"], context);
    assert.ok(disk.text(launcher) !== undefined && disk.text(script) === undefined);
    await carryOut(planWholeUninstall, ["gemini", "project"], context);
    assert.deepEqual(disk.names(), nothing);
    await carryOut(planWholeInstall, ["codex", "user"], context);
    const removed = await removeInstalled(context);
    assert.deepEqual(
      removed.map(({ file }) => file),
      [codex, script],
    );
    assert.deepEqual(disk.names(), nothing);
  });
});

for (const scope of ["user", "project"] as const)
  it(
    `The launcher of ${scope} settings passes everything to the shim, wherever it is`,
    { skip: process.platform === "win32" },
    async (t) => {
      const folder = path.join(scratchFolder(t), `it's "here" $HOME`);
      mkdirSync(folder);
      const shim = path.join(folder, "hook.cjs");
      writeFileSync(shim, `process.stdin.pipe(process.stdout); console.log(process.argv[2]);`);
      const { disk, context } = machine();
      const own = { ...context, project: folder, shim: { path: shim, runtime: "node" } };
      await carryOut(planWholeInstall, ["gemini", scope], own);
      const from = scope === "user" ? script : launcher;
      const file = path.join(folder, `launcher-${path.basename(from)}`);
      writeFileSync(file, disk.text(from) ?? "");
      const settings = disk.text(path.join(scope === "user" ? home : folder, ".gemini/settings.json")) ?? "";
      const [, line = ""] =
        /"command": (?<line>".*--purser-hook=gemini:AfterTool.*"),?$/mu.exec(settings) ?? [];
      const quoted = `'${file.replaceAll("'", String.raw`'\''`)}'`;
      const command = String(JSON.parse(line)).replaceAll(/(["'])[^"']*\/hook\.\w+\1/gu, () => quoted);
      const output = execFileSync("bash", ["-c", command], { input: "told", encoding: "utf8" });
      assert.equal(output, "--purser-hook=gemini:AfterTool\ntold");
    },
  );

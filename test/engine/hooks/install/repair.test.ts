import assert from "node:assert/strict";
import path from "node:path";
import fc from "fast-check";
import * as z from "zod";
import { describe, it } from "node:test";
import { hookPrograms, type HookProgram } from "../../../../src/engine/hooks/program.ts";
import type { HookScope } from "../../../../src/engine/hooks/install/settings/agent-file.ts";
import {
  prepareInstall,
  prepareUninstall,
  type InstallContext,
} from "../../../../src/engine/hooks/install/installer.ts";
import { makeChange } from "../../../../src/engine/hooks/install/make-change.ts";
import { repairHooks, type Repair } from "../../../../src/engine/hooks/install/repair.ts";
import { planLauncher } from "../../../../src/engine/hooks/install/remove.ts";
import { planSkill } from "../../../../src/engine/hooks/install/skill-change.ts";
import { shimPathIn } from "../../../../src/engine/hooks/install/settings/install-settings-entry.ts";
import { planWholeInstall } from "../../../../src/engine/hooks/install/whole-plan.ts";
import { wantedHooks } from "../../../../src/engine/hooks/install/settings/wanted-hooks.ts";
import { contextOn, home } from "./support/context-on.ts";
import { MemoryDisk } from "./support/memory-disk.ts";
import { address } from "./support/settings-files.ts";

const place = { program: "claude-code", scope: "user" } as const;
const settingsShape = z.looseObject({ hooks: z.record(z.string(), z.unknown()) });
const [oldShim, newShim] = ["/ext/purser-1/dist/hook.cjs", "/ext/purser-2/dist/hook.cjs"];
const user = `${home}/.claude/settings.json`;
const script = `${home}/.purser/hook.sh`;
const accounts = "root:x:0:0::/root:/bin/bash\nnana:x:1000:1000::/home/nana:/bin/bash\n";

function machine(change: Partial<InstallContext> & { shimPath?: string } = {}): {
  disk: MemoryDisk;
  context: InstallContext;
} {
  const { shimPath = oldShim, ...rest } = change;
  const disk = new MemoryDisk();
  return {
    disk,
    context: contextOn(disk, {
      // No other user has an account here.
      posting: "auto",
      readText: (file) => disk.text(file) ?? (file === "/etc/passwd" ? accounts : null),
      address,
      shim: { path: shimPath, runtime: "node" },
      ...rest,
    }),
  };
}

async function install(
  context: InstallContext,
  program: HookProgram = "claude-code",
  scope: HookScope = "user",
) {
  const plan = await prepareInstall(program, scope, context);
  const launcher = await planLauncher("install", hooksOf(plan), context);
  assert.ok(plan.ok && launcher.ok);
  for (const change of [plan.value.change, ...launcher.value])
    assert.ok((await makeChange(change, context)).ok);
}

function hooksOf(plan: Awaited<ReturnType<typeof prepareInstall>>) {
  assert.ok(plan.ok);
  return plan.value.choice.file;
}

/** Repairs as the extension in the new folder does; the old folder holds an older version. */
function repair(context: InstallContext, isUsable = (shim: string) => shim === newShim): Promise<Repair[]> {
  return repairHooks({ ...context, shim: { ...context.shim, path: newShim }, isUsable });
}

function outcomes(repairs: readonly Repair[]) {
  return repairs.map(({ program, scope, outcome }) => [program, scope, outcome]);
}

describe("repairing hooks", () => {
  it("reports nothing without hooks, or if all hooks are right", async () => {
    const { context } = machine({ shimPath: newShim });
    assert.deepEqual(await repair(context), []);
    await install(context);
    assert.deepEqual(await repair(context), []);
  });

  it("names the new shim if the old one is gone, once, in every agent's files", async () => {
    for (const program of hookPrograms) {
      const { context, disk } = machine();
      await install(context, program, "user");
      assert.deepEqual(outcomes(await repair(context)), [[program, "user", "repaired"]]);
      const texts = [...disk.files].filter(
        ([name]) => !name.includes("/.purser/") && !name.includes("backup"),
      );
      assert.ok(texts.length > 0 && texts.every(([, { bytes }]) => !bytes.includes(oldShim)), program);
      assert.deepEqual(await repair(context), []);
    }
  });

  it("keeps another purser's shim of the same age, and repairs its address", async () => {
    const { context, disk } = machine();
    await install(context);
    assert.deepEqual(await repair(context, () => true), []);
    const moved = { ...context, address: { port: 29_999, token: "another-token-of-some-length" } };
    assert.deepEqual(outcomes(await repair(moved, () => true)), [["claude-code", "user", "repaired"]]);
    const text = disk.text(user) ?? "";
    assert.ok(text.includes("127.0.0.1:29999") && !text.includes(address.token));
    assert.ok(disk.text(script)?.includes(oldShim) === true && !disk.text(script)?.includes(newShim));
  });

  it("waits until the hook server's address is known", async () => {
    const { context, disk } = machine();
    await install(context);
    const before = settingsShape.parse(JSON.parse(disk.text(user) ?? "")).hooks;
    assert.deepEqual(await repair({ ...context, address: null }, () => true), []);
    // A missing shim is still repaired, and posted hooks stay as they are.
    assert.deepEqual(outcomes(await repair({ ...context, address: null })), [
      ["claude-code", "user", "repaired"],
    ]);
    const after = settingsShape.parse(JSON.parse(disk.text(user) ?? "")).hooks;
    assert.deepEqual(
      [after["Stop"], after["PermissionRequest"]],
      [before["Stop"], before["PermissionRequest"]],
    );
    assert.ok(disk.text(script)?.includes(newShim));
    assert.equal(disk.files.get(user)?.mode, 0o600);
  });

  it("keeps out hooks that a person removed, and uninstalling still restores the bytes", async () => {
    const { context, disk } = machine();
    const before = '{ "model": "opus" } // mine\n';
    disk.put(user, before);
    await install(context);
    await repair(context);
    const plan = await prepareUninstall("claude-code", "user", context);
    assert.ok(plan.ok && plan.value.change.isRestored);
    assert.ok((await makeChange(plan.value.change, context)).ok);
    assert.equal(disk.text(user), before);

    await install(context);
    const settings = settingsShape.parse(JSON.parse((disk.text(user) ?? "").replace(" // mine", "")));
    const rest = Object.fromEntries(Object.entries(settings.hooks).filter(([event]) => event !== "Stop"));
    disk.put(user, JSON.stringify({ ...settings, hooks: rest }));
    assert.deepEqual(outcomes(await repair(context)), [["claude-code", "user", "repaired"]]);
    const now = disk.text(user) ?? "";
    assert.ok(disk.text(script)?.includes(newShim) === true && !now.includes('"Stop"'));
  });

  it("repairs the installed skill, but not one that somebody changed", async () => {
    for (const isChanged of [false, true]) {
      const { context, disk } = machine();
      await install(context);
      const skill = await planSkill("install", { ...place, file: user }, context);
      assert.ok(skill.ok && skill.value !== null);
      for (const change of skill.value.changes) assert.ok((await makeChange(change, context)).ok);
      const { file } = skill.value;
      if (isChanged) disk.put(file, `${disk.text(file) ?? ""}And greet me.`);
      assert.deepEqual(outcomes(await repair(context)), [["claude-code", "user", "repaired"]]);
      assert.equal(disk.text(file)?.includes("/ext/purser-2/dist/cli.cjs"), !isChanged);
    }
  });

  it("leaves hooks that were not installed on this machine", async () => {
    const { context, disk } = machine();
    await install(context, "codex");
    for (const name of disk.names()) if (name.includes("/.purser/")) await disk.remove(name);
    assert.deepEqual(await repair(context), []);
  });

  it("does not change the user's posted hooks without an open folder or in the home folder", async () => {
    for (const project of [null, home]) {
      const { context, disk } = machine({ shimPath: newShim });
      await install(context);
      const before = disk.text(user);
      assert.deepEqual(await repair({ ...context, project }), []);
      assert.equal(disk.text(user), before);
    }
  });

  it("turns posted hooks into commands once others can log in, and removes the mod", async () => {
    const { context, disk } = machine({ shimPath: newShim });
    const whole = await planWholeInstall(place, context, { statusLine: true });
    assert.ok(whole.ok);
    for (const change of whole.value.changes) assert.ok((await makeChange(change, context)).ok);
    const mod = () => disk.names().filter((name) => name.includes("/skills/purser/"));
    assert.ok(mod().length === 3 && disk.text(user)?.includes("Bearer"));
    assert.deepEqual(await repair(context), []);
    const passwd = `${accounts}mallory:x:1001:1001::/home/mallory:/bin/sh\n`;
    const shared = {
      ...context,
      readText: (file: string) => (file === "/etc/passwd" ? passwd : (disk.text(file) ?? null)),
    };
    const [done, ...others] = await repair(shared);
    assert.deepEqual([done?.outcome, others], ["repaired", []]);
    assert.deepEqual(done?.becameCommands, {
      kind: "not_alone",
      people: { kind: "account", name: "mallory" },
    });
    const text = disk.text(user) ?? "";
    assert.ok(!text.includes("http") && !text.includes("Bearer") && text.includes("PreToolUse"), text);
    assert.deepEqual(mod(), []);
    assert.deepEqual(await repair(shared), []);
    const plan = await prepareUninstall("claude-code", "user", shared);
    assert.ok(plan.ok && plan.value.change.isRestored);
  });

  it("keeps posted hooks while the other accounts are unknown", async () => {
    const { context, disk } = machine({ shimPath: newShim });
    await install(context);
    assert.deepEqual(await repair({ ...context, readText: (file) => disk.text(file) ?? null }), []);
    // Without that knowledge nothing is posted in the first place.
    const doubtful = machine({ readText: () => null });
    await install(doubtful.context);
    assert.ok(doubtful.disk.text(user)?.includes('"http"') === false);
  });

  it("turns a posted prompt into a command, so that it starts an ended service", async () => {
    const { context, disk } = machine({ shimPath: newShim });
    await install(context);
    const settings = settingsShape.parse(JSON.parse(disk.text(user) ?? ""));
    disk.put(
      user,
      JSON.stringify({ hooks: { ...settings.hooks, UserPromptSubmit: settings.hooks["Stop"] } }),
    );
    assert.deepEqual(outcomes(await repair(context)), [["claude-code", "user", "repaired"]]);
    const now = settingsShape.parse(JSON.parse(disk.text(user) ?? ""));
    assert.match(JSON.stringify(now.hooks["UserPromptSubmit"]), /"command".*--purser-hook=/u);
    assert.deepEqual(await repair(context), []);
  });

  it("does not change a shared file, and reports it", async () => {
    const { context } = machine({ isInRepository: (folder) => folder.startsWith("/work/harbor") });
    await install(context, "claude-code", "project");
    await install(context, "claude-code", "local");
    assert.deepEqual(outcomes(await repair(context)), [
      ["claude-code", "project", "shared"],
      ["claude-code", "local", "repaired"],
    ]);
  });

  it("tells Claude Code what becomes of a call that was not judged, and takes it back", async () => {
    for (const posting of ["auto", "never"] as const) {
      const { context, disk } = machine({ shimPath: newShim, posting });
      await install(context);
      const open = disk.text(user);
      const closed = { ...context, onFailure: "closed" } as const;
      assert.deepEqual(outcomes(await repair(closed)), [["claude-code", "user", "repaired"]]);
      const blocking = Object.entries(settingsShape.parse(JSON.parse(disk.text(user) ?? "")).hooks)
        .filter(([, hooks]) => JSON.stringify(hooks).includes('"onFailure":"block"'))
        .map(([event]) => event);
      assert.deepEqual(blocking, ["PreToolUse", "PreSkillShellCommand"]);
      assert.doesNotMatch(
        disk.text(user) ?? "",
        /"PreToolUse":[^\]]*"url"/u,
        "a posted hook starts no service",
      );
      assert.deepEqual(await repair(closed), []);
      // Settings that cannot be read may still require it.
      assert.deepEqual(await repair({ ...context, onFailure: "kept" }), []);
      await repair(context);
      assert.equal(disk.text(user), open);
    }
  });

  it("reports hooks of Codex that cannot deny a call, as its user must review others", async () => {
    const { context, disk } = machine({ shimPath: newShim });
    await install({ ...context, platform: "win32" }, "codex");
    const before = [...disk.files];
    assert.deepEqual(await repair(context), []);
    const closed = await repair({ ...context, onFailure: "closed" });
    assert.deepEqual(outcomes(closed), [["codex", "user", "failed"]]);
    assert.match(closed[0]?.detail.text ?? "", /let a call pass that was not judged; install them again/u);
    assert.deepEqual([...disk.files], before);
  });

  it("reports why a repair failed", async () => {
    const { context, disk } = machine();
    await install(context);
    disk.fault = (act, file) => {
      if (act === "create" && path.dirname(file) === path.dirname(script)) throw new Error("EACCES");
    };
    await assert.rejects(repair(context), /EACCES/u, "an error that is no system's is a bug");
    disk.fault = (act, file) => {
      if (act === "create" && path.dirname(file) === path.dirname(script))
        throw Object.assign(new Error("no"), { code: "EACCES" });
    };
    const [failed] = await repair(context);
    assert.equal(failed?.outcome, "failed");
    assert.match(failed.detail.text, /EACCES; it is as it was/u);
  });
});

describe("the shim that a hook runs", () => {
  it("is found in any form it was written", () => {
    const platforms = fc.constantFrom<NodeJS.Platform>("linux", "win32");
    const place = fc.stringMatching(/^\/[a-zA-Z '$`!%é/]{1,30}\/hook\.cjs$/u);
    fc.assert(
      fc.property(
        place,
        fc.constantFrom(...hookPrograms),
        fc.boolean(),
        platforms,
        (shim, program, isShared, platform) => {
          for (const { handler } of wantedHooks({
            program,
            shim: { path: shim, runtime: "node" },
            script: shim,
            address: null,
            isShared,
            platform,
          }))
            assert.equal(shimPathIn(handler), shim);
        },
      ),
    );
  });

  it("ignores posted hooks and other programs' hooks", () => {
    const [posted] = wantedHooks({
      program: "claude-code",
      shim: { path: newShim, runtime: "node" },
      address,
      isShared: false,
      platform: "linux",
    }).filter(({ event }) => event === "Stop");
    for (const handler of [posted?.handler, null, "x", { command: "make" }, { args: [] }])
      assert.equal(shimPathIn(handler), null);
  });
});

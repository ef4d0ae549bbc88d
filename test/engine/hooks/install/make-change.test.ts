import { isObject } from "../../../../src/engine/base/parse.ts";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  hookFormats,
  isOwnHandler,
  type HookEntry,
} from "../../../../src/engine/hooks/install/settings/install-settings-entry.ts";
import type { HookFile } from "../../../../src/engine/hooks/install/settings/agent-file.ts";
import type { RecordPorts } from "../../../../src/engine/hooks/install/hooks-install-record.ts";
import {
  decodeJson,
  parseJsonDocument,
  valueOf,
} from "../../../../src/engine/hooks/install/settings/json-document.ts";
import { makeChange } from "../../../../src/engine/hooks/install/make-change.ts";
import { planInstall, planUninstall } from "../../../../src/engine/hooks/install/plan-change.ts";
import { withHooks } from "../../../../src/engine/hooks/install/settings/set-hooks.ts";
import { assert } from "../../support/assert-texts.ts";
import { MemoryDisk, systemError } from "./support/memory-disk.ts";
import { claudeHooks, settingsText, shim } from "./support/settings-files.ts";

const settingsFile = "/home/nana/.claude/settings.json";
const file: HookFile = { program: "claude-code", scope: "user", file: settingsFile, choice: null };
const hooks = claudeHooks();
const older = claudeHooks({ address: null, shim: { ...shim, path: "/old/hook.cjs" } }).slice(0, 5);

function portsOn(disk: MemoryDisk): RecordPorts {
  let count = 0;
  return { disk, records: "/home/nana/.purser/installed-hooks", unique: () => `t${++count}` };
}

async function install(ports: RecordPorts, wanted: readonly HookEntry[] = hooks, at = file) {
  const plan = await planInstall({ file: at, wanted, hasSecret: wanted === hooks }, ports);
  assert.ok(plan.ok, plan.ok ? "" : plan.detail.text);
  return { plan: plan.value, done: await makeChange(plan.value, ports) };
}

async function uninstall(ports: RecordPorts, at = file) {
  const plan = await planUninstall(at, ports);
  assert.ok(plan.ok, plan.ok ? "" : plan.detail.text);
  return { plan: plan.value, done: await makeChange(plan.value, ports) };
}

describe("installing hooks and taking them out", () => {
  it("restores the same bytes and mode, and leaves no extra file", async () => {
    await fc.assert(
      fc.asyncProperty(settingsText, fc.boolean(), async (text, isUpgrade) => {
        const disk = new MemoryDisk();
        const ports = portsOn(disk);
        disk.put(settingsFile, text);
        if (isUpgrade) await install(ports, older);
        const first = await install(ports);
        assert.ok(first.done.ok);
        assert.equal(disk.files.get(settingsFile)?.mode, 0o600, "it holds the token");
        const installed = disk.text(settingsFile);
        const again = await install(ports);
        assert.equal(again.plan.isNeeded, false);
        assert.equal(disk.text(settingsFile), installed);
        const { plan } = await uninstall(ports);
        assert.equal(plan.isRestored, true);
        assert.equal(disk.text(settingsFile), text);
        assert.equal(disk.files.get(settingsFile)?.mode, 0o644);
        assert.deepEqual(disk.names(), [settingsFile]);
      }),
      { numRuns: 200 },
    );
  });

  it("keeps changes that others made since, and nothing of ours", async () => {
    await fc.assert(
      fc.asyncProperty(settingsText, fc.boolean(), fc.boolean(), async (text, isAgain, isForgotten) => {
        const disk = new MemoryDisk();
        const ports = portsOn(disk);
        disk.put(settingsFile, text);
        await install(ports, older);
        const theirs = withForeign(disk.text(settingsFile) ?? "");
        disk.put(settingsFile, theirs);
        if (isAgain) await install(ports);
        if (isForgotten)
          for (const name of disk.names()) if (name.includes("/.purser/")) await disk.remove(name);
        const { plan } = await uninstall(ports);
        // After a second install the file without our hooks, including the foreign change, is known byte for byte.
        assert.equal(plan.isRestored, isAgain && !isForgotten);
        const after = disk.text(settingsFile) ?? "";
        assert.ok(after.includes("foreign-1"));
        assert.equal(ownHandlers(meaning(after)), 0);
        assert.deepEqual(withoutForeign(pruned(meaning(after))), pruned(meaning(text)));
      }),
      { numRuns: 200 },
    );
  });

  it("copies the changed file under the next free number", async () => {
    const disk = new MemoryDisk();
    const ports = portsOn(disk);
    disk.put(settingsFile, `{"a":1}`);
    disk.put(`${settingsFile}.purser-backup-1`, "of long ago");
    const { done } = await install(ports);
    assert.deepEqual(done, { ok: true, value: { backup: `${settingsFile}.purser-backup-2` } });
    assert.equal(disk.text(`${settingsFile}.purser-backup-2`), `{"a":1}`);
    await uninstall(ports);
    assert.deepEqual(disk.names(), [settingsFile, `${settingsFile}.purser-backup-1`]);
  });

  it("creates a missing file, then removes it and its folders", async () => {
    const disk = new MemoryDisk();
    const ports = portsOn(disk);
    disk.put("/home/nana/note", "");
    await install(ports);
    assert.equal(disk.files.get(settingsFile)?.mode, 0o600);
    const { plan } = await uninstall(ports);
    assert.equal(plan.after, null);
    assert.deepEqual(disk.names(), ["/home/nana/note"]);
    assert.ok(!disk.folders.has("/home/nana/.claude"));
  });

  it("removes a file it made even if reformatted, but not with other content in it", async () => {
    for (const [add, expected] of [
      ["", undefined],
      [`"model":"opus",`, `{"model":"opus"}`],
    ] as const) {
      const disk = new MemoryDisk();
      const ports = portsOn(disk);
      disk.put("/home/nana/.claude/other", "");
      await install(ports);
      const compact = JSON.stringify(JSON.parse(disk.text(settingsFile) ?? "")).replace("{", `{${add}`);
      disk.put(settingsFile, compact);
      await uninstall(ports);
      assert.equal(disk.text(settingsFile), expected);
      assert.ok(disk.folders.has("/home/nana/.claude"));
    }
  });

  it("does nothing without hooks of ours", async () => {
    const disk = new MemoryDisk();
    disk.put(settingsFile, `{"hooks":{}} `);
    const { plan } = await uninstall(portsOn(disk));
    assert.equal(plan.isNeeded, false);
    assert.equal(disk.text(settingsFile), `{"hooks":{}} `);
  });

  it("leaves a file unchanged that differs from the plan", async () => {
    const disk = new MemoryDisk();
    const ports = portsOn(disk);
    disk.put(settingsFile, `{"a":1}`);
    const plan = await planInstall({ file, wanted: hooks, hasSecret: true }, ports);
    assert.ok(plan.ok);
    disk.put(settingsFile, `{"a":2}`);
    const early = await makeChange(plan.value, ports);
    assert.equal(early.ok ? "" : early.reason, "changed");
    assert.equal(disk.text(settingsFile), `{"a":2}`);
    assert.deepEqual(disk.names(), [settingsFile]);
  });

  it("leaves it alone also when it changes at the last moment", async () => {
    const disk = new MemoryDisk();
    const ports = portsOn(disk);
    disk.put(settingsFile, `{"a":1}`);
    disk.fault = (act, name) => {
      if (act === "rename" && name.includes("installed-hooks")) disk.put(settingsFile, `{"a":2}`);
    };
    const { done } = await install(ports);
    assert.equal(done.ok ? "" : done.reason, "changed");
    assert.equal(disk.text(settingsFile), `{"a":2}`);
    assert.deepEqual(
      disk.names().filter((name) => name.endsWith(".tmp")),
      [],
    );
  });

  it("leaves the file unchanged if any step fails, and can be repeated", async () => {
    for (const isFresh of [true, false])
      for (const isOut of [false, true])
        for (let failing = 0; ; failing += 1) {
          const disk = new MemoryDisk();
          const ports = portsOn(disk);
          disk.put("/home/nana/note", "");
          if (!isFresh) disk.put(settingsFile, `{"a":1}`);
          if (isOut) await install(ports);
          const before = disk.text(settingsFile);
          let step = 0;
          disk.fault = () => {
            if (step++ === failing) throw systemError("ENOSPC");
          };
          const { done } = isOut ? await uninstall(ports) : await install(ports);
          const isThrough = step <= failing;
          disk.fault = () => undefined;
          if (isThrough) {
            assert.ok(done.ok);
            break;
          }
          assert.deepEqual(done, {
            ok: false,
            reason: "unwritable",
            detail: `${settingsFile}: ENOSPC; it is as it was`,
          });
          assert.equal(disk.text(settingsFile), before);
          assert.deepEqual(
            disk.names().filter((name) => name.endsWith(".tmp")),
            [],
          );
          if (isFresh && !isOut) assert.ok(!disk.folders.has("/home/nana/.claude"));
          await install(ports);
          await uninstall(ports);
          assert.equal(disk.text(settingsFile), isFresh ? undefined : `{"a":1}`);
        }
  });

  it("refuses a file that does not parse, and reports the position", async () => {
    const disk = new MemoryDisk();
    disk.put(settingsFile, `{\n"a": \n}`);
    const plan = await planInstall({ file, wanted: hooks, hasSecret: true }, portsOn(disk));
    assert.deepEqual(plan, { ok: false, reason: "not_json", detail: `${settingsFile}: line 3 is not JSON` });
    disk.put(settingsFile, Buffer.from([0x7b, 0xff, 0x7d]));
    const binary = await planInstall({ file, wanted: hooks, hasSecret: true }, portsOn(disk));
    assert.equal(binary.ok ? "" : binary.reason, "not_json");
  });
});

function meaning(text: string): unknown {
  const parsed = parseJsonDocument(text);
  assert.ok(parsed.ok && decodeJson(Buffer.from(text)).ok);
  return parsed.value.root === null ? {} : valueOf(parsed.value.root);
}

const foreign: HookEntry = {
  event: "Stop",
  matcher: null,
  handler: { type: "command", command: "foreign-1" },
};

/** Adds another hook, as if by hand. */
function withForeign(text: string): string {
  // It is marked as ours for a moment, so that our own editing code can insert it.
  const own = {
    ...foreign,
    event: "Other",
    handler: { type: "command", command: "foreign-1 --purser-hook=x" },
  };
  const done = withHooks(text, [...older, own], hookFormats["claude-code"]);
  assert.ok(done.ok);
  return done.value.replace(" --purser-hook=x", "");
}

function withoutForeign(value: unknown): unknown {
  return pruned(
    JSON.parse(JSON.stringify(value), (_, each: unknown) => (isForeign(each) ? undefined : each)),
  );
}

function isForeign(value: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify([{ hooks: [foreign.handler] }]);
}

function ownHandlers(value: unknown): number {
  if (isOwnHandler(value)) return 1;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, each: unknown) => sum + ownHandlers(each), 0);
}

/** Removes empty hook containers. */
function pruned(value: unknown): unknown {
  if (!isObject(value) || !isObject(value["hooks"])) return value;
  const { hooks: all, ...rest } = value;
  const events = Object.entries(isObject(all) ? all : {}).filter(
    ([, list]) => Array.isArray(list) && list.length > 0,
  );
  return events.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(events) };
}

it("leaves a file unchanged that its owner made read-only, and reports it", async () => {
  const disk = new MemoryDisk();
  disk.put(settingsFile, "{}", 0o444);
  const { done } = await install(portsOn(disk));
  assert.deepEqual(
    [done.ok, done.ok ? "" : done.detail],
    [false, `${settingsFile} is read-only, and was left as it is`],
  );
  assert.equal((await disk.read(settingsFile)).toString(), "{}");
});

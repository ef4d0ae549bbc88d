import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RecordPorts } from "../../../../src/engine/hooks/install/hooks-install-record.ts";
import { makeChange } from "../../../../src/engine/hooks/install/make-change.ts";
import { modFiles, planMod } from "../../../../src/engine/hooks/install/whole-plan.ts";
import { MemoryDisk } from "./support/memory-disk.ts";

const folder = "/home/nana/.claude/skills/purser";
const address = "/home/nana/.purser/hooks.json";
const claude = { program: "claude-code", scope: "user", file: "/home/nana/.claude/settings.json" } as const;

function worldOn(disk: MemoryDisk): RecordPorts {
  let count = 0;
  const records = "/home/nana/.purser/installed-hooks";
  return {
    disk,
    records,
    unique: () => `t${++count}`,
  };
}

async function does(act: "install" | "uninstall", context: RecordPorts): Promise<number> {
  const plan = await planMod(act, claude, context);
  assert.ok(plan.ok);
  for (const change of plan.value) assert.ok((await makeChange(change, context)).ok);
  return plan.value.filter(({ isNeeded }) => isNeeded).length;
}

describe("the mod that hands on what Claude Code measures", () => {
  it("is put where the agent looks, once, and leaves nothing behind", async () => {
    const disk = new MemoryDisk();
    disk.put("/home/nana/.claude/settings.json", "{}");
    const folders = [...disk.folders].sort();
    const context = worldOn(disk);
    assert.equal(await does("install", context), 3);
    for (const { path, text } of modFiles(address)) assert.equal(disk.text(`${folder}/${path}`), text);
    assert.equal(await does("install", context), 0);
    assert.equal(await does("uninstall", context), 3);
    assert.deepEqual(disk.names(), ["/home/nana/.claude/settings.json"]);
    assert.deepEqual([...disk.folders].filter((each) => !each.includes(".purser")).sort(), folders);
  });

  it("leaves another program's folder of its name unchanged", async () => {
    const disk = new MemoryDisk();
    const context = worldOn(disk);
    disk.put(`${folder}/hooks/hooks.json`, "{}\n");
    for (const act of ["install", "uninstall"] as const) assert.equal(await does(act, context), 0);
    assert.deepEqual(disk.names(), [`${folder}/hooks/hooks.json`]);
  });

  it("is the user's own: no project gets it, and no other agent", async () => {
    const context = worldOn(new MemoryDisk());
    for (const place of [
      { ...claude, scope: "project" },
      { ...claude, scope: "local" },
      { ...claude, program: "codex" },
    ] as const)
      assert.deepEqual(await planMod("install", place, context), { ok: true, value: [] });
  });
});

/** Runs the mod's own text in a simulated agent. */
describe("the text of the mod", () => {
  const files: Record<string, string> = { "/x/hooks.json": JSON.stringify({ port: 20_001, token: "t-1" }) };

  async function measured(event: object, fails = false): Promise<{ url: string; init: { body: string } }[]> {
    const text = modFiles("/x/hooks.json").find(({ path }) => path.endsWith("measure.js"))?.text ?? "";
    const module: unknown = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    assert.ok(typeof module === "object" && module !== null && "register" in module);
    assert.ok(typeof module.register === "function");
    type Handler = ($: unknown, e: object, next: (e: object) => Promise<string>) => Promise<string>;
    const handlers = new Map<string, Handler>();
    const on = (name: string, handler: Handler) => void handlers.set(name, handler);
    Reflect.apply(module.register, undefined, [on]);
    const posted: { url: string; init: { body: string } }[] = [];
    const agent = {
      fs: { read: (file: string) => Promise.resolve(files[file]) },
      session: { id: () => Promise.resolve("s-1"), model: () => Promise.resolve("claude-sonnet-4-6") },
      http: {
        fetch: (url: string, init: { body: string }) => {
          posted.push({ url, init });
          return fails ? Promise.reject(new Error("nobody is there")) : Promise.resolve({ ok: true });
        },
      },
    };
    const handler = handlers.get("session.measure");
    assert.ok(handler !== undefined);
    assert.equal(await handler(agent, event, () => Promise.resolve("as it was")), "as it was");
    return posted;
  }

  it("posts its measurements in the status line's format", async () => {
    const [post] = await measured({
      context: { tokens: 30_000, window: 200_000, percent: 15 },
      rateLimits: [
        { kind: "five_hour", percentUsed: 12, resetsAt: "2026-11-22T10:00:00Z" },
        { kind: "seven_day", percentUsed: 40, resetsAt: 1_795_345_200_000 },
        { kind: "opus", percentUsed: 1 },
      ],
      changed: ["context"],
    });
    assert.equal(post?.url, "http://127.0.0.1:20001/hook/claude-code");
    assert.deepEqual(JSON.parse(post.init.body), {
      hook_event_name: "StatusLine",
      session_id: "s-1",
      model: { id: "claude-sonnet-4-6" },
      context_window: { context_window_size: 200_000, current_usage: { input_tokens: 30_000 } },
      rate_limits: {
        five_hour: { used_percentage: 12, resets_at: Date.parse("2026-11-22T10:00:00Z") / 1000 },
        seven_day: { used_percentage: 40, resets_at: 1_795_345_200 },
        opus: { used_percentage: 1 },
      },
    });
  });

  it("leaves the session unchanged without a service", async () => {
    await measured({ context: { tokens: 1, window: 2 }, rateLimits: [] }, true);
    files["/x/hooks.json"] = "";
    assert.deepEqual(await measured({ context: { window: 2 }, rateLimits: [] }), []);
  });
});

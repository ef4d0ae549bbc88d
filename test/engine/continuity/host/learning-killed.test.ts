import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { taskNames } from "../../../../src/engine/continuity/learn/task.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { tablesOf } from "../learn/world.ts";
import { appendEntries, open, wasmPath } from "../../ledger/support/support.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { spawnLauncher } from "../../../../src/engine/service/launch/launch.ts";
import { ensureService } from "../../../../src/engine/service/ensure.ts";
import { machine, ServiceSandbox } from "../../service/support/box.ts";
import { rowsOf } from "./mended-types.ts";

const sessions = ["1", "2", "3"].map((digit) => digit.repeat(8) + "-1111-4111-8111-111111111111");

/** Advice sent to a session, and the prompt it worked on: input of the first task. */
const advice: LedgerEntry[] = [
  {
    kind: "hook-event",
    id: "h",
    sessionId: "told",
    at: 10,
    event: "SessionStart",
    rule: "resume-packet",
    injectedChars: 80,
  },
  {
    kind: "run",
    id: "r",
    sessionId: "told",
    agent: "main",
    endedAt: 20,
    input: 1,
    output: 1,
    cacheCreation: 0,
    cacheRead: 0,
    completed: true,
  },
];

/** Names that sql.js expects from a CommonJS module. */
const commonNames = [
  'import { createRequire as requiring } from "node:module";',
  "const [require, __dirname] = [requiring(import.meta.url), import.meta.dirname];",
].join("\n");

/** Bundles the service and its threads. Returns the service's program. */
async function bundled(folder: string): Promise<string> {
  const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  await build({
    entryPoints: {
      "killed-service": here("killed-service.ts"),
      "learn-worker": here("../../../../src/engine/sessions/learn-worker.ts"),
      "killing-worker": here("killing-worker.ts"),
      "ledger-worker": here("../../../../src/engine/ledger/thread/ledger-worker.ts"),
    },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    // A package in another form loads files from its own folder.
    mainFields: ["module", "main"],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    banner: { js: commonNames },
    logLevel: "error",
  });
  return path.join(folder, "killed-service.mjs");
}

/** One task that reads files, one that concludes and one that tends; `npm run bench -- crash-learning` kills in each of the ten. */
const tasks =
  process.env["PURSER_TEST_TASKS"] === "all"
    ? taskNames
    : (["BuildResumePacket", "LearnRepairPatterns", "ScoreArtifacts"] as const);

test("A service killed while learning continues, and ends in the tables of an uninterrupted one", async (t) => {
  const box = new ServiceSandbox(t, { PURSER_TEST_WASM: wasmPath });
  const program = await bundled(path.join(box.folder, "bundle"));
  const service = async (kill: string) => {
    const launcher = spawnLauncher({
      home: box.home,
      program,
      execPath: process.execPath,
      isElectron: false,
      env: { ...box.env, PURSER_TEST_KILL: kill },
      userHome: box.folder,
      isSuccessor: false,
    });
    const client = await ensureService({ ...box.ports(), launchers: [launcher] });
    assert.ok(client.ok, client.ok ? "" : client.detail.text);
    t.after(() => client.value.dispose());
    return client.value;
  };
  const project = path.join(box.folder, "shop");
  mkdirSync(path.join(project, ".git"), { recursive: true });
  for (const id of sessions) box.transcript(`${id}.jsonl`, rowsOf(id, project));

  const ledger = async () => await open(t, box.home.folder);
  const begin = async () => {
    const empty = await ledger();
    await appendEntries(empty, ...advice);
    await empty.close();
  };
  const end = async (): Promise<string> => {
    const client = await service("");
    const done = await client.ask("learnRun", { task: null });
    assert.ok(done.ok, done.ok ? "" : done.detail.text);
    await client.ask("shutdown", { reason: "asked" });
    await waitUntil(() => !machine.isAlive(client.pid));
    const read = await ledger();
    const packets = sessions.map((session) => read.ask("packetOf", session));
    assert.ok(packets.every((packet) => packet !== null));
    const tables = `${tablesOf(read)}\n${packets.join("\n")}`;
    await read.close();
    return tables;
  };

  await begin();
  // Before the task's first word, and in its midst.
  for (const [place, task] of tasks.entries()) {
    const kill = `${task}:${place % 2 === 0 ? 3 : 0}`;
    const client = await service(kill);
    const done = await client.ask("learnRun", { task: null });
    assert.equal(done.ok, false, `it was not killed in ${kill}`);
    await waitUntil(() => !machine.isAlive(client.pid));
  }
  const killed = await end();
  assert.equal(new Set(box.pids()).size, tasks.length + 1);
  rmSync(box.home.folder, { recursive: true });
  await begin();
  const undisturbed = await end();
  assert.match(undisturbed, /npm install zod[^]*"resume-packet@"/u);
  assert.equal(killed, undisturbed);
});

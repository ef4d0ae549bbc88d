/**
 * `npm run bench -- windows [--seconds N] [--sessions N] [--mixed]`: measures the service with 1, 5 and 20 windows open and
 * live sessions, of Claude Code or of each agent in turn, idle and
 * with a turn in every session twice a second: its CPU time, its memory, the number of snapshots sent to a window, and how
 * long a request for one takes. Each window has its own folders, so none shares a view. The ledger and its collector are
 * threads of the service: its time and memory include them, and they must have every turn at the end.
 */
import assert from "node:assert/strict";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { systemClock } from "../../src/engine/base/timing.ts";
import { ensureService } from "../../src/engine/service/ensure.ts";
import { spawnLauncher } from "../../src/engine/service/launch/launch.ts";
import { thisMachine } from "../../src/engine/base/process/machine.ts";
import { purserPaths } from "../../src/engine/base/disk/home.ts";
import type { ServiceClient } from "../../src/engine/service/client.ts";
import { makeScratch } from "../host/scratch.ts";
import { sessionRoots } from "../../src/engine/transcripts/agents.ts";
import { madeSessions } from "../host/transcripts/agents.ts";
import { watchCpu } from "./cpu-share.ts";

const windows = [1, 5, 20];
const turnEvery = 500; // ms
/** Time after which the ledger has processed the last collected entries. Milliseconds. */
const settled = 3000;
/** Tokens added by each turn, and the context at which a session restarts. */
const [more, full] = [500, 150_000];

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "8" },
    sessions: { type: "string", default: "10" },
    mixed: { type: "boolean", default: false },
  },
});
const seconds = Number(values.seconds);
if (!(seconds > 0)) {
  console.error(`--seconds ${values.seconds}: a number above 0 is needed.`);
  process.exit(2);
}

const sessions = Number(values.sessions);
if (!(Number.isInteger(sessions) && sessions > 0)) {
  console.error(`--sessions ${values.sessions}: a whole number above 0 is needed.`);
  process.exit(2);
}
const makers = values.mixed ? Object.values(madeSessions) : [madeSessions["claude-code"]];

const scratch = await makeScratch();
const { home: userHome } = scratch;
const env = { ...scratch.env, PATH: process.env["PATH"] };
const home = purserPaths({ env, home: userHome });
const program = fileURLToPath(new URL("../../dist/service.cjs", import.meta.url));
const { execPath } = process;
const ports = {
  home,
  machine: thisMachine(),
  clock: systemClock,
  version: "0.0.0",
  pid: process.pid,
  onProblem: (message: string) => console.error(message),
  launchers: [spawnLauncher({ home, program, execPath, isElectron: false, env, userHome })],
};

async function connect(): Promise<ServiceClient> {
  const client = await ensureService(ports);
  assert.ok(client.ok, client.ok ? "" : client.detail.text);
  return client.value;
}

async function describe(client: ServiceClient) {
  const answer = await client.ask("describe", {});
  assert.ok(answer.ok, answer.ok ? "" : answer.detail.text);
  return answer.value;
}

/** A window with its own folders, which counts the snapshots it receives. */
async function openWindow(number: number): Promise<{ client: ServiceClient; heard: () => number }> {
  const client = await connect();
  let heard = 0;
  client.on("snapshot", () => (heard += 1));
  const folder = path.join(scratch.root, `project-${number}`);
  const settings = { editor: "bench", workspace: null, user: {}, folders: [{ path: folder, settings: {} }] };
  await client.ask("configure", {
    roots: sessionRoots({ env, home: userHome }),
    env: {},
    folders: [folder],
    settings,
  });
  assert.ok((await client.ask("subscribe", {})).ok);
  return { client, heard: () => heard };
}

/** Cost of the service while `act` repeats: CPU in percent of one core, memory in MB, snapshots per window, ms per answer. */
async function measure(open: readonly Awaited<ReturnType<typeof openWindow>>[], act: () => void) {
  const [first] = open;
  assert.ok(first);
  assert.ok((await first.client.ask("catchUp", {})).ok);
  await wait(settled);
  const before = { ...(await describe(first.client)), heard: first.heard(), at: performance.now() };
  const answers: number[] = [];
  while (performance.now() - before.at < seconds * 1000) {
    act();
    const asked = performance.now();
    await describe(first.client);
    answers.push(performance.now() - asked);
    await wait(turnEvery);
  }
  const after = await describe(first.client);
  const took = performance.now() - before.at;
  return {
    cpu: `${((100 * (after.cpu - before.cpu)) / took).toFixed(1)} %`,
    rss: `${Math.round(after.memory.rss / 1e6)} MB`,
    heap: `${Math.round(after.memory.heap / 1e6)} MB`,
    "snapshots/s": ((1000 * (first.heard() - before.heard)) / took).toFixed(2),
    "slowest answer": `${Math.max(...answers).toFixed(1)} ms`,
  };
}

async function assertCollected(): Promise<void> {
  const client = await connect();
  assert.ok((await client.ask("catchUp", {})).ok);
  const status = await client.ask("ledgerStatus", {});
  assert.equal(status.ok && status.value.responses, written);
  client.dispose();
}

const transcripts = Array.from({ length: sessions }, (_, index) =>
  (makers[index % makers.length] ?? madeSessions["claude-code"]).make(scratch, index + 1),
);
let context = 20_000;
let written = 0;
const turn = () => {
  written += sessions;
  context = context >= full ? 20_000 : context + more;
  for (const transcript of transcripts) transcript.turn(context);
};
for (let turns = 0; turns < 200; turns += 1) turn();

const rows: Record<string, Record<string, string>> = {};
const share = watchCpu();
try {
  for (const count of windows) {
    const open = await Promise.all(Array.from({ length: count }, (_, index) => openWindow(index)));
    rows[`${count} idle`] = await measure(open, () => undefined);
    rows[`${count} busy`] = await measure(open, turn);
    for (const { client } of open) client.dispose();
  }
  await assertCollected();
  console.log(
    `${sessions} live sessions of ${makers.length === 1 ? "Claude Code" : "all agents"}, ${seconds} s each, ${os.cpus()[0]?.model ?? "unknown CPU"}`,
  );
  console.log(`all ${written} turns are in the ledger; ${share()}`);
  console.table(rows);
} finally {
  const client = await connect();
  await client.shutdown("asked", 15_000);
  client.dispose();
  await scratch.remove();
}

/**
 * `npm run bench -- hooks [--calls N] [--pairs N] [--seconds N] [--rounds N] [--assert]`: measures how long hooks take. Mixed calls over
 * keep-alive HTTP, one connection per session, in a project with a hard budget, while 10 live sessions get a turn twice a second; 200
 * a second for a minute, and the service's memory meanwhile; whether all of them are in the ledger; the whole process of the hooks'
 * program against a bare `node -e 0`, alternating, and that of an installed prompt hook; and how long a prompt waits where no service
 * runs; and the processor time of each agent's hooks in each way, quiet and beside two busy loops.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { systemClock } from "../../src/engine/base/timing.ts";
import { createBudget } from "../../src/engine/budgets/convoys/convoys-store.ts";
import { noHistory } from "../../src/engine/budgets/projection.ts";
import { wantedHooks } from "../../src/engine/hooks/install/settings/wanted-hooks.ts";
import { openLedgerThread } from "../../src/engine/ledger/ledger-thread.ts";
import { readHookServerAddress } from "../../src/engine/hooks/server/address.ts";
import { ensureService } from "../../src/engine/service/ensure.ts";
import { spawnLauncher } from "../../src/engine/service/launch/launch.ts";
import { thisMachine } from "../../src/engine/base/process/machine.ts";
import { connectService } from "../../src/engine/service/client.ts";
import { bundledPrograms } from "../../src/engine/service/launch/programs.ts";
import { projectBudgets } from "../../src/engine/budgets/live/project.ts";
import { purserPaths } from "../../src/engine/base/disk/home.ts";
import { waitUntil } from "../engine/support/wait-until.ts";
import { post } from "../engine/service/support/hooks.ts";
import { makeScratch } from "../host/scratch.ts";
import { makeTranscript } from "../host/transcript.ts";
import { measureWays } from "./hook-ways.ts";
import { soakHooks } from "./hooks-soak.ts";
import { quantileOf } from "./quantile.ts";

const sessions = 10;
const turnEvery = 500; // ms
/** Promised limits: milliseconds, and multiples of the bare process. */
const promised = { p50: 1, p99: 10, ratio: 1.5 };
const rate = 200; // hooks a second
/** Apparent growth allowed for a service without a leak, since the timing of garbage collection varies. Bytes. */
const flat = 12e6;

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "10000" },
    pairs: { type: "string", default: "40" },
    seconds: { type: "string", default: "60" },
    rounds: { type: "string", default: "10" },
    assert: { type: "boolean", default: false },
  },
});
const [calls, pairs, seconds] = [Number(values.calls), Number(values.pairs), Number(values.seconds)];

const scratch = await makeScratch();
const { home: userHome } = scratch;
const env = { ...scratch.env, PATH: process.env["PATH"] };
const home = purserPaths({ env, home: userHome });
const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const { execPath } = process;
const own = { home, machine: thisMachine(), clock: systemClock, version: "0.0.0" };

const tool = { tool_name: "Bash", tool_use_id: "toolu_1", tool_input: { command: "npm test" } };
const output = "ok 1 - the berth is free\n".repeat(200);
/** Events that an agent posts while it works, in realistic proportions. */
const bodies = [
  { hook_event_name: "UserPromptSubmit", prompt: "Find the next free berth." },
  { hook_event_name: "PreToolUse", ...tool },
  { hook_event_name: "PostToolUse", ...tool, tool_response: { stdout: output }, duration_ms: 12 },
  { hook_event_name: "PostToolBatch", tool_calls: [{ ...tool, tool_response: output }] },
  { hook_event_name: "PreToolUse", ...tool },
  { hook_event_name: "PostToolBatch", tool_calls: [{ ...tool, tool_response: output }] },
  { hook_event_name: "SubagentStop", agent_id: "a-1", stop_hook_active: false },
  { hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "Done." },
];

/** Returns milliseconds per call and the number of warnings; each session is warned once. */
async function callHooks(address: { port: number; token: string }, ids: readonly string[]) {
  const agents = ids.map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
  const took: number[] = [];
  let warned = 0;
  for (let call = -500; call < calls; call += 1) {
    const index = Math.abs(call) % ids.length;
    const agent = agents[index];
    assert.ok(agent);
    const about = { session_id: ids[index], transcript_path: "/t.jsonl", cwd: scratch.workspace };
    const body = JSON.stringify({ ...about, ...bodies[Math.abs(call) % bodies.length] });
    const begun = performance.now();
    const answer = await post(address, body, { agent });
    // The first calls warm up both sides.
    if (call >= 0) took.push(performance.now() - begun);
    assert.equal(answer.status, 200);
    if (answer.body !== "") warned += 1;
  }
  for (const agent of agents) agent.destroy();
  return { took, warned };
}

/** Runs a program; returns the milliseconds of the whole process. */
function time(program: string, argv: readonly string[], event: string): number {
  const input = JSON.stringify({ session_id: "s", hook_event_name: event, cwd: scratch.workspace });
  const begun = performance.now();
  const { status } = spawnSync(program, argv, { env, input });
  assert.equal(status, 0);
  return performance.now() - begun;
}

const shim = path.join(dist, "hook.cjs");
const prompted = wantedHooks({
  program: "claude-code",
  shim: { path: shim, runtime: "node" },
  address: null,
  isShared: false,
  platform: "linux",
}).find(({ event }) => event === "UserPromptSubmit");

/** Milliseconds of a prompt's hook, run the way the agent runs it. */
function timePrompt(): number {
  return time("/bin/sh", ["-c", String(prompted?.handler["command"])], "UserPromptSubmit");
}

/** Milliseconds of whole processes, run alternately. */
function runPrograms() {
  const bare: number[] = [];
  const whole: number[] = [];
  const prompts: number[] = [];
  for (let pair = -3; pair < pairs; pair += 1) {
    const one = time(execPath, ["-e", "0"], "SessionStart");
    const other = time(execPath, [shim, "--purser-hook=claude-code:SessionStart"], "SessionStart");
    const prompt = timePrompt();
    if (pair < 0) continue;
    bare.push(one);
    whole.push(other);
    prompts.push(prompt);
  }
  return { bare, whole, prompts };
}

/** Milliseconds until a prompt is answered that had to start the service first. */
async function timeBeginning(): Promise<number[]> {
  const took: number[] = [];
  for (let time = 0; time < 5; time += 1) {
    took.push(timePrompt());
    const begun = await connectService({ ...own, onProblem: (message) => console.error(message) });
    if (!begun.ok) continue;
    await begun.value.shutdown("asked", 20_000);
    begun.value.dispose();
    // A hook does not start a service within a moment of starting one.
    rmSync(path.join(home.folder, "hook-start"), { force: true });
  }
  return took;
}

async function countRecorded(): Promise<number> {
  const { ledger: worker, sqlWasm: wasmPath } = bundledPrograms(dist).ledgerPrograms;
  const opened = await openLedgerThread({ folder: home.folder, wasmPath, models: {} }, worker);
  assert.ok(opened.ok, opened.ok ? "" : opened.detail.text);
  const chunks: Uint8Array[] = [];
  for await (const bytes of opened.value.export({ format: "csv", since: null, table: "hook_events" }))
    chunks.push(bytes);
  await opened.value.close();
  return Buffer.concat(chunks).toString().trim().split("\n").length - 1;
}

try {
  mkdirSync(path.join(scratch.workspace, ".git"), { recursive: true });
  writeFileSync(path.join(scratch.workspace, ".git", "HEAD"), "ref: refs/heads/fleet\n");
  const files = {
    pid: process.pid,
    machine: thisMachine(),
    clock: systemClock,
    history: noHistory,
    apart: { folder: home.spending, isTrusted: null },
  };
  const budget = { convoyId: "fleet", levels: { convoy: { limit: 1e9, period: "day" } } } as const;
  assert.ok((await createBudget(budget, projectBudgets(scratch.workspace, files))).ok);
  mkdirSync(home.folder, { recursive: true, mode: 0o700 });
  writeFileSync(home.settings, JSON.stringify({ budgets: "hard" }), { mode: 0o600 });
  const client = await ensureService({
    ...own,
    pid: process.pid,
    onProblem: (message) => console.error(message),
    launchers: [
      spawnLauncher({
        home,
        program: path.join(dist, "service.cjs"),
        execPath,
        isElectron: false,
        env,
        userHome,
      }),
    ],
  });
  assert.ok(client.ok, client.ok ? "" : client.detail.text);
  const transcripts = Array.from({ length: sessions }, (_, index) => makeTranscript(scratch, index + 1));
  // The contexts cross half of their window while hooks arrive.
  let context = 49_000;
  const turn = () => {
    context += 500;
    for (const transcript of transcripts) transcript.turn(Math.min(context, 150_000));
  };
  for (let turns = 0; turns < 100; turns += 1) turn();
  assert.ok((await client.value.ask("status", {})).ok);
  await waitUntil(() => {
    const known = readHookServerAddress(home);
    return known.ok && known.value !== null;
  });
  const address = readHookServerAddress(home);
  assert.ok(address.ok && address.value !== null);
  const timer = setInterval(turn, turnEvery);
  const { took, warned } = await callHooks(
    address.value,
    transcripts.map(({ id }) => id),
  );
  const ids = transcripts.map(({ id }) => id);
  const soaked = await soakHooks({
    place: address.value,
    rate,
    seconds,
    connections: sessions,
    bodyOf: (call) => {
      const about = { session_id: ids[call % ids.length], cwd: scratch.workspace };
      return JSON.stringify({ ...about, ...bodies[call % bodies.length] });
    },
    memory: async () => {
      const described = await client.value.ask("describe", {});
      assert.ok(described.ok);
      return described.value.memory.rss;
    },
  });
  clearInterval(timer);
  const { bare, whole, prompts } = runPrograms();
  const described = await client.value.ask("describe", {});
  assert.ok(described.ok);
  const slowWays = await measureWays({
    home,
    shim,
    env,
    service: { ...address.value, pid: described.value.pid },
    rounds: Number(values.rounds),
  });
  await client.value.shutdown("asked", 20_000);
  client.value.dispose();
  const beginnings = await timeBeginning();
  const expected = calls + 500 + 2 * (pairs + 3) + soaked.sent + beginnings.length;
  const recorded = await countRecorded();

  const figures = {
    p50: quantileOf(took, 0.5),
    p99: quantileOf(took, 0.99),
    ratio: quantileOf(whole, 0.5) / quantileOf(bare, 0.5),
  };
  console.log(
    `${sessions} live sessions, ${os.cpus()[0]?.model ?? "unknown CPU"}, load ${(os.loadavg()[0] ?? 0).toFixed(1)}`,
  );
  console.log(
    `${calls} calls: p50 ${figures.p50.toFixed(2)} ms, p99 ${figures.p99.toFixed(2)} ms, ` +
      `slowest ${Math.max(...took).toFixed(1)} ms; ${warned} warnings`,
  );
  const { warm, end, slopePerMinute } = soaked.memory;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(
    `${rate} a second for ${seconds} s: ${soaked.answered} of ${soaked.sent} answered, ` +
      `p50 ${quantileOf(soaked.took, 0.5).toFixed(2)} ms, p99 ${quantileOf(soaked.took, 0.99).toFixed(2)} ms; ` +
      `the service's memory from ${megabytes(warm)} to ${megabytes(end)}, ${megabytes(slopePerMinute)} a minute`,
  );
  console.log(
    `hook.cjs: ${quantileOf(whole, 0.5).toFixed(1)} ms, node -e 0: ${quantileOf(bare, 0.5).toFixed(1)} ms ` +
      `(medians of ${pairs}, in turn), ${figures.ratio.toFixed(2)}x`,
  );
  console.log(
    `a prompt's hook, as it is installed: ${quantileOf(prompts, 0.5).toFixed(1)} ms; one that begins the service first: ` +
      `${quantileOf(beginnings, 0.5).toFixed(0)} ms (median of ${beginnings.length})`,
  );
  console.log(
    `in the ledger: ${recorded} of ${expected}; the service: ${Math.round(described.value.memory.rss / 1e6)} MB`,
  );
  const faults = [
    ...slowWays,
    ...(figures.p50 < promised.p50 ? [] : [`p50 is not under ${promised.p50} ms`]),
    ...(figures.p99 < promised.p99 ? [] : [`p99 is not under ${promised.p99} ms`]),
    ...(figures.ratio < promised.ratio ? [] : [`hook.cjs takes not less than ${promised.ratio}x`]),
    ...(soaked.answered === soaked.sent ? [] : [`${soaked.sent - soaked.answered} hooks were not answered`]),
    ...(end - warm < flat ? [] : [`the service's memory grew by more than ${megabytes(flat)}`]),
    ...(recorded === expected ? [] : [`${expected - recorded} hooks are not in the ledger`]),
  ];
  console.log(faults.length === 0 ? "PASS: all that is promised holds" : "FAIL:");
  for (const fault of faults) console.error(`  ${fault}`);
  if (values.assert && faults.length > 0) process.exitCode = 1;
} finally {
  await scratch.remove();
}

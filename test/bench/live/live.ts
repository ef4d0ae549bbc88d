/**
 * `npm run bench -- live [--agent NAME] [--turns N] [--starts N] [--assert]`: appends turns to an agent's transcript while a real VS Code is open,
 * and prints how long each took from the append to the new text on the page, and how long the extension took to activate.
 * Both ends are timed by the clock of this machine, to the millisecond. In the same run, a bare watcher and a bare
 * extension do the minimum, which separates purser's share from the machine's.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openEditorWindow } from "../../host/editor/window.ts";
import type { EditorWindow } from "../../host/editor/window.ts";
import { isMadeAgent, madeSessions } from "../../host/transcripts/agents.ts";
import type { Transcript } from "../../host/transcript.ts";
import type { Workbench } from "../../host/editor/workbench.ts";
import { watchCpu } from "../cpu-share.ts";
import { bareItemId, bareName, packControl } from "./control.ts";
import { measureLatency, mostTurns } from "./latency.ts";
import type { SeenTurn } from "./latency.ts";
import { quantileOf } from "../quantile.ts";

const latencyGoal = 50; // ms, 95th percentile
const activationGoal = 30; // ms, median of the starts
const maxStarts = 20;

/** Milliseconds VS Code reports for the two extensions in the same start. */
interface Start {
  readonly purser: number;
  readonly bare: number;
}

const { values } = parseArgs({
  options: {
    agent: { type: "string", default: "claude-code" },
    turns: { type: "string", default: "60" },
    starts: { type: "string", default: "5" },
    assert: { type: "boolean", default: false },
  },
});
const turns = wholeNumber("--turns", values.turns, mostTurns);
const starts = wholeNumber("--starts", values.starts, maxStarts);

const { agent } = values;
if (!isMadeAgent(agent)) {
  console.error(`--agent ${agent}: one of ${Object.keys(madeSessions).join(", ")} is needed.`);
  process.exit(2);
}
const { make, window } = madeSessions[agent];

let transcript: Transcript | undefined;
const editor = await openEditorWindow({
  choice: "newest",
  beside: async (scratch) => {
    transcript = make(scratch, 1);
    return [await packControl(join(scratch.root, "control"), transcript.file)];
  },
});
try {
  if (transcript === undefined) throw new Error("The editor opened without its transcript.");
  const duringTurns = watchCpu();
  const latency = reportLatency(await measureLatency(editor.workbench, transcript, { turns, window }));
  console.log(`  ${duringTurns()}`);
  const duringStarts = watchCpu();
  const activation = reportActivation(await measureStarts(editor));
  console.log(`  ${duringStarts()}`);
  const missed = [...latency, ...activation];
  for (const goal of missed) console.log(`Missed: ${goal}`);
  process.exitCode = values.assert && missed.length > 0 ? 1 : 0;
} finally {
  await editor.close();
}

function wholeNumber(name: string, text: string, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  console.error(`${name} ${text}: a whole number from 1 to ${most} is needed.`);
  process.exit(2);
}

/** Measures the open window, then others one after the other, each with its own extension host. */
async function measureStarts(window: EditorWindow): Promise<readonly Start[]> {
  const all = [await startOf(window.workbench)];
  await window.workbench.close();
  while (all.length < starts) {
    const next = await window.reopen();
    all.push(await startOf(next));
    await next.close();
  }
  return all;
}

async function startOf(workbench: Workbench): Promise<Start> {
  await workbench.waitForStatus(bareItemId);
  const [purser = NaN, bare = NaN] = await workbench.activationTimes(["Context Purser", bareName]);
  return { purser, bare };
}

/** Prints the figures; returns the goals that were missed. */
function reportLatency(seen: readonly SeenTurn[]): readonly string[] {
  const line = (name: string, latencies: readonly number[]) => {
    const [p50, p95, most] = [0.5, 0.95, 1].map((share) => quantileOf(latencies, share));
    const never = latencies.filter((latency) => latency === Number.POSITIVE_INFINITY).length;
    console.log(`  ${name.padEnd(34)} p50 ${p50} · p95 ${p95} · max ${most} · never ${never}`);
  };
  // A turn that one of the two never saw has no difference.
  const differences = (control: "watcher" | "extension") =>
    seen.map((turn) => turn.purser - turn[control]).filter((difference) => Number.isFinite(difference));
  const purser = seen.map((turn) => turn.purser);
  console.log(`${seen.length} turns of ${agent}, from the append to, in ms:`);
  line("purser's text in the status bar", purser);
  const undisturbed = seen.filter(({ wasStolen }) => wasStolen === false).map((turn) => turn.purser);
  if (undisturbed.length > 0) line(`  the ${undisturbed.length} with no time stolen`, undisturbed);
  line(
    "bare watcher, bytes read",
    seen.map(({ watcher }) => watcher),
  );
  line(
    "bare extension's text",
    seen.map(({ extension }) => extension),
  );
  line("purser less bare watcher", differences("watcher"));
  line("purser less bare extension", differences("extension"));
  return quantileOf(purser, 0.95) < latencyGoal ? [] : [`p95 is not under ${latencyGoal} ms.`];
}

/** Prints the figures; returns the goals that were missed. */
function reportActivation(all: readonly Start[]): readonly string[] {
  const line = (name: string, times: readonly number[]) => {
    const [median, least] = [quantileOf(times, 0.5), Math.min(...times)];
    console.log(`  ${name.padEnd(34)} median ${median} · min ${least} · each ${times.join(" ")}`);
  };
  const purser = all.map((start) => start.purser);
  console.log("Activation as VS Code reports it, loading the code and calling activate, in ms:");
  line("purser", purser);
  line(
    "bare extension, same starts",
    all.map(({ bare }) => bare),
  );
  line(
    "purser less bare extension",
    all.map((start) => start.purser - start.bare),
  );
  return quantileOf(purser, 0.5) < activationGoal
    ? []
    : [`The median activation is not under ${activationGoal} ms.`];
}

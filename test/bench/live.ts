/**
 * `npm run bench:live [-- --turns N] [-- --assert]`: appends turns to a transcript while a real VS Code is open, and
 * prints how long each took from the append to the new text on the page, and how long the extension took to activate.
 * Both ends are timed by the clock of this machine, to the millisecond.
 */
import { parseArgs } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import { openEditorWindow, statusId } from "../host/editor-window.ts";
import type { EditorWindow } from "../host/editor-window.ts";
import { makeTranscript } from "../host/transcript.ts";

const apart = 700; // ms between two turns
const late = 3_000; // ms after which a turn counts as never shown
const first = 20_000; // tokens of context in the first turn
const more = 2_000; // tokens that each turn adds: one percent of the window of 200,000
const latencyGoal = 50; // ms, 95th percentile
const activationGoal = 30; // ms
const mostTurns = 70; // beyond it the context would be full

const { values } = parseArgs({
  options: { turns: { type: "string", default: "60" }, assert: { type: "boolean", default: false } },
});
const turns = Math.min(Number(values.turns), mostTurns);
if (!Number.isInteger(turns) || turns < 1) {
  console.error(`--turns ${values.turns}: a whole number from 1 to ${mostTurns} is needed.`);
  process.exit(2);
}

const editor = await openEditorWindow({ choice: "newest" });
try {
  process.exitCode = report(await measure(editor), await editor.workbench.activationTime("Context Purser"));
} finally {
  await editor.close();
}

/** The latency of each turn in milliseconds; undefined for one that never showed. */
async function measure({ workbench, scratch }: EditorWindow): Promise<readonly (number | undefined)[]> {
  const transcript = makeTranscript(scratch);
  // The session is found first: how long that takes is another question than how fast it is followed.
  transcript.turn(first);
  await workbench.waitForStatus(statusId, ({ text }) => text.includes(`${first / more}%`));
  const watched = await workbench.watchStatus(statusId);
  const appended: number[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    await wait(apart);
    appended.push(Date.now());
    transcript.turn(first + turn * more);
  }
  await wait(late);
  const seen = await watched.read();
  return appended.map((at, index) => {
    const percent = `${(first + (index + 1) * more) / more}%`;
    const shown = seen.find((status) => status.at >= at && status.text.includes(percent));
    return shown === undefined || shown.at - at > late ? undefined : shown.at - at;
  });
}

function report(latencies: readonly (number | undefined)[], activation: number): number {
  const shown = latencies.filter((latency) => latency !== undefined).sort((one, other) => one - other);
  // Nearest rank, over all turns: one that never showed is later than any.
  const quantile = (share: number) =>
    shown[Math.ceil(share * latencies.length) - 1] ?? Number.POSITIVE_INFINITY;
  const p95 = quantile(0.95);
  console.log(`${latencies.length} turns, ${apart} ms apart, from append to the new text in the status bar:`);
  console.log(
    `  p50 ${quantile(0.5)} ms · p95 ${p95} ms · max ${quantile(1)} ms · never shown ${latencies.length - shown.length}`,
  );
  console.log(`Activation, as VS Code reports it (loading the code and calling activate): ${activation} ms`);
  const missed = [
    ...(p95 < latencyGoal ? [] : [`p95 is not under ${latencyGoal} ms.`]),
    ...(activation < activationGoal ? [] : [`The activation is not under ${activationGoal} ms.`]),
  ];
  for (const goal of missed) console.log(`Missed: ${goal}`);
  return values.assert && missed.length > 0 ? 1 : 0;
}

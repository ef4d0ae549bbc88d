/**
 * `npm run bench -- first-call [--starts N] [--calls N] [--loops N] [--assert]`: who judges an agent's first call where no service runs, and what a
 * deadline does to safe calls. Each start has its own home and the hooks as installed; two busy loops load the machine. Then calls are judged while
 * the service is killed at random, with a required family. No call is ever run.
 */
import assert from "node:assert/strict";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  beginnings,
  busyLoops,
  callsDuringKills,
  firstCall,
  type Judged,
} from "../engine/service/support/first-calls.ts";
import { watchCpu } from "./cpu-share.ts";
import { quantileOf } from "./quantile.ts";

const { values } = parseArgs({
  options: {
    starts: { type: "string", default: "200" },
    calls: { type: "string", default: "500" },
    loops: { type: "string", default: "2" },
    assert: { type: "boolean", default: false },
  },
});
const [starts, calls, loops] = [Number(values.starts), Number(values.calls), Number(values.loops)];
const hookProgram = path.join(fileURLToPath(new URL("../../dist", import.meta.url)), "hook.cjs");
const [destructive, safe] = ["rm -rf ~", "git status"];
const on = { guardMode: "on" };
const required = { guardFamilies: { safety: "required", secrets: "required", protect: "required" } };

function describeCalls(name: string, judged: readonly Judged[]): string {
  const count = (isCounted: (each: Judged) => boolean) => judged.filter(isCounted).length;
  const took = judged.map((each) => each.took);
  return [
    name.padEnd(44),
    String(judged.length).padStart(5),
    String(count(({ fate, isAlone }) => fate !== "untimely" && !isAlone)).padStart(8),
    String(count(({ fate, isAlone }) => fate !== "untimely" && isAlone)).padStart(8),
    String(count(({ fate }) => fate === "untimely")).padStart(9),
    String(count(({ fate }) => fate === "passed")).padStart(7),
    `${Math.round(quantileOf(took, 0.5))} ms`.padStart(9),
    `${Math.round(quantileOf(took, 0.99))} ms`.padStart(9),
  ].join("");
}

async function playStarts(count: number, command: string, settings: object) {
  const judged: (Judged & { readonly beginning: string })[] = [];
  for (let turn = 0; turn < count; turn += 1)
    judged.push(await firstCall(hookProgram, { turn, command, settings }));
  return judged;
}

const ofAll = (part: number, all: number) =>
  `${part} of ${all} (${((100 * part) / Math.max(1, all)).toFixed(1)} %)`;
const untimely = (judged: readonly Judged[]) => judged.filter(({ fate }) => fate === "untimely").length;
const passed = (judged: readonly Judged[]) => judged.filter(({ fate }) => fate === "passed").length;

const share = watchCpu();
const stop = busyLoops(loops);
try {
  console.log(`${"".padEnd(44)}calls service   alone  untimely passed   median      p99`);
  const dangerous = await playStarts(starts, destructive, on);
  for (const beginning of beginnings)
    console.log(
      describeCalls(
        `rm -rf ~ after ${beginning}`,
        dangerous.filter((each) => each.beginning === beginning),
      ),
    );
  const harmless = await playStarts(Math.ceil(starts / 2), safe, required);
  console.log(describeCalls("git status, families required", harmless));
  const commandOf = (turn: number) => (turn % 5 === 4 ? safe : destructive);
  const { judged, kills } = await callsDuringKills(hookProgram, { calls, commandOf, settings: required });
  const killed = judged.filter((_each, turn) => commandOf(turn) === destructive);
  const harmlessKilled = judged.filter((_each, turn) => commandOf(turn) === safe);
  console.log(describeCalls(`rm -rf ~, required, ${kills} kills`, killed));
  console.log(describeCalls("git status, required, the same kills", harmlessKilled));
  console.log(
    [
      "",
      `Destructive first calls that passed: ${ofAll(passed(dangerous), dangerous.length)}.`,
      `Destructive calls that passed while the service was killed: ${ofAll(passed(killed), killed.length)}.`,
      `Safe first calls stopped only because of time: ${ofAll(untimely(harmless), harmless.length)}.`,
      `Safe calls stopped only because of time or a kill: ${ofAll(untimely(harmlessKilled), harmlessKilled.length)}.`,
      share(),
    ].join("\n"),
  );
  if (values.assert) assert.deepEqual([passed(dangerous), passed(killed)], [0, 0]);
} finally {
  stop();
}

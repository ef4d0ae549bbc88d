/**
 * `npm run bench -- effects`: what shorter outputs save, gross and net, on recorded sessions and on the sample, whose
 * outputs are real; then lives of formats that lose and formats that gain, and how often each is switched off. Fails
 * when more than 5 % of formats that save nothing ever seem to save, or ever seem to lose.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import * as z from "zod";
import { SessionMemory } from "../../../src/engine/base/per-session.ts";
import { percent, wholeNumber } from "../../../src/engine/base/text/format.ts";
import { pastHook } from "../../../src/engine/guard/host/replay.ts";
import { netState, type NetUnit } from "../../../src/engine/guard/net/net-interval.ts";
import { netViewOf, type NetFigures } from "../../../src/engine/guard/guard-answers.ts";
import { compressFrom, storedOutputsIn } from "../../../src/engine/guard/output/compress-from.ts";
import { FollowUps } from "../../../src/engine/guard/output/follow-ups.ts";
import { outputGuardHandler } from "../../../src/engine/guard/output/output-handler.ts";
import type { HookEvent } from "../../../src/engine/hooks/event.ts";
import { hookCallers } from "../../../src/engine/hooks/program.ts";
import { type LedgerEntry, ledgerEntry } from "../../../src/engine/ledger/entries/entries-entry.ts";
import type { Ledger } from "../../../src/engine/ledger/ledger.ts";
import { agents } from "../../../src/engine/transcripts/agents.ts";
import { readPast, type PastEvent } from "../../../src/engine/transcripts/past.ts";
import { withCollected } from "../../agents/scenarios/collected.ts";
import { testContext } from "../../engine/guard/support/shell-context.ts";
import { timelessPipeline } from "../../engine/hooks/support/timeless-pipeline.ts";
import { realOutputs } from "../../engine/guard/output/compressors/support/corpus.ts";
import { toolKind } from "../../../src/engine/transcripts/tool-kind.ts";
import { seededRandom, type SeededRandom } from "../../engine/support/seeded-random.ts";

const repository = path.resolve(import.meta.dirname, "../../..");
const lives = 1000;
/** Sessions in a life. */
const longest = 240;

type PastCall = Extract<PastEvent, { kind: "call" }>;

/** Outputs of real tools, each with its command. */
const real = realOutputs().filter(({ about }) => !about.isFailure);

/**
 * Plays the hooks of recorded sessions to the guard on outputs, as if it were on. Returns its entries.
 * @param isReal whether commands print outputs of real tools instead of their own short ones
 */
async function playedEntries(env: Readonly<Record<string, string>>, isReal: boolean): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  let count = 0;
  let now = 0;
  const memory = new SessionMemory();
  const hooks = timelessPipeline((_, message) => {
    throw new Error(message);
  });
  const stored = new Map<string, string>();
  const onProblem = (message: string) => {
    throw new Error(message);
  };
  const record = (more: readonly LedgerEntry[]) => void entries.push(...more);
  const followUps = new FollowUps({
    memory,
    isOn: () => true,
    storedOutputsIn: (command) => Promise.resolve(storedOutputsIn(command, testContext)),
    hitOf: (id) => Promise.resolve(stored.get(id) ?? null),
    record,
    onProblem,
    now: () => now,
  });
  hooks.register(followUps.handler);
  hooks.register(
    outputGuardHandler({
      compress: (output, source, isSuccess) =>
        Promise.resolve(compressFrom(output, source, testContext, isSuccess)),
      modeOf: () => "on",
      isExcepted: () => false,
      hasRival: () => false,
      isResting: () => false,
      store: {
        keep: (_, { hit }) => {
          const id = `2${stored.size.toString(26).padStart(5, "a")}`;
          stored.set(id, hit);
          return Promise.resolve(id);
        },
        forget: (id) => Promise.resolve(void stored.delete(id)),
        place: (id) => `purser output ${id} [--lines A-B]`,
      },
      onMade: (event, made) => followUps.made(event, made),
      record,
      onProblem,
      now: () => now,
      elapsed: () => 0,
    }),
  );
  for (const { name, history } of agents) {
    const program = hookCallers.find((caller) => caller === name);
    if (history === null || program === undefined) continue;
    for (const file of (await history()).files({ env, home: env["HOME"] ?? "" })) {
      const calls = new Map<string, PastCall>();
      const texts = new Map<string, string>();
      await readPast(file, async (events) => {
        for (const event of events) {
          now = event.at ?? now;
          const own = isReal && event.kind === "call" && toolKind(event.tool) === "command";
          const output = own ? real[(count += 1) % real.length] : undefined;
          if (event.kind === "call") {
            const command = output?.about.command?.[0]?.join(" ");
            calls.set(event.id, command === undefined ? event : { ...event, input: { command } });
            if (output !== undefined) texts.set(event.id, output.text);
          }
          const text = event.kind === "result" ? texts.get(event.id) : undefined;
          const played =
            event.kind === "result" && text !== undefined ? { ...event, text, isError: false } : event;
          const hook = pastHook(played, event.kind === "result" ? (calls.get(event.id) ?? null) : null);
          if (hook !== null) await hooks.answer(asReported(hook), program);
          await new Promise((resolve) => setImmediate(resolve));
        }
      });
    }
  }
  return entries;
}

/** Claude Code says of each command's output whether it is an image. */
function asReported(hook: HookEvent): HookEvent {
  if (hook.hook_event_name !== "PostToolUse") return hook;
  const { tool_response: response } = hook;
  const isCommand = typeof response === "object" && response !== null && "stdout" in response;
  return isCommand ? { ...hook, tool_response: { ...response, isImage: false } } : hook;
}

async function figuresWith(ledger: Ledger, entries: readonly LedgerEntry[]): Promise<NetFigures> {
  for (let from = 0; from < entries.length; from += 500) {
    const done = await ledger.append(entries.slice(from, from + 500));
    if (!done.ok) throw new Error(done.detail.text);
  }
  return netViewOf(ledger.ask("savedOutputs", 0), 0).total;
}

function print(name: string, all: readonly NetFigures[]): void {
  const sum = (value: (figures: NetFigures) => number) =>
    wholeNumber(Math.round(all.reduce((total, figures) => total + value(figures), 0)));
  const columns = [
    name.padEnd(30),
    sum(({ outputs }) => outputs).padStart(8),
    sum(({ pending }) => pending).padStart(8),
    sum(({ leftOut }) => leftOut).padStart(9),
    sum(({ requests }) => requests).padStart(9),
    sum(({ gross }) => gross).padStart(9),
    sum(({ minus }) => minus).padStart(9),
    sum(({ net }) => net).padStart(9),
  ];
  console.log(columns.join(" "));
}

console.log("tokens at the price of new input");
console.log(
  "                                outputs  pending  left out  requests     gross     minus       net",
);
const recordings = path.join(repository, "test/recordings");
for (const version of readdirSync(recordings)) {
  const folder = path.join(recordings, version);
  if (!existsSync(path.join(folder, "tool-loop"))) continue;
  for (const isReal of [false, true]) {
    const all: NetFigures[] = [];
    for (const scenario of readdirSync(folder)) {
      const home = path.join(folder, scenario);
      const env = {
        HOME: home,
        CLAUDE_CONFIG_DIR: home,
        CODEX_HOME: home,
        COPILOT_HOME: home,
        GEMINI_CLI_HOME: home,
      };
      await withCollected({ env, home }, async ({ ledger }) => {
        all.push(await figuresWith(ledger, await playedEntries(env, isReal)));
      });
    }
    print(`${version}${isReal ? ", real outputs" : ""}`, all);
  }
}

const sample = z.object({ entries: z.array(z.unknown()) });
const packed = readFileSync(path.join(repository, "media/sample.json.br"));
const entries = sample
  .parse(JSON.parse(brotliDecompressSync(packed).toString("utf8")))
  .entries.map((entry): LedgerEntry => {
    const known = ledgerEntry.parse(entry);
    // The sample's guards only observe: its outputs count as if they had been made smaller.
    const isOutput = known.kind === "guard-hit" && known.family === "output";
    return isOutput ? { ...known, done: "replaced", command: known.excerpt?.slice(0, 100) ?? null } : known;
  });
const nowhere = path.join(repository, "test/bench/guard/nowhere");
await withCollected({ env: { HOME: nowhere }, home: nowhere }, async ({ ledger }) => {
  const total = await figuresWith(ledger, entries);
  print("the sample, as if on", [total]);
});

/** A format in one user's sessions: each output gains, and with some probability its call is made again. */
interface World {
  readonly again: number;
  /** Cost of a call made again, in gains. */
  readonly cost: number;
}

function unitOf({ again, cost }: World, random: SeededRandom): NetUnit {
  const exponential = () => -Math.log(1 - random.next());
  const outputs = 1 + random.below(4);
  let [net, atRisk] = [0, 0];
  for (let output = 0; output < outputs; output += 1) {
    const loss = cost * (0.5 + 0.5 * exponential());
    net += exponential() - (random.next() < again ? loss : 0);
    atRisk += loss;
  }
  return { net, atRisk, outputs };
}

function share(count: number): string {
  return percent((100 * count) / lives).padStart(6);
}

console.log(`\n${lives} lives of a format, looked at after each of ${longest} sessions`);
console.log("made again  cost  net an output  switched off  median at  seems to save  seems to lose");
let isWrong = false;
const worlds: readonly World[] = [
  { again: 0, cost: 3 },
  { again: 0.05, cost: 3 },
  { again: 0.1, cost: 3 },
  { again: 0.2, cost: 3 },
  { again: 1 / 3, cost: 3 },
  { again: 0.1, cost: 10 },
  { again: 0.4, cost: 3 },
  { again: 0.5, cost: 3 },
  { again: 0.8, cost: 3 },
  { again: 0.2, cost: 10 },
];
for (const world of worlds) {
  const random = seededRandom(Math.round(1000 * world.again + world.cost));
  let [saves, loses] = [0, 0];
  const offAt: number[] = [];
  for (let life = 0; life < lives; life += 1) {
    const units: NetUnit[] = [];
    const seen = new Set<string>();
    let off = Infinity;
    while (units.length < longest && off === Infinity) {
      units.push(unitOf(world, random));
      const state = netState(units);
      seen.add(state);
      if (state === "loses" || state === "unproven") off = units.length;
    }
    if (off < Infinity) offAt.push(off);
    saves += Number(seen.has("saves"));
    loses += Number(seen.has("loses"));
  }
  const net = 1 - world.again * world.cost;
  const median = offAt.toSorted((one, other) => one - other)[Math.floor(offAt.length / 2)];
  console.log(
    `${percent(100 * world.again).padStart(10)} ${String(world.cost).padStart(5)} ${net.toFixed(2).padStart(14)} ${share(offAt.length).padStart(13)} ${String(median ?? "-").padStart(10)} ${share(saves).padStart(14)} ${share(loses).padStart(14)}`,
  );
  // Three standard errors above 5 %.
  const most = lives * 0.05 + 3 * Math.sqrt(lives * 0.05 * 0.95);
  isWrong ||= (net <= 1e-9 && saves > most) || (net >= -1e-9 && loses > most);
}
if (isWrong) {
  console.error("More than 5 % of formats seem to do what they do not.");
  process.exitCode = 1;
}

/**
 * How much of the next session a resume packet predicts, with the end of each session hidden: on made-up work (`world.ts`: a model of ours, no
 * record), and on the scripted recordings of the golden suite, of which the second half is hidden.
 *
 *     npm run bench -- continuity [--sessions 2000 --seed 50000 --tune]
 */
import { globSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import * as z from "zod";
import { failureIn } from "../../../src/engine/continuity/story/failure.ts";
import type { ResumePacket } from "../../../src/engine/continuity/packet/packet.ts";
import { renderPacket } from "../../../src/engine/continuity/packet/render.ts";
import { Story } from "../../../src/engine/continuity/story/story.ts";
import { usualWeighing, type Weighing } from "../../../src/engine/continuity/story/working-files.ts";
import { PastSession, project, readLine } from "../../engine/continuity/past-session.ts";
import { workOf, type Work } from "./world.ts";

const { values } = parseArgs({
  options: {
    sessions: { type: "string", default: "1000" },
    seed: { type: "string", default: "50000" },
    tune: { type: "boolean", default: false },
  },
});
/** Recordings touch few files, so fewer are examined. */
const [first, firstOfRecorded] = [10, 3];

function packetOf({ events }: PastSession, weighing: Weighing = usualWeighing): ResumePacket {
  const story = new Story({ readLine, rootOf: () => project, weighing });
  for (const event of events) story.add(event);
  return story.packet({ sessionId: "s", agent: "claude-code", folder: project, commit: null });
}

/** The files of a session in the order of their last touch, and by their number of touches. */
function baselines({ events }: PastSession): { recent: string[]; frequent: string[] } {
  const counts = new Map<string, number>();
  for (const event of events) {
    const input = event.kind === "call" ? event.input : null;
    const named: unknown =
      typeof input === "object" && input !== null ? Reflect.get(input, "file_path") : null;
    if (typeof named !== "string") continue;
    const file = named.replace(`${project}/`, "");
    const count = (counts.get(file) ?? 0) + 1;
    counts.delete(file);
    counts.set(file, count);
  }
  const recent = [...counts.keys()].toReversed();
  const frequent = recent.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  return { recent, frequent };
}

interface Hidden {
  /** The next session's files. */
  readonly next: ReadonlySet<string>;
  /** Files that can be known. */
  readonly known: ReadonlySet<string>;
  /** So many of the ranked files are looked at. */
  readonly count: number;
}

/** Share of the next session's files, of those that can be known, among the first ranked. */
function recall(ranked: readonly string[], { next, known, count }: Hidden): number | null {
  const wanted = [...next].filter((file) => known.has(file));
  if (wanted.length === 0) return null;
  const top = new Set(ranked.slice(0, count));
  return wanted.filter((file) => top.has(file)).length / Math.min(count, wanted.length);
}

interface Compared {
  readonly packet: number;
  readonly recent: number;
  readonly frequent: number;
}

/** @param count so many of the ranked files are looked at */
function compare(
  before: PastSession,
  next: ReadonlySet<string>,
  { files }: ResumePacket,
  count = first,
): Compared | null {
  const { recent, frequent } = baselines(before);
  const hidden = { next, known: new Set(recent), count };
  const [found, byTime, byCount] = [files.map(({ path }) => path), recent, frequent].map((ranked) =>
    recall(ranked, hidden),
  );
  const isKnown = typeof found === "number" && typeof byTime === "number" && typeof byCount === "number";
  return isKnown ? { packet: found, recent: byTime, frequent: byCount } : null;
}

/** A mean with its 95 % interval, by the normal distribution of means. */
function meanOf(all: readonly number[]): string {
  const mean = all.reduce((sum, each) => sum + each, 0) / all.length;
  const variance = all.reduce((sum, each) => sum + (each - mean) ** 2, 0) / Math.max(1, all.length - 1);
  const half = 1.96 * Math.sqrt(variance / all.length);
  const shown = (value: number) => (100 * value).toFixed(1).padStart(5);
  return `${shown(mean)} % [${shown(mean - half)}, ${shown(mean + half)}]`;
}

function printRecall(title: string, all: readonly Compared[], count = first): void {
  console.log(`\n${title}: recall of the next files in the first ${count}, ${all.length} sessions`);
  for (const name of ["packet", "recent", "frequent"] as const)
    console.log(`  ${name.padEnd(10)} ${meanOf(all.map((each) => each[name]))}`);
  for (const name of ["recent", "frequent"] as const)
    console.log(`  packet - ${name.padEnd(9)} ${meanOf(all.map((each) => each.packet - each[name]))}`);
}

const works = Array.from({ length: Number(values.sessions) }, (_, at) => workOf(Number(values.seed) + at));

if (values.tune) tune(works);
else {
  const packets = works.map((work) => packetOf(work.before));
  printRecall(
    "Made-up work",
    works.flatMap(({ before, next }, at) => {
      const packet = packets[at];
      return packet === undefined ? [] : (compare(before, next, packet) ?? []);
    }),
  );
  printRecall("Scripted recordings of golden tasks, second half hidden", recorded(), firstOfRecorded);
  printFixes(works, packets);
  printDeadEnds(works, packets);
  printTimes();
}

/** Tries other weights, on other seeds than the reported ones. */
function tune(all: readonly Work[]): void {
  for (const edit of [1, 2])
    for (const halfLife of [4, 7, 12])
      for (const near of [0, 0.1, 0.3, 1]) {
        const weighing = { ...usualWeighing, edit, halfLife, near };
        const found = all.flatMap(
          ({ before, next }) => compare(before, next, packetOf(before, weighing))?.packet ?? [],
        );
        console.log(JSON.stringify(weighing), meanOf(found));
      }
}

function recorded(): Compared[] {
  const turn = z.tuple([z.number()]).rest(z.unknown());
  const recording = z.object({
    sides: z.array(z.object({ runs: z.array(z.object({ turns: z.array(turn) })) })),
  });
  const calls = z.array(z.tuple([z.string(), z.string()]).rest(z.unknown()));
  return globSync("golden/recordings/*/*.json").flatMap((file) => {
    const { sides } = recording.parse(JSON.parse(readFileSync(file, "utf8")));
    return sides.flatMap(({ runs }) =>
      runs.flatMap(({ turns }) => {
        const before = new PastSession().prompt("A golden task.");
        const next = new Set<string>();
        const half = Math.ceil(turns.length / 2);
        for (const [at, each] of turns.entries())
          for (const [tool, subject] of calls.catch([]).parse(each.at(-1))) {
            if (at >= half && tool !== "Bash" && tool !== "Grep") next.add(subject);
            if (at >= half) continue;
            if (tool === "Read") before.readFile(subject);
            else if (tool === "Edit" || tool === "Write") before.edit(subject);
            else if (tool === "Bash") before.run(subject);
          }
        return compare(before, next, packetOf(before), firstOfRecorded) ?? [];
      }),
    );
  });
}

function printFixes(all: readonly Work[], packets: readonly ResumePacket[]): void {
  let [proposed, right, wanted] = [0, 0, 0];
  for (const [at, { errors }] of all.entries())
    for (const { text, fix } of errors) {
      const signature = failureIn(text, "npm test")?.signature;
      const known = packets[at]?.errors.find((cluster) => cluster.signature === signature)?.fix ?? null;
      if (fix !== null) wanted += 1;
      if (known === null) continue;
      proposed += 1;
      if (fix !== null && known.text.includes(fix)) right += 1;
    }
  console.log(`\nFixes of errors that come again (made-up work): ${proposed} proposed`);
  console.log(`  precision ${share(right, proposed)}, recall ${share(right, wanted)}`);
}

function printDeadEnds(all: readonly Work[], packets: readonly ResumePacket[]): void {
  let [named, right, wanted] = [0, 0, 0];
  for (const [at, { deadEnds }] of all.entries()) {
    const told = packets[at]?.deadEnds.filter(({ how }) => how === "failed") ?? [];
    named += told.length;
    right += told.filter(({ text }) => [...deadEnds].some((word) => text.includes(word))).length;
    wanted += deadEnds.size;
  }
  console.log(`Dead ends (made-up work): ${named} named`);
  console.log(`  precision ${share(right, named)}, recall ${share(right, wanted)}`);
}

function share(part: number, whole: number): string {
  return whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`;
}

function printTimes(): void {
  const long = new PastSession();
  for (let seed = 1; long.events.filter(({ kind }) => kind === "prompt").length < 2000; seed += 1)
    for (const event of workOf(seed).before.events) long.events.push(event);
  const story = new Story({ readLine, rootOf: () => project });
  const folding = performance.now();
  for (const event of long.events) story.add(event);
  const building = performance.now();
  const before = process.cpuUsage();
  const packet = story.packet({ sessionId: "s", agent: "claude-code", folder: project, commit: null });
  const { tokens, left } = renderPacket(packet);
  const { user, system } = process.cpuUsage(before);
  const end = performance.now();
  console.log(`\nA session of ${story.turns} prompts, ${long.events.length} events:`);
  console.log(
    `  folded once in ${(building - folding).toFixed(0)} ms, ${((1000 * (building - folding)) / long.events.length).toFixed(1)} µs an event`,
  );
  console.log(
    `  packet and its text in ${(end - building).toFixed(1)} ms, ${((user + system) / 1000).toFixed(1)} ms of processor time (goal: 50), ${tokens} tokens, ${left} lines left out`,
  );
}

import { createHash } from "node:crypto";
import { seededRandom } from "../../engine/support/seeded-random.ts";
import { calls, says, usageOf } from "../stand-in/reply.ts";
import type { SeenRequest } from "../stand-in/request.ts";
import { roleOf, sessionOf } from "../stand-in/role.ts";
import type { Script } from "../stand-in/stand-in.ts";
import { copyOf } from "./model.ts";

/** Rules, each with the share of a run's tokens that it truly saves. */
export const knownRules = [
  { text: "Name a test file after the file that it is about.", saves: 0 },
  { text: "Prefer an early return to a nested condition.", saves: 0 },
  { text: "End every file with one empty line.", saves: 0 },
  { text: "Spell out numbers below ten in comments.", saves: 0 },
  { text: "Read only the lines around a match.", saves: 0.05 },
  { text: "Do not list folders whose content you know.", saves: 0.1 },
  { text: "Search once with one pattern for all names you need.", saves: 0.2 },
  { text: "Read each file again after you have changed it.", saves: -0.1 },
] as const;

/** The tasks, with the processing tokens of a run without any rule: in the mean as many as purser expects of tasks it does not know. */
export const knownTasks = { one: 50_000, two: 70_000 };
const usual = 60_000;

/** Standard deviations of the logarithms of a run, and of the level that all runs of a round share. */
const [noise, drift] = [0.03, 0.05];

/** The inputs that decide a run's course. */
export interface KnownRun {
  readonly seed: number;
  /** From 1. */
  readonly round: number;
  /** Part of the name of its task. */
  readonly task: string;
  /** Everything that the model is sent before it begins, with the rules that stand there. */
  readonly context: string;
}

/** Returns a run's processing tokens: its task's, times what each of its rules leaves of them, times the luck of its round and its own. */
export function tokensOf({ seed, round, task, context }: KnownRun): number {
  const size = Object.entries(knownTasks).find(([name]) => task.endsWith(name))?.[1] ?? usual;
  const standing = rulesIn(context);
  const left = standing.reduce((product, { saves }) => product * (1 - saves), 1);
  const luck = drift * luckOf([seed, round]) + noise * luckOf([seed, round, size, ...standing.map(textOf)]);
  return Math.round(size * left * Math.exp(luck));
}

/** Returns the known rules that stand in a text. */
export function rulesIn(text: string): readonly (typeof knownRules)[number][] {
  return knownRules.filter((rule) => text.includes(rule.text));
}

function textOf({ text }: (typeof knownRules)[number]): string {
  return text;
}

/** A draw from the standard normal distribution: the same words give the same. */
function luckOf(words: readonly (string | number)[]): number {
  const hash = createHash("sha256").update(words.join("\n")).digest("hex");
  return seededRandom(parseInt(hash.slice(0, 12), 16)).normal();
}

/** What the stand-in's model got in its requests. */
export interface KnownModel {
  readonly script: Script;
  /** How often each run was made to its end, by round, task and rules. */
  readonly finished: ReadonlyMap<string, number>;
}

/**
 * Plays a model on the tasks: it writes the requested file, reports it, and uses the tokens of `tokensOf`.
 * @param round the current one, from 1
 */
export function knownModel({ seed, round }: { seed: number; round: () => number }): KnownModel {
  const begun = new Map<string, { readonly key: string; readonly tokens: number }>();
  const finished = new Map<string, number>();
  const script: Script = (request) => {
    if (roleOf(request) !== "main") return says('{"title": "A title"}', usageOf(1, 0, 0, 1));
    const run = begun.get(sessionOf(request));
    if (run !== undefined) {
      finished.set(run.key, (finished.get(run.key) ?? 0) + 1);
      return says("Done.", usageFor(run.tokens - half(run.tokens)));
    }
    const { task, context } = askedIn(request);
    const own = { seed, round: round(), task, context };
    const key = [own.round, task, ...rulesIn(context).map(textOf)].join("\n");
    const tokens = tokensOf(own);
    begun.set(sessionOf(request), { key, tokens });
    const file_path = `${copyOf(request)}/src/${task}.txt`;
    return calls("Write", { file_path, content: "done\n" }, usageFor(half(tokens)));
  };
  return { script, finished };
}

function askedIn({ systemText, firstText }: SeenRequest): Pick<KnownRun, "task" | "context"> {
  const task = /src\/(\w+)\.txt/u.exec(firstText)?.[1];
  if (task === undefined) throw new Error("the request names no task");
  return { task, context: `${systemText}\n${firstText}` };
}

function half(tokens: number): number {
  return Math.floor(tokens / 2);
}

/** @param tokens processing tokens */
function usageFor(tokens: number) {
  return usageOf(tokens - 50, 0, 900, 50);
}

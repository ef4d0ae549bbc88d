import { plainSentence } from "../../../../src/engine/base/language.ts";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { TestContext } from "node:test";
import { configurationHash, type Configuration } from "../../../../src/engine/bench/configuration.ts";
import type { SuitePaths } from "../../../../src/engine/bench/suite/folders.ts";
import { scratchFolder, suiteAt, writeFiles, writeSuite } from "../../bench/support/disk-suite.ts";

export const model = "claude-sonnet-5-5";
const agentFields = "name: backend\ndescription: Works on words\ntools: Read, Edit\nmemory: user";
export const agentText = `---\n${agentFields}\n---\n\nYou write words.\nYou read every file first.\n`;
export const variantText = `---\n${agentFields}\n---\n\nYou write words.\n`;

/** Each word with its task's file name; the third replaces the suite's own task. */
const words = new Map([
  ["one", "one"],
  ["two", "two"],
  ["three", "01-sum"],
]);

/** Replayed runs of one configuration: tokens per run, and the tasks it fails. */
interface Recorded {
  readonly when: Partial<Configuration> | null;
  readonly tokens: number;
  readonly fails?: readonly string[];
}

export interface CompareSetup {
  readonly suite: SuitePaths;
  /** Folders of the user's home, the workspace, and the working copies. */
  readonly home: string;
  readonly workspace: string;
  readonly scratch: string;
  benches(): Promise<string[]>;
}

/** A suite of three tasks, or those of the given words, with recordings and its own home. */
export async function makeCompareSetup(
  t: TestContext,
  recorded: readonly Recorded[] = [],
  of: readonly string[] = [...words.keys()],
): Promise<CompareSetup> {
  const wanted = [...words].filter(([word]) => of.includes(word));
  const tasks = wanted.map(([word, file]): [string, string] => [
    `tasks/backend/${file}.md`,
    `---\nid: backend-${word}\nagent: backend\ntitle: Write ${word}\nprompt: Write done into src/${word}.txt\ncheck: grep -q done src/${word}.txt\n---\n`,
  ]);
  const suite = await writeSuite(t, { "agents/backend.md": agentText, ...Object.fromEntries(tasks) });
  const { tasks: loaded } = await suiteAt(suite);
  const files = loaded.map((task): [string, string] => [
    `recordings/backend/${task.id}.json`,
    JSON.stringify({
      format: 1,
      agent: "backend",
      task: task.id,
      taskHash: task.hash,
      by: "script",
      model,
      outcomes: [[outcomeOf(task.id)], []],
      sides: recorded.map((each, index) => ({
        label: `side ${index}`,
        when: each.when === null ? {} : { configurationHash: hashOf(each.when) },
        runs: [0, 40, -30, 60, -50].map((more, run) => ({
          outcome: each.fails?.includes(task.id) === true ? 1 : 0,
          turns: [[10 * run, each.tokens + more, 100, 0, 0, 900, [["Read", "src/sum.mjs"]]]],
        })),
      })),
    }),
  ]);
  if (recorded.length > 0) await writeFiles(suite.folder, Object.fromEntries(files));
  const root = await scratchFolder(t);
  const [home, workspace, scratch] = ["home", "workspace", "scratch"].map((name) => path.join(root, name));
  if (home === undefined || workspace === undefined || scratch === undefined) throw new Error("no places");
  await writeFiles(root, { "home/.keep": "", "workspace/.git/HEAD": "", "scratch/.keep": "" });
  return { suite, home, workspace, scratch, benches: () => readdir(path.join(home, ".purser", "bench")) };
}

function outcomeOf(id: string) {
  return { path: `src/${id.slice("backend-".length)}.txt`, text: "done\n" };
}

function hashOf(changed: Partial<Configuration>): string {
  const base = {
    label: plainSentence(""),
    agent: "backend",
    model,
    effort: null,
    definition: null,
    memory: null,
    overlay: [],
    role: "active" as const,
  };
  return configurationHash({ ...base, ...changed });
}

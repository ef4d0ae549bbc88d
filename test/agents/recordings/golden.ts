/**
 * Makes the recordings of the built-in golden suite that are replayed where no agent is available: `npm run
 * generate -- golden-recordings`. They come from a script, not from a model, and are marked so: each task's
 * solution (occasionally a wrong one), with figures of realistic size, the same every time. Record a task
 * again whenever it changes.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { applyPatch } from "../../../src/engine/bench/execute/apply-patch.ts";
import { copyFixture } from "../../../src/engine/bench/fixture/copy.ts";
import type { FileChange } from "../../../src/engine/bench/state/stored-trajectory.ts";
import { loadSuite } from "../../../src/engine/bench/suite/load-suite.ts";
import { sourceSuite } from "../../../src/engine/bench/suite/folders.ts";
import { madeChanges } from "../../../src/engine/bench/execute/run-task.ts";
import { recordingsFolder } from "../../../src/engine/bench/drivers/make.ts";
import type { Recording } from "../../../src/engine/bench/state/recording.ts";
import { sha256Hex } from "../../../src/engine/base/hash.ts";
import { fixturesOf, type Fixture, type GoldenTask } from "../../../src/engine/bench/suite/suite.ts";
import { scriptedRule, scriptRun } from "./golden-script.ts";

const engine = fileURLToPath(new URL("../../../src/engine", import.meta.url));
const rounds = 8;
/** Share of the runs without the rule that fail; with it, half of that. */
const failing = 0.06;

const loaded = await loadSuite(sourceSuite(engine));
if (!loaded.ok) throw new Error(loaded.detail.text);
const suite = loaded.value;
const fixture = onlyFixture();
const sizes = await fixtureSizes(fixture);
const folder = recordingsFolder(suite);
for (const agent of suite.agents) await rm(path.join(folder, agent.name), { recursive: true, force: true });
let bytes = 0;
for (const task of suite.tasks) {
  const text = `${JSON.stringify(await recordingOf(task))}\n`;
  bytes += text.length;
  await mkdir(path.join(folder, task.agent), { recursive: true });
  await writeFile(path.join(folder, task.agent, `${task.id}.json`), text);
}
console.log(`${suite.tasks.length} recordings in ${folder}, ${Math.round(bytes / 1000)} KB`);

async function recordingOf(task: GoldenTask): Promise<Recording> {
  const [wrong] = task.wrongPaths;
  if (task.solutionPath === null || wrong === undefined) throw new Error(`${task.id} has no solution`);
  const outcomes = [await changesOf(task.solutionPath), await changesOf(wrong)];
  const sideOf = (label: string, when: Recording["sides"][number]["when"], hasRule: boolean) => ({
    label,
    when,
    runs: Array.from({ length: rounds }, (_, index) => {
      const round = index + 1;
      const outcome = fails(task, round, hasRule) ? 1 : 0;
      return scriptRun({ task: task.id, hasRule, round, outcome }, outcomes[outcome] ?? [], sizes);
    }),
  });
  return {
    format: 1,
    agent: task.agent,
    task: task.id,
    taskHash: task.hash,
    by: "script",
    model: "claude-sonnet-5-5",
    outcomes: outcomes.map((changes) => [...changes]),
    sides: [sideOf("plain", {}, false), sideOf("with a rule", { memoryHas: scriptedRule }, true)],
  };
}

function fails(task: GoldenTask, round: number, hasRule: boolean): boolean {
  const draw = Number.parseInt(sha256Hex(`${task.id}\n${round}\nfails`).slice(0, 8), 16) / 2 ** 32;
  return draw < (hasRule ? failing / 2 : failing);
}

/** The changes a patch makes to the fixture. */
async function changesOf(patchFile: string): Promise<FileChange[]> {
  const copy = path.join(await mkdtemp(path.join(tmpdir(), "purser-record-")), "copy");
  try {
    const copied = await copyFixture({ fixture, to: copy, modules: null });
    if (!copied.ok) throw new Error(copied.detail.text);
    const applied = await applyPatch(copy, await readFile(patchFile, "utf8"));
    if (!applied.ok) throw new Error(`${patchFile}: ${applied.detail.text}`);
    return await madeChanges(copy, fixture, []);
  } finally {
    await rm(path.dirname(copy), { recursive: true, force: true });
  }
}

/** Sizes of the files an agent reads: source, tests, migrations. */
async function fixtureSizes({ manifest, folder: from }: Fixture): Promise<Map<string, number>> {
  const wanted = [...manifest.keys()].filter((file) => /\.(?:tsx?|sql)$/u.test(file));
  const read = wanted.map(async (file): Promise<[string, number]> => {
    const text = await readFile(path.join(from, file), "utf8");
    return [file, text.length];
  });
  return new Map(await Promise.all(read));
}

function onlyFixture(): Fixture {
  const [only] = fixturesOf(suite);
  if (only === undefined) throw new Error("the suite has no fixture");
  return only;
}

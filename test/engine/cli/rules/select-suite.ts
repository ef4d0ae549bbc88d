import type { TestContext } from "node:test";
import type { SuitePaths } from "../../../../src/engine/bench/suite/folders.ts";
import {
  scratchFolder,
  suiteAt,
  sumPatch,
  taskText,
  writeFiles,
  writeSuiteIn,
} from "../../bench/support/disk-suite.ts";
import { noShell } from "../../support/fake-claude.ts";

export const saving = "Open only the files a task names and those they import.";
export const breaking = "Leave every file of the project as you found it.";

/** A suite of two tasks without packages, with recordings in which one rule saves and another breaks. */
export async function recordedSuite(t: TestContext): Promise<SuitePaths> {
  return await recordedSuiteIn(await scratchFolder(t));
}

/**
 * Writes that suite into a folder in the layout of purser's own.
 *
 * @param names the tasks; the first replaces the task of every test suite, which has a Node process as its
 * check
 */
export async function recordedSuiteIn(
  root: string,
  names: readonly string[] = ["01-sum", "two"],
): Promise<SuitePaths> {
  // Hundreds of runs use it: a shell command takes a tenth of a Node process's time.
  const check = noShell
    ? `node --input-type=module -e "import{sum}from'./src/sum.mjs';process.exit(sum(2,3)===5?0:1)"`
    : "grep -q 'one + other' src/sum.mjs";
  const paths = await writeSuiteIn(
    root,
    Object.fromEntries(
      names.map((name) => {
        const text = taskText(JSON.stringify(check), "solution: sum.patch\n");
        return [`tasks/backend/${name}.md`, text.replace("backend-01-sum", `backend-${name}`)];
      }),
    ),
  );
  await writeFiles(paths.folder, { "tasks/backend/sum.patch": sumPatch("one + other") });
  const suite = await suiteAt(paths);
  const done = [{ path: "src/sum.mjs", text: "export const sum = (one, other) => one + other;\n" }];
  for (const [index, task] of suite.tasks.entries()) {
    const runs = (factor: number, outcome: number) =>
      Array.from({ length: 8 }, (_, round) => ({
        outcome,
        turns: [
          [
            1200,
            Math.round((30_000 + 5000 * index) * factor * (1 + (((round * 5 + index * 3) % 7) - 3) / 60)),
            85,
            0,
            0,
            14_000,
            [["Read", "src/sum.mjs"]],
          ],
        ],
      }));
    const recording = {
      format: 1,
      agent: "backend",
      task: task.id,
      taskHash: task.hash,
      by: "script",
      model: "claude-sonnet-4-6",
      outcomes: [done, []],
      sides: [
        { label: "plain", when: {}, runs: runs(1, 0) },
        { label: "saves", when: { memoryHas: saving }, runs: runs(0.7, 0) },
        { label: "breaks", when: { memoryHas: breaking }, runs: runs(0.4, 1) },
      ],
    };
    await writeFiles(paths.folder, { [`recordings/backend/${task.id}.json`]: JSON.stringify(recording) });
  }
  return paths;
}

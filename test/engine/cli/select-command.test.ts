import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { rulesJson } from "../../../src/engine/cli/rules-schema.ts";
import { selectJson } from "../../../src/engine/cli/select-schema.ts";
import { readReceipt } from "../../../src/engine/verdict/receipt.ts";
import { suiteAt, sumPatch, taskText, writeFiles, writeSuite } from "../bench/disk-suite.ts";
import { served } from "../service/support/rules-service.ts";
import { Scratch } from "./support.ts";

const saving = "Open only the files a task names and those they import.";
const breaking = "Leave every file of the project as you found it.";

test("A rule goes all the way with recordings: approved, measured, let in; one that breaks a task is evicted", async (t) => {
  const { box } = await served(t);
  const suite = await recordedSuite(t);
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const host = {
    ...{ home: box.folder, now: () => Date.now(), version: () => "1.0.0", suite },
    env: { ...box.env, CLAUDE_CONFIG_DIR: scratch.root },
  };
  const purser = (...argv: string[]) => scratch.purser(argv, host);
  const added = async (text: string) => {
    const { stdout, stderr } = await purser("rules", "add", "backend", "--rule", text);
    const [id = ""] = /^r[0-9a-f]{10}/u.exec(stdout) ?? [];
    assert.notEqual(id, "", stderr);
    return id;
  };
  const good = await added(saving);
  const early = await purser("select", "backend", "--driver", "replay");
  assert.match(early.stderr, /no rule to measure/u, "nothing is measured that was not approved");
  const bad = await added(breaking);
  for (const id of [good, bad]) await purser("rules", "approve", id);

  const measured = await purser("select", "backend", "--driver", "replay", "--json");
  assert.equal(measured.code, 0, measured.stderr);
  const { end, receipts } = selectJson.parse(JSON.parse(measured.stdout));
  assert.equal(end.kind, "done");
  assert.deepEqual(
    receipts.map(({ subject, driver }) => [subject.id, driver]),
    [
      [good, "replay"],
      [bad, "replay"],
    ],
  );
  for (const receipt of receipts) assert.ok(readReceipt(JSON.stringify(receipt)).ok);
  const { rules } = rulesJson.parse(JSON.parse((await purser("rules", "list", "--json")).stdout));
  const statusOf = (id: string) => rules.find((rule) => rule.id === id)?.status;
  assert.equal(statusOf(good), "measured", measured.stderr);
  assert.equal(statusOf(bad), "evicted", measured.stderr);

  const memory = path.join(scratch.root, "agent-memory", "backend", "MEMORY.md");
  assert.equal(existsSync(memory), false, "what passed waits for the user");
  await purser("rules", "approve", good);
  assert.match(readFileSync(memory, "utf8"), /^<!-- purser v1 .*\n- Open only the files/u);
});

test("What is asked wrongly says what would be right", async (t) => {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  for (const [argv, words] of [
    [["select"], /an AGENT is needed/u],
    [["select", "nobody", "--driver", "replay"], /no tasks for "nobody"; it has for /u],
    [["select", "backend", "--budget", "much"], /--budget/u],
  ] as const) {
    const done = await scratch.purser(argv);
    assert.deepEqual([done.code, words.test(done.stderr)], [2, true], done.stderr);
  }
});

const names = ["two", "three"];

/** A suite of three tasks without packages, and recordings that take one rule to save and another to break. */
async function recordedSuite(t: test.TestContext) {
  const check = `node --input-type=module -e "import{sum}from'./src/sum.mjs';process.exit(sum(2,3)===5?0:1)"`;
  const places = await writeSuite(
    t,
    Object.fromEntries(
      names.map((name) => {
        const text = taskText(JSON.stringify(check), "solution: sum.patch\n");
        return [`tasks/backend/${name}.md`, text.replace("backend-01-sum", `backend-${name}`)];
      }),
    ),
  );
  await writeFiles(places.folder, { "tasks/backend/sum.patch": sumPatch("one + other") });
  const suite = await suiteAt(places);
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
      ...{
        format: 1,
        agent: "backend",
        task: task.id,
        taskHash: task.hash,
        by: "script",
        model: "claude-sonnet-4-6",
      },
      outcomes: [done, []],
      sides: [
        { label: "plain", when: {}, runs: runs(1, 0) },
        { label: "saves", when: { memoryHas: saving }, runs: runs(0.7, 0) },
        { label: "breaks", when: { memoryHas: breaking }, runs: runs(0.4, 1) },
      ],
    };
    await writeFiles(places.folder, { [`recordings/backend/${task.id}.json`]: JSON.stringify(recording) });
  }
  return places;
}

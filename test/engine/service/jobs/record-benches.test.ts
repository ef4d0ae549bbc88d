import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { fail, succeed, type Result } from "../../../../src/engine/base/result.ts";
import type { BenchRun } from "../../../../src/engine/bench/run-facts.ts";
import { ensureService } from "../../../../src/engine/service/ensure.ts";
import { recordBenches } from "../../../../src/engine/service/jobs/record-benches.ts";
import { makeRun } from "../../jobs/support/samples.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { ServiceSandbox } from "../support/box.ts";

const lines = (runs: readonly BenchRun[]) => runs.map((run) => `${JSON.stringify(run)}\n`).join("");

/** Writes what a bench leaves on the disk. */
function writeBench(folder: string, id: string, runs: readonly BenchRun[]): string {
  const place = path.join(folder, id);
  mkdirSync(place, { recursive: true });
  const request = {
    format: 1,
    id,
    hash: "h",
    configurations: [
      {
        label: "as it is",
        agent: "backend",
        model: "sonnet",
        effort: null,
        definition: null,
        memory: null,
        overlay: [],
      },
    ],
    tasks: [],
    runs: 1,
    driver: "replay",
    seed: 1,
    parallel: 1,
    tokenCap: null,
    shard: null,
    suite: { origin: "built-in", folder: "/suite", fixture: "fixture", installScripts: false },
    at: 1,
  };
  writeFileSync(path.join(place, "bench.json"), JSON.stringify(request));
  writeFileSync(path.join(place, "runs.ndjson"), lines(runs));
  return place;
}

test("Each bench's runs are recorded in the ledger once, and again when there are more", async (t) => {
  const folder = scratchFolder(t);
  const taken: string[] = [];
  const problems: string[] = [];
  const record = (answer: Result<unknown> = succeed(1)) =>
    recordBenches(folder, {
      append: (entries) => {
        if (answer.ok) taken.push(...entries.flatMap((each) => (each.kind === "run" ? [each.id] : [])));
        return Promise.resolve(answer);
      },
      onProblem: (problem) => void problems.push(problem),
    });
  await recordBenches(path.join(folder, "none"), {
    append: () => assert.fail(),
    onProblem: (problem) => assert.fail(problem),
  });
  const made = [1, 2, 3].map((round) => makeRun({ round }));
  const place = writeBench(folder, "b1", made.slice(0, 2));
  writeFileSync(path.join(folder, "jobs.json"), "{}");
  const damaged = writeBench(folder, "a0", []);
  appendFileSync(path.join(damaged, "runs.ndjson"), "{}\n");
  await record(fail("no_ledger", plainSentence("it is not open")));
  assert.deepEqual(taken, []);
  await record();
  assert.deepEqual(
    taken,
    made.slice(0, 2).map(({ id }) => `bench:${id}`),
  );
  await record();
  assert.equal(taken.length, 2, "nothing is appended twice");
  const runs = path.join(place, "runs.ndjson");
  appendFileSync(runs, lines(made.slice(2)));
  utimesSync(runs, 5, 5);
  await record();
  assert.deepEqual(new Set(taken), new Set(made.map(({ id }) => `bench:${id}`)));
  assert.match(problems.join("\n"), /a0.+runs\.ndjson.+\n?.*not in the ledger yet: it is not open/u);
});

test("A service records the runs that were made while none ran", async (t) => {
  const box = new ServiceSandbox(t, { PURSER_TEST_LEDGER: "1" });
  writeBench(
    box.home.benches,
    "b1",
    [1, 2].map((round) => makeRun({ round })),
  );
  const service = await ensureService(box.ports());
  assert.ok(service.ok);
  t.after(() => service.value.dispose());
  await waitUntil(async () => {
    const book = await service.value.ask("goldenBook", { asked: Date.now() });
    return book.ok && book.value.answer.runs.length === 2;
  });
});

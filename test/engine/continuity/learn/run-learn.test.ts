import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { scratchFolder } from "../../support/scratch.ts";
import { open } from "../../ledger/support/support.ts";
import { PastSession } from "../past-session.ts";
import { fileOf, killedAt, learnFrom, storeOf, tablesOf } from "./world.ts";

/** A session in which types fail, an install repairs them, and tests run as usual. */
function usualSession(number: number): PastSession {
  const session = new PastSession(`s${number}`, 1_800_000_000_000 + number * 3_600_000);
  session.prompt(`add the basket, part ${number}`);
  session.readFile("src/basket-total.ts");
  session.edit("src/basket-total.ts", [`a${number}`, `b${number}`]);
  session.edit("test/basket-total.test.ts", [`c${number}`, `d${number}`]);
  session.run("npx tsc --noEmit", "error TS2307: Cannot find module 'zod'.", true);
  session.run("npm install zod", "added 1 package");
  session.run("npx tsc --noEmit", "");
  session.run("npm test", "ok");
  session.prompt("and commit it");
  session.run("git push --force-now", "error: unknown option `force-now'", true);
  session.run("git push --force-now", "error: unknown option `force-now'", true);
  session.run('git commit -m "Add the basket"', "1 file changed");
  return session;
}

test("Turns abandoned by going back yield no lessons", async (t) => {
  const folder = scratchFolder(t);
  const learned = await Promise.all(
    [false, true].map(async (isLeft) => {
      const ledger = await open(t, `${folder}/${isLeft}`);
      const files = [1, 2, 3].map((n) => {
        const session = usualSession(n);
        if (isLeft) session.rewind(1).prompt("rather commit nothing");
        return fileOf(folder, session, { name: `${isLeft}${n}`, mtimeMs: n });
      });
      await learnFrom({ files, store: storeOf(ledger) });
      const { learned, deadEnds } = ledger.ask("learnedBook", null);
      return [learned.length, deadEnds.map(({ text }) => text)];
    }),
  );
  assert.deepEqual(learned, [
    [5 + 1, ["git push --force-now: error: unknown option `force-now'"]],
    [5, []],
  ]);
});

test("Lessons are drawn from what sessions share, each with its sessions and turns", async (t) => {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder);
  const files = [1, 2, 3].map((n) => fileOf(folder, usualSession(n), { name: `s${n}`, mtimeMs: n }));
  const done = await learnFrom({ files, store: storeOf(ledger) });
  assert.deepEqual(done, { ok: true, value: { files: 3, conclusions: 6 } });
  const { learned, deadEnds, workingSet } = ledger.ask("learnedBook", null);
  const texts = learned.map(({ task, text, sessions }) => `${task} ${sessions}: ${text}`).toSorted();
  assert.deepEqual(texts, [
    "ClusterErrors 3: git push fails: error: unknown option `force-now'",
    "ClusterErrors 3: tsc fails: error TS2307: Cannot find module 'zod'.",
    "LearnConventions 3: Files ending in .ts are named in kebab-case (6 of 6)",
    "LearnConventions 3: Tests are run with `npm test` (3 of 3)",
    "LearnConventions 3: Types are checked with `npx tsc --noEmit` (6 of 6)",
    "LearnRepairPatterns 3: “error TS2307: Cannot find module 'zod'.” (tsc) was gone after: npm install zod",
  ]);
  assert.deepEqual(
    deadEnds.map(({ text, how, times, sessions }) => ({ text, how, times, sessions })),
    [
      {
        text: "git push --force-now: error: unknown option `force-now'",
        how: "failed",
        times: 6,
        sessions: 3,
      },
    ],
  );
  assert.deepEqual(
    workingSet.map(({ path, edits, sessions }) => ({ path, edits, sessions })),
    [
      { path: "src/basket-total.ts", edits: 3, sessions: 3 },
      { path: "test/basket-total.test.ts", edits: 3, sessions: 3 },
    ],
  );
  const [repair] = learned.filter(({ task }) => task === "LearnRepairPatterns");
  assert.equal(
    repair?.evidence,
    '[{"session":"s3","turns":[1]},{"session":"s2","turns":[1]},{"session":"s1","turns":[1]}]',
  );
  assert.equal(repair.score, 60);
});

test("A run without anything new reads no file and appends nothing", async (t) => {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder);
  const files = [fileOf(folder, usualSession(1), { name: "a" })];
  await learnFrom({ files, store: storeOf(ledger) });
  const store = storeOf(ledger);
  const appended: unknown[] = [];
  const done = await learnFrom({
    files,
    store: {
      ask: (name, asked) => store.ask(name, asked),
      append: (all) => Promise.resolve(void appended.push(all)),
    },
  });
  assert.deepEqual(done, { ok: true, value: { files: 0, conclusions: 0 } });
  assert.deepEqual(appended, []);
});

test("Killed at any append, with any part durable, learning continues and ends in the same tables", async (t) => {
  const folder = scratchFolder(t);
  const files = [1, 2, 3].map((n) => fileOf(folder, usualSession(n), { name: `s${n}`, mtimeMs: n }));
  const whole = await open(t, scratchFolder(t));
  await learnFrom({ files, store: storeOf(whole) });
  const expected = tablesOf(whole);
  for (let append = 1; append <= 12; append += 1)
    for (const durable of [0, 1, 3]) {
      const ledger = await open(t, scratchFolder(t));
      const store = storeOf(ledger);
      const killed = learnFrom({ files, store: killedAt(store, append, durable) });
      const isKilled = await killed.then(
        () => false,
        () => true,
      );
      await learnFrom({ files, store });
      assert.equal(tablesOf(ledger), expected, `append ${append}, ${durable} durable, killed ${isKilled}`);
      await ledger.close();
    }
});

test("The same history gives the same tables, in any order, parts and tasks", async (t) => {
  const folder = scratchFolder(t);
  const files = [1, 2, 3, 4].map((n) => fileOf(folder, usualSession(n), { name: `s${n}`, mtimeMs: n }));
  const whole = await open(t, scratchFolder(t));
  await learnFrom({ files, store: storeOf(whole) });
  const expected = tablesOf(whole);
  const parts = fc.array(fc.subarray(files), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(parts, fc.boolean(), async (some, isEach) => {
      const ledger = await open(t, scratchFolder(t));
      const store = storeOf(ledger);
      for (const part of some) {
        if (isEach) await learnFrom({ files: part, store, only: "ClusterErrors" });
        else await learnFrom({ files: part, store });
      }
      await learnFrom({ files, store });
      assert.equal(tablesOf(ledger), expected);
      await ledger.close();
    }),
    { numRuns: 12 },
  );
});

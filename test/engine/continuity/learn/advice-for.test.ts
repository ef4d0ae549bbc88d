import assert from "node:assert/strict";
import test from "node:test";
import { knownHere, matchPrompt } from "../../../../src/engine/continuity/learn/advice-for.ts";
import { open } from "../../ledger/support/support.ts";
import { fileOf, learnFrom, storeOf } from "./world.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { PastSession, project } from "../past-session.ts";

function failing(number: number): PastSession {
  return new PastSession(`f${number}`, 1_800_000_000_000 + number * 3_600_000)
    .prompt("make it work")
    .run("npx tsc --noEmit", "src/a.ts(12,3): error TS2307: Cannot find module 'zod'.", true)
    .run("npm install zod")
    .run("npx tsc --noEmit", "")
    .run("make deploy-all", "Error: no host 10.0.0.7", true)
    .run("make deploy-all", "Error: no host 10.0.0.9", true);
}

function quoting(error: string, number: number): PastSession {
  return new PastSession(`q${number}`, 1_800_000_000_000 + number * 3_600_000)
    .prompt("make it work")
    .run("npm test", error, true)
    .run("npm install zod")
    .run("npm test", "");
}

/** An error as a tool prints it, ways in which people quote it, and another error. */
const quotations: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  [
    "Error: Cannot find module 'zod'",
    [
      "Error: Cannot find module 'zod'",
      "Error: Cannot find module 'zod'.",
      "`Error: Cannot find module 'zod'`",
      "\"Cannot find module 'zod'\"",
      "Why do I get “Cannot find module ‘zod’” here?",
      "Cannot find module `zod`!",
      "\u001b[31mError: Cannot find module 'zod'\u001b[39m",
      "[31mError: Cannot find module 'zod'[39m",
      "> Error: Cannot find module 'zod'",
      "12:04:11 Uncaught Error: Cannot find module 'zod'",
      "The build says: Cannot find module 'zod', please mend it",
      "「Cannot find module 'zod'」と出ます",
      "Fehler: Cannot find module »zod«",
      "Error: Cannot find module 'zod'\r\nRequire stack:",
      "1. Error: Cannot find module 'zod' (see the log)",
    ],
    [
      "Cannot find module 'zod/v4'",
      "Cannot find module 'react'",
      "Cannot find module",
      "zod",
      "find module zod",
    ],
  ],
  [
    "/home/ann/shop/src/cart.ts:12:3: error: expected ';' after total",
    [
      "src/cart.ts:40:9: error: expected ';' after total",
      "./src/cart.ts:40:9: error: expected ';' after total.",
      "C:\\shop\\src\\cart.ts:1:1: error: expected ';' after total",
      "expected ';' after total",
      "error: expected ';' after total",
    ],
    ["expected ';' after totals", "expected ',' after total"],
  ],
  [
    "エラー: 在庫が不足しています。",
    ["在庫が不足しています", "「在庫が不足しています。」と出る", "エラー: 在庫が不足しています"],
    ["在庫が多い", "エラー"],
  ],
  [
    "KeyError: 'total'",
    [
      "KeyError: 'total'",
      "Why `KeyError: 'total'`?",
      'I get KeyError: "total" when I run it',
      "pytest says: KeyError: 'total'",
      "「KeyError: 'total'」が出ます",
      "(KeyError: 'total')",
    ],
    ["KeyError: 'totals'", "KeyError", "the key 'total' is an error", "MyKeyError: 'total'"],
  ],
  ["sh: 1: pnpm: not found", ["sh: 1: pnpm: not found", "sh: 3: pnpm: not found."], ["not found", "pnpm"]],
];

test("An error is recognized whatever marks, quotes, colours and places surround it", async (t) => {
  for (const [at, [error, same, others]] of quotations.entries()) {
    const folder = scratchFolder(t);
    const ledger = await open(t, folder);
    const files = [1, 2].map((n) => fileOf(folder, quoting(error, n), { name: `q${at}${n}`, mtimeMs: n }));
    await learnFrom({ files, store: storeOf(ledger) });
    const known = knownHere(ledger.ask("learnedBook", project));
    const textFor = (prompt: string) => matchPrompt(prompt, known)?.finding.text ?? "";
    for (const prompt of same) assert.match(textFor(prompt), /after: npm install zod/u, prompt);
    for (const prompt of others) assert.equal(textFor(prompt), "", prompt);
  }
});

test("A prompt gets the repair of a quoted error, or the dead end it names, and nothing else", async (t) => {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder);
  const files = [1, 2].map((n) => fileOf(folder, failing(n), { name: `f${n}`, mtimeMs: n }));
  await learnFrom({ files, store: storeOf(ledger) });
  const known = () => knownHere(ledger.ask("learnedBook", project));
  const textFor = (prompt: string) => matchPrompt(prompt, known())?.finding.text ?? null;
  assert.equal(
    textFor("Please mend this:\n> src/a.ts(40,9): error TS2307: Cannot find module 'zod'.\nThanks"),
    "an error like this one was gone in 2 earlier sessions of this project after: npm install zod (from its record: check that it fits)",
  );
  assert.equal(
    textFor("now run make deploy-all."),
    "earlier sessions of this project tried this 4 times and it led nowhere: make deploy-all: Error: no host 10.0.0.9 (from their record: check whether it still holds)",
  );
  for (const prompt of [
    "Add a page",
    "error TS2307: Cannot find module 'react'.",
    "run make deploy-all-tests",
    "see make deploy-all.md",
    "remake deploy-all",
    "",
    "<command-name>make deploy-all</command-name>",
  ])
    assert.equal(textFor(prompt), null, prompt);
  const [repair] = ledger
    .ask("learnedBook", null)
    .learned.filter(({ task }) => task === "LearnRepairPatterns");
  assert.ok(repair !== undefined);
  const store = storeOf(ledger);
  const quoted = "src/a.ts(40,9): error TS2307: Cannot find module 'zod'.";
  await store.append([{ kind: "learned-mark", id: repair.id, state: "edited", text: "run npm ci", at: 1 }]);
  assert.match(textFor(quoted) ?? "", /after: run npm ci/u);
  await store.append([{ kind: "learned-mark", id: repair.id, state: "forgotten", at: 2 }]);
  assert.equal(textFor(quoted), null);
  assert.equal(matchPrompt("run make deploy-all", knownHere(ledger.ask("learnedBook", "/other"))), null);
});

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

/**
 * The most files that one ledger question may touch from its table to a panel: its answer function, its row in the table, the shape of
 * its answer, its row in the list of client requests, the panel's host, and the host's message to the page. Any further file only
 * forwards it.
 */
const maxFiles = 6;

/** Matches one question of the Ledger panel, and the function behind it. */
const named = /\bsessionPage(?:Of)?\b/u;

test(`one question of a panel to the ledger is named in ${maxFiles} source files`, () => {
  const files = globSync("src/**/*.ts").filter((file) => named.test(readFileSync(file, "utf8")));
  assert.ok(
    files.some((file) => file.endsWith("questions.ts")),
    "the question is not asked any more: take another",
  );
  assert.ok(
    files.some((file) => file.includes("webview")),
    "no panel asks the question any more: take another",
  );
  assert.ok(files.length <= maxFiles, `${files.length} files name it:\n${files.join("\n")}`);
});

import type { Sentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import test from "node:test";
import fc from "fast-check";
import { mayBeHard } from "../../../src/engine/settings/may-be-hard.ts";
import { SettingsStore } from "../../../src/engine/settings/settings-store.ts";
import { defaults } from "../../../src/engine/settings/shape.ts";
import { purserPaths } from "../../../src/engine/base/disk/home.ts";
import { scratchFolder } from "../support/scratch.ts";

const noProblem = (problem: Sentence) => assert.equal(problem.text, "");

test("Budgets may be hard if either file has it or is unreadable, but not by default", (t) => {
  const home = purserPaths({ env: {}, home: scratchFolder(t) });
  mkdirSync(home.folder);
  assert.notEqual(defaults.budgets, "hard");
  assert.equal(mayBeHard(home), false);
  for (const file of [home.settings, home.windowSettings]) {
    for (const [content, expected] of [
      ['{ "budgets": "hard" }', true],
      ['{ "budgets": "\\u0068ard" }', true],
      ['{ "budgets": "warn", "path": "C:\\\\home" }', false],
      ["", false],
      [" ".repeat(5 * 1024 * 1024), true],
    ] as const) {
      writeFileSync(file, content);
      assert.equal(mayBeHard(home), expected, content.slice(0, 40));
    }
    rmSync(file);
    symlinkSync(file, file);
    assert.equal(mayBeHard(home), true, "a link to itself");
    rmSync(file);
    mkdirSync(file);
    assert.equal(mayBeHard(home), true, "a folder");
    rmSync(file, { recursive: true });
  }
});

test("It never denies what the service would do, however the file is written", (t) => {
  const home = purserPaths({ env: {}, home: scratchFolder(t) });
  mkdirSync(home.folder);
  const letter = fc.constantFrom("plain", "escaped");
  const written = fc.tuple(letter, letter, letter, letter).map((forms) =>
    Array.from("hard")
      .map((each, index) =>
        forms[index] === "plain" ? each : `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
      )
      .join(""),
  );
  const around = fc.constantFrom("", "\uFEFF", "// a note\n", "/* warn */");
  fc.assert(
    fc.property(written, around, (word, before) => {
      writeFileSync(home.settings, `${before}{"budgets": "${word}",}`);
      const clock = { now: () => 0 };
      const store = new SettingsStore({ home, platform: "linux", clock, onProblem: noProblem });
      assert.equal(store.now().budgets, "hard");
      assert.equal(mayBeHard(home), true);
    }),
  );
});

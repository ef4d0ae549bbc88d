import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { asksForCorrection } from "../../../../src/engine/rules/trial/corrections.ts";

const corrections = [
  "No, the other file.",
  "no. only the tests",
  "No",
  "Nope, undo it",
  "nooo!",
  "no that breaks the build",
  "No, don't touch the lock file",
  "hmm, no, the second one",
  "Actually, no.",
  "Wait, no: keep the header",
  "wrong",
  "Wrong file.",
  "That's wrong, it must be 42",
  "that is still wrong",
  "You're wrong about the port",
  "That's not what I asked for",
  "That’s not right.",
  "this is not working",
  "This isn't what the ticket says",
  "not what I meant",
  "Not like that.",
  "undo",
  "Undo that.",
  "please undo your change",
  "revert this",
  "Revert everything you did",
  "ok, put it back",
  "I said one file",
  "as I said: no new packages",
  "I told you to keep it",
  "I asked for a list",
  "I didn't ask for a refactoring",
  "You forgot the test",
  "you broke the login",
  "you should not have deleted it",
  "still broken",
  "It still fails with the same message",
  "that's still not it",
  "It doesn't work",
  "didn't help",
  "Again: no new packages",
  "Stop.",
  "stop doing that",
  "don't do that",
  "  \n No, not there",
];

const others = [
  "",
  "Add a test for the parser",
  "No thanks",
  "No, thank you",
  "no problem, go on",
  "No need to run the suite",
  "No tests are run on Windows, please mend the workflow",
  "Node 24 is required: raise the engine",
  "Notes of the meeting are in notes.md; sum them up",
  "Now commit it",
  "Nothing is logged when the server starts",
  "Wrong imports in src/a.ts break the build",
  "Undo support is missing in the editor: build it",
  "Revert commit 1f2e3d4, production is down",
  "Revert the migration of March",
  "Undo stack overflows after 100 steps",
  "Write a function that is not recursive",
  "I want a button that says Stop",
  "I think it works",
  "You can start with the parser",
  "You are a reviewer. Read the diff.",
  "Still to do: the docs",
  "The login still fails on Safari",
  "The button doesn't work on phones",
  "Does it work?",
  "Run the tests again",
  "Again run the tests",
  "Try again",
  "Stop the server after the tests",
  "Stopwatch component: add a lap button",
  "Don't forget the changelog when you add the flag",
  "It is time to release",
  "This is the stack trace: no, wrong, undo",
  "Well done",
  "ok",
  "yes",
];

test("Prompts that correct the agent are recognized by their start", () => {
  for (const prompt of corrections) assert.equal(asksForCorrection(prompt), true, prompt);
});

test("New tasks, answers and questions are not corrections, whatever words they contain", () => {
  for (const prompt of others) assert.equal(asksForCorrection(prompt), false, prompt);
});

test("Case, apostrophes, surrounding space and later lines change nothing", () => {
  const some = fc.constantFrom(...corrections, ...others).filter((prompt) => prompt !== "");
  fc.assert(
    fc.property(some, fc.constantFrom("", " ", "\n\t"), (prompt, space) => {
      const isCorrection = asksForCorrection(prompt);
      assert.equal(asksForCorrection(`${space}${prompt.toUpperCase()}${space}`), isCorrection);
      assert.equal(asksForCorrection(prompt.replaceAll("'", "’")), isCorrection);
    }),
  );
  fc.assert(
    fc.property(some, fc.string(), (prompt, rest) => {
      assert.equal(asksForCorrection(`${prompt}\n${rest}`), asksForCorrection(prompt));
    }),
  );
});

test("Only the start of a long prompt is read", () => {
  fc.assert(
    fc.property(fc.nat({ max: 300 }), fc.string(), (length, rest) => {
      const prompt = `Moor the ship${".".repeat(200 + length)}`;
      assert.equal(asksForCorrection(`${prompt}${rest}`), false);
    }),
  );
  assert.equal(asksForCorrection(`${"ok ".repeat(100_000)}no`), false);
});

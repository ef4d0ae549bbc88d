import assert from "node:assert/strict";
import path from "node:path";
import test, { type TestContext } from "node:test";
import fc from "fast-check";
import { plainSentence } from "../../../../src/engine/base/language.ts";
import { readdirSync, readFileSync } from "node:fs";
import { fail, succeed } from "../../../../src/engine/base/result.ts";
import { trialNotesHandler } from "../../../../src/engine/rules/trial/trial-handler.ts";
import { hookEvent } from "../../../../src/engine/hooks/event/event.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type { QuestionName, QuestionParams } from "../../../../src/engine/ledger/questions/questions.ts";
import type { RulesLedger } from "../../../../src/engine/rules/book/rules-book-rows.ts";
import {
  TrialPrompts,
  type ReportedPrompt,
  asksForCorrection,
} from "../../../../src/engine/rules/trial/heard-prompts.ts";
import { appendEntries, open } from "../../ledger/support/support.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { timelessPipeline } from "../../hooks/support/timeless-pipeline.ts";

const draw = { kind: "draw", trialId: "t1", at: 1, given: "[]", withheld: '["r1"]' } as const;
const trial = { kind: "trial", id: "t1", agent: "main", ruleIds: '["r1"]', planned: 200 } as const;

/** Prompts of sessions, of which s1 and s2 have drawn. */
async function makePrompts(t: TestContext, over: Partial<RulesLedger> = {}) {
  const folder = scratchFolder(t);
  const ledger = await open(t, folder);
  await appendEntries(
    ledger,
    { ...trial, startedAt: 1, approvedBy: "user" },
    { ...draw, sessionId: "s1" },
    { ...draw, sessionId: "s2" },
  );
  const work: Promise<unknown>[] = [];
  const asked: unknown[] = [];
  const problems: string[] = [];
  const make = () =>
    new TrialPrompts({
      ledger: {
        ask: <Name extends QuestionName>(name: Name, params: QuestionParams<Name>) => {
          asked.push(params);
          return Promise.resolve(succeed(ledger.ask(name, params)));
        },
        append: (entries: readonly LedgerEntry[]) => {
          const done = ledger.append(entries);
          work.push(done);
          return done;
        },
        ...over,
      },
      now: () => 100,
      onProblem: (message) => problems.push(message),
    });
  const prompts = make();
  prompts.set(true);
  const say = (sessionId: string, more: Partial<ReportedPrompt> = {}, to = prompts) =>
    to.heard({ sessionId, id: null, chars: 5, corrects: false, ...more });
  const counts = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(work);
    const drawn = ledger.ask("trialSessions", { id: "t1", mostUndrawn: 1000 })?.drawn ?? [];
    return drawn.map(({ sessionId, prompts: { heard: all, corrections } }) => [sessionId, all, corrections]);
  };
  return { ledger, folder, prompts, make, say, counts, asked, problems };
}

test("Prompts of sessions that have drawn are counted, and those that correct; the first corrects nothing", async (t) => {
  const { prompts, say, counts, ledger } = await makePrompts(t);
  prompts.begun("s1", "t1");
  say("s1", { corrects: true, chars: 42 });
  say("s1", { corrects: true });
  say("s1");
  say("s2", { corrects: true });
  say("other", { corrects: true });
  assert.deepEqual(await counts(), [
    ["s1", 3, 1],
    ["s2", 1, 1],
  ]);
  assert.equal(ledger.ask("drawsOf", "s1")[0]?.promptChars, 42);
});

test("A prompt with a repeated hook counts once, and a session's draw is looked up once", async (t) => {
  const { say, counts, asked } = await makePrompts(t);
  say("s1", { id: "p1", corrects: true });
  say("s1", { id: "p1", corrects: true });
  await counts();
  say("s1", { id: "p2" });
  say("other");
  await counts();
  say("other");
  assert.deepEqual(await counts(), [
    ["s1", 2, 1],
    ["s2", 0, 0],
  ]);
  assert.deepEqual(
    asked.filter((each) => each === "other"),
    ["other"],
  );
});

test("A session that continues after its trial's stop, or under another service, is still counted", async (t) => {
  const { make, say, counts } = await makePrompts(t);
  const next = make();
  say("s2", { corrects: true }, next);
  assert.deepEqual((await counts())[1], ["s2", 0, 0], "no trial is known yet");
  next.set(true);
  say("s2", { corrects: true }, next);
  assert.deepEqual((await counts())[1], ["s2", 1, 1]);
});

test("A failing ledger is a reported problem; one that does not answer costs only the count", async (t) => {
  const refusing = { append: () => Promise.resolve(fail("read_only", plainSentence("the disk is full"))) };
  const { prompts, say, counts, problems } = await makePrompts(t, refusing);
  prompts.begun("s1", null);
  say("s1");
  assert.deepEqual((await counts())[0], ["s1", 0, 0]);
  assert.deepEqual(problems, ["A trial's session is not recorded: the disk is full"]);
  const silent = await makePrompts(t, {
    ask: () => Promise.resolve(fail("offline", plainSentence("it is being opened"))),
  });
  silent.say("s1");
  assert.deepEqual((await silent.counts())[0], ["s1", 0, 0]);
});

test("The ledger never contains a prompt's text, only its length and whether it corrects", async (t) => {
  const { ledger, folder, prompts, counts } = await makePrompts(t);
  const hooks = timelessPipeline((_, message) => assert.fail(message));
  hooks.register(trialNotesHandler({ prompts, cleared: () => undefined }));
  const beginnings = fc.constantFrom("No, ", "Wrong. ", "Undo that: ", "Add a test for ", "I said ", "");
  const secret = fc.stringMatching(/^[a-z]{12,40}$/u);
  const said: string[] = [];
  await fc.assert(
    fc.asyncProperty(beginnings, secret, fc.boolean(), async (beginning, word, isFirst) => {
      if (isFirst) prompts.begun("s1", "t1");
      const event = hookEvent.parse({
        hook_event_name: "UserPromptSubmit",
        session_id: "s1",
        prompt: `${beginning}${word}`,
      });
      said.push(word);
      assert.equal((await hooks.answer(event, "claude-code")).text, "");
    }),
  );
  const [[, all = 0, corrections = 0] = []] = await counts();
  assert.ok(Number(all) > 50 && Number(corrections) > 10, "they were counted");
  await ledger.snapshot();
  const written = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => readFileSync(path.join(each.parentPath, each.name), "latin1"))
    .join("\n");
  assert.ok(written.includes("trial-prompt"), "the journal is among them");
  for (const word of said) assert.ok(!written.includes(word), word);
});

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

import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import test, { type TestContext } from "node:test";
import fc from "fast-check";
import { fail, succeed } from "../../../../src/engine/base/result.ts";
import { trialNotesHandler } from "../../../../src/engine/rules/trial/hook/trial-handler.ts";
import { hookEvent } from "../../../../src/engine/hooks/event/event.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type { QuestionName, QuestionParams } from "../../../../src/engine/ledger/questions/questions.ts";
import type { RulesLedger } from "../../../../src/engine/rules/book/rules-book-rows.ts";
import { TrialPrompts, type ReportedPrompt } from "../../../../src/engine/rules/trial/heard-prompts.ts";
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

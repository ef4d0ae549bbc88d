import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import * as z from "zod/mini";
import { succeed, fail } from "../../../../src/engine/base/result.ts";
import { plainSentence } from "../../../../src/engine/base/language.ts";
import { GuardArms } from "../../../../src/engine/hooks/guard-arms.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries.ts";
import type { QuestionName, QuestionParams } from "../../../../src/engine/ledger/questions/questions.ts";
import { TrialHost } from "../../../../src/engine/rules/host/trial-host.ts";
import { ruleIdsIn } from "../../../../src/engine/rules/trial/trial-rows.ts";
import { isGiven } from "../../../../src/engine/rules/trial/assign.ts";
import { defaults } from "../../../../src/engine/settings/shape.ts";
import { appendEntries, open } from "../../ledger/support/support.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { waitUntil } from "../../support/wait-until.ts";

const shares = z.record(z.string(), z.number());
const hour = 60 * 60_000;
const start = 1000 * hour;

/** A ledger with an adaptive trial of a rule that saves half and one that costs half, after some sessions. */
async function placeFor(t: TestContext, { sessions = 60, switchesOff = false } = {}) {
  const ledger = await open(t, scratchFolder(t));
  const rule = (id: string, decidedAt = start): LedgerEntry => ({
    kind: "rule",
    id,
    agent: "main",
    body: `Rule ${id}.`,
    status: "approved",
    decidedAt,
  });
  await appendEntries(ledger, rule("saver", start - 1), rule("spender", start - 1));
  await appendEntries(ledger, {
    kind: "trial",
    id: "t1",
    agent: "main",
    ruleIds: '["saver","spender"]',
    planned: 200,
    startedAt: start,
    approvedBy: "user",
    holdOut: 0.05,
    switchesOff,
  });
  const random = seededRandom(7);
  for (let number = 0; number < sessions; number += 1) {
    const sessionId = `s-${number}`;
    const at = start + number * hour;
    const given = ["saver", "spender"].filter((id) => isGiven("t1", sessionId, id));
    const withheld = ["saver", "spender"].filter((id) => !given.includes(id));
    const factor = (given.includes("saver") ? 0.5 : 1) * (given.includes("spender") ? 1.6 : 1);
    await appendEntries(
      ledger,
      {
        kind: "draw",
        trialId: "t1",
        sessionId,
        at,
        given: JSON.stringify(given),
        withheld: JSON.stringify(withheld),
        chances: '{"saver":0.5,"spender":0.5}',
        deliveredAt: at,
      },
      ...[1, 2, 3, 4, 5].map((part): LedgerEntry => ({
        kind: "run",
        id: `${sessionId}:${part}`,
        sessionId,
        agent: "main",
        input: Math.round(9000 * factor * Math.exp(0.3 * random.normal())),
        output: 0,
        cacheCreation: 0,
        cacheRead: 0,
        startedAt: at + part,
        endedAt: at + part + 1,
        completed: true,
      })),
    );
  }
  const off: string[] = [];
  const make = () =>
    new TrialHost({
      ledger: {
        ask: <Name extends QuestionName>(name: Name, params: QuestionParams<Name>) =>
          Promise.resolve(succeed(ledger.ask(name, params))),
        append: (entries) => ledger.append(entries),
      },
      clock: { now: () => start + 10_000 * hour },
      unique: () => "unique",
      programsIn: () => ["claude-code"],
      arms: new GuardArms(),
      settingsOf: () => defaults,
      onProblem: (message) => assert.match(message, /only noted/u),
      letIn: () => Promise.resolve(fail("failed", plainSentence("not asked"))),
      switchOff: (id, why) => {
        off.push(`${id} ${why.text}`);
        return Promise.resolve(fail("failed", plainSentence("only noted")));
      },
    });
  const begin = async (host: TrialHost, id: string) => {
    const session = { id, program: "claude-code", agent: "main", cwd: "/work", source: "startup" } as const;
    const given = await host.assignment.begin(session);
    given?.delivered();
    await waitUntil(() => ledger.ask("drawsOf", id)[0]?.deliveredAt !== null);
    const [draw] = ledger.ask("drawsOf", id);
    return { text: given?.text ?? null, draw };
  };
  const load = async () => {
    const host = make();
    host.load();
    await waitUntil(() => host.assignment.concerns({ agent: "main", cwd: "/work", source: "startup" }));
    await host.adaptChances();
    return host;
  };
  return { ledger, load, begin, off, rule };
}

test("Later sessions draw by the chance that a rule saves, which the ledger has before the answer", async (t) => {
  const { load, begin, ledger } = await placeFor(t);
  const host = await load();
  const { draw } = await begin(host, "new");
  const chances = shares.parse(JSON.parse(draw?.chances ?? "{}"));
  assert.deepEqual([chances["saver"], chances["spender"]], [0.95, 0.05]);
  const given = ruleIdsIn(draw?.given ?? "[]");
  for (const [id, chance] of Object.entries(chances))
    assert.equal(isGiven("t1", "new", id, chance), given.includes(id));
  // Another process knows the same after a restart, and a resumed session keeps its draw.
  const again = await load();
  const resumed = await again.assignment.begin({
    id: "new",
    program: "claude-code",
    agent: "main",
    cwd: "/work",
    source: "resume",
  });
  assert.equal(resumed?.text?.includes("Rule saver.") ?? false, given.includes("saver"));
  assert.equal(ledger.ask("drawsOf", "new").length, 1);
  const { draw: other } = await begin(again, "other");
  assert.equal(other?.chances, draw?.chances);
});

test("A state names chances and expectations, and the owner is asked about a harmful rule", async (t) => {
  const { load, off } = await placeFor(t);
  const host = await load();
  const status = await host.status(null, true);
  assert.ok(status.ok);
  const [saver, spender] = status.value.trial.rules;
  assert.deepEqual([saver?.chance, saver?.isHarmful, saver?.verdict], [0.95, false, "saves"]);
  assert.deepEqual([spender?.chance, spender?.isHarmful, spender?.verdict], [0.05, true, "costs"]);
  assert.ok((saver?.expected ?? 0) > 0.2 && (saver?.expected ?? 1) < 0.5, "shrunk towards 0");
  assert.deepEqual(off, []);
});

test("A harmful rule is switched off where its owner agreed", async (t) => {
  const { load, off } = await placeFor(t, { switchesOff: true });
  await load();
  assert.match(off[0] ?? "", /^spender switched off by trial t1: it probably costs tokens/u);
  assert.ok(off.every((line) => line.startsWith("spender ")));
});

test("A rule that is approved later joins, and one that is approved again starts anew", async (t) => {
  const { load, begin, ledger, rule } = await placeFor(t, { switchesOff: true });
  await appendEntries(ledger, rule("joined", start + 5), rule("spender", start + 5000 * hour));
  const host = await load();
  const { draw } = await begin(host, "new");
  const chances = shares.parse(JSON.parse(draw?.chances ?? "{}"));
  assert.deepEqual([chances["saver"], chances["spender"], chances["joined"]], [0.95, 0.5, 0.5]);
});

test("Too few sessions change no chance", async (t) => {
  const { load, begin } = await placeFor(t, { sessions: 9 });
  const { draw } = await begin(await load(), "new");
  assert.equal(draw?.chances, '{"saver":0.5,"spender":0.5}');
});

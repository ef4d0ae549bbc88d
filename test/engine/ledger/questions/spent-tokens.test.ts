import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { localDays } from "../../../../src/engine/usage/local-day.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue.ts";
import {
  priceUsage,
  standardTerms,
  textOfTerms,
  type PricedUsage,
} from "../../../../src/engine/usage/price.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { open, response, appendEntries } from "../support/support.ts";

const noon = new Date(2026, 10, 18, 12).getTime();
const dayOf = localDays();
const minute = 60_000;

async function scene(t: TestContext) {
  const ledger = await open(t, scratchFolder(t));
  let count = 0;
  const use = (at: number, input: number, over: Parameters<typeof response>[1] = {}) => {
    const usage = { input, output: 0, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 7 };
    return response((count += 1), { at, usage, branch: "main", ...over });
  };
  const run = (id: string, startedAt: number, endedAt: number) =>
    ({
      ...({
        kind: "run",
        id,
        sessionId: "session-1",
        agent: "main",
        startedAt,
        endedAt,
        completed: true,
      } as const),
      input: 1,
      output: 1,
      cacheCreation: 0,
      cacheRead: 0,
    }) as const;
  const session = {
    kind: "session",
    id: "session-1",
    program: "codex",
    cwd: "/p",
    branch: "oars",
    lastAt: noon,
  } as const;
  await appendEntries(ledger, session);
  const spent = () =>
    ledger.ask("spentIn", { folders: ["/p"], activeSince: 0, since: noon - 12 * 60 * minute }, { dayOf });
  const ofRun = () => spent()[0]?.spent.map(({ agentId, ofRun: tokens }) => `${agentId} ${tokens}`);
  return { ledger, use, run, spent, ofRun };
}

describe("a session's usage", () => {
  it("is listed by agent, branch and day, with one sum for earlier days, and the agent's type", async (t) => {
    const { ledger, use, spent } = await scene(t);
    await appendEntries(ledger, { kind: "subagent", sessionId: "session-1", agentId: "a1", type: "Explore" });
    await appendEntries(ledger, use(noon, 10), use(noon + minute, 5), use(noon, 7, { branch: "fleet" }));
    await appendEntries(
      ledger,
      use(noon, 20, { agentId: "a1", isSidechain: true }),
      use(noon, 3, { agentId: "a2" }),
    );
    await appendEntries(ledger, use(noon - 30 * 60 * minute, 100), use(noon - 900 * 60 * minute, 1000));
    const [reported, ...others] = spent();
    assert.deepEqual(others, []);
    const { sessionId, program, cwd, branch, model, mainAt } = reported ?? {};
    assert.deepEqual(
      { sessionId, program, cwd, branch, model, mainAt },
      {
        sessionId: "session-1",
        program: "codex",
        cwd: "/p",
        branch: "oars",
        model: "claude-opus-4-5",
        mainAt: noon + minute,
      },
    );
    assert.deepEqual(
      reported?.spent.map((row) => [row.day, row.agentId, row.type, row.branch, row.tokens].join(" ")).sort(),
      [
        " main  main 1100",
        "2026-11-18 a1 Explore main 20",
        "2026-11-18 a2  main 3",
        "2026-11-18 main  fleet 7",
        "2026-11-18 main  main 15",
      ],
    );
  });

  it("has the price of each response, by the size of its prompt, and tokens without a price", async (t) => {
    const { ledger, use, spent } = await scene(t);
    const large = { input: 250_000, output: 1000, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 60_000 };
    const usage = { ...large, input: 100_000, cacheRead: 0 };
    const terms = { ...standardTerms, webSearches: 2 };
    const model = "gpt-5.4";
    const responses = [
      use(noon, 0, { model, usage: large }),
      ...[1, 2, 3].map((seconds) => use(noon + seconds * 1000, 0, { model, usage })),
    ];
    const searching = [5, 6].map((seconds) =>
      use(noon + seconds * 1000, 0, { usage, priceTerms: textOfTerms(terms) }),
    );
    await appendEntries(ledger, ...responses, ...searching, use(noon, 70, { model: "nobody-knows-1" }));
    const costOf = ({ model: name, usage: all }: Pick<PricedUsage, "model" | "usage">, at = standardTerms) =>
      priceUsage({ model: name, usage: all, at: noon, terms: at }, builtInCatalogue).usd ?? NaN;
    const plain = responses.reduce((sum, each) => sum + costOf(each), 0);
    const expected = searching.reduce((sum, each) => sum + costOf(each, terms), plain);
    const [row] = spent()[0]?.spent ?? [];
    assert.ok(Math.abs((row?.usd ?? 0) - expected) < 1e-9 && expected > 0.5, `${row?.usd} for ${expected}`);
    assert.deepEqual([row?.unpriced, row?.unpricedOfRun, row?.usdOfRun], [70, 70, row?.usd]);
  });

  it("in its last run is the usage since its last prompt, subagents' included", async (t) => {
    const { ledger, use, run, ofRun, spent } = await scene(t);
    await appendEntries(
      ledger,
      use(noon, 10),
      use(noon + minute, 20),
      run("r1", noon - minute, noon + minute),
    );
    assert.deepEqual(await Promise.resolve(ofRun()), ["main 30"]);
    assert.equal(spent()[0]?.runSince, noon - minute);
    await appendEntries(ledger, use(noon + 5 * minute, 3), use(noon + 6 * minute, 4, { agentId: "a1" }));
    assert.deepEqual(ofRun()?.sort(), ["a1 4", "main 3"], "a run in progress is not counted yet");
    assert.equal(spent()[0]?.runSince, noon + 5 * minute);
    await appendEntries(
      ledger,
      run("r2", noon + 4 * minute, noon + 6 * minute),
      use(noon + 8 * minute, 2, { agentId: "a1" }),
    );
    assert.deepEqual(ofRun()?.sort(), ["a1 6", "main 3"], "a subagent may continue in the background");
  });

  it("is all one run if the agent records none", async (t) => {
    const { ledger, use, ofRun } = await scene(t);
    await appendEntries(ledger, use(noon, 10), use(noon + 90 * minute, 20));
    assert.deepEqual(ofRun(), ["main 30"]);
  });

  it("is listed again after a change, and by folder and time", async (t) => {
    const { ledger, use } = await scene(t);
    const take = () => ledger.ask("takeSpent", 0, { dayOf }).map(({ sessionId }) => sessionId);
    await appendEntries(ledger, use(noon, 10));
    assert.deepEqual([take(), take()], [["session-1"], []]);
    await appendEntries(ledger, { kind: "session", id: "session-2", cwd: "/q", lastAt: noon - 1000 });
    await appendEntries(ledger, use(noon - 1000, 5, { sessionId: "session-2" }));
    assert.deepEqual(take(), ["session-2"]);
    await appendEntries(ledger, use(noon + 1000, 5), use(noon + 2000, 5));
    assert.deepEqual([ledger.ask("takeSpentFolders", null), take()], [["/p"], []]);
    assert.deepEqual(ledger.ask("sessionFolders", null).sort(), ["/p", "/q"]);
    const found = (folders: string[], activeSince: number) =>
      ledger.ask("spentIn", { folders, activeSince, since: 0 }, { dayOf }).map(({ sessionId }) => sessionId);
    assert.deepEqual(found(["/p", "/q"], 0).sort(), ["session-1", "session-2"]);
    assert.deepEqual(
      [found(["/q"], noon), found(["/q"], 0), found(["/Q"], 0), found([], 0)],
      [[], ["session-2"], [], []],
    );
  });
});

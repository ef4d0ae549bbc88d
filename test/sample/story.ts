import { plainSentence } from "../../src/engine/base/language.ts";
import type { BenchAsk } from "../../src/engine/jobs/bench-answers.ts";
import type { RuleActionRequest } from "../../src/engine/rules/rules-answers.ts";
import type { RuleSource } from "../../src/engine/rules/rule.ts";
import { day, minute } from "./clock.ts";
import { instructions, rules } from "./effects.ts";
import type { StoryHome } from "./home.ts";

type Free = Pick<BenchAsk, "model" | "effort" | "driver" | "parallel" | "tokenCap">;
const free: Free = { model: null, effort: null, driver: "claude", parallel: 1, tokenCap: null };
const suite = { origin: "built-in" } as const;

type SourceOf = (
  turns: readonly { readonly line: number; readonly what: string }[],
  finding: string,
) => RuleSource;

/** What happened in the sample's last weeks. Each measurement's verdict comes from its runs. */
export async function tell(home: StoryHome, sourceOf: SourceOf): Promise<void> {
  const { clock, run } = home;
  const compare = { kind: "compare" as const, suite, agent: "backend", shared: [], rounds: null, ...free };
  const bench = { kind: "bench", suite, taskIds: null, runs: 3, ...free } as const;

  clock.set(24 * day);
  await run({ ...bench, agents: ["backend"] });

  clock.set(20 * day);
  const first = await propose(home, "backend", [
    [rules.onlyChanged, older("history-21-0", "All tests were run after each of six edits.")],
    [rules.printWhole, null],
    [rules.firstMatch, null],
  ]);
  clock.set(19 * day);
  for (const id of first.slice(0, 2)) await act(home, id, { kind: "approve" });
  await act(home, first[2] ?? "", { kind: "reject", why: "It would miss the other callers." });
  await select(home, "backend");
  clock.set(18 * day);
  await act(home, first[0] ?? "", { kind: "approve" });

  clock.set(16 * day);
  await run({ ...bench, agents: ["backend"] });

  clock.set(13 * day);
  await run({ ...compare, change: { kind: "model", model: "claude-haiku-4-5" } });
  clock.set(12 * day);
  const file = { is: "file", path: "CLAUDE.md" } as const;
  await run({ ...compare, change: { kind: "without", file, text: instructions, heading: null } });

  clock.set(11 * day);
  const second = await propose(home, "testing", [[rules.nameTests, null]]);
  for (const id of second) await act(home, id, { kind: "approve" });
  await select(home, "testing");

  clock.set(10 * day);
  await run({ ...compare, change: { kind: "effort", effort: "low" } });

  clock.set(9 * day);
  const third = await propose(home, "backend", [
    [rules.searchFirst, older("history-12-0", "Four files were opened whole to find one symbol.")],
  ]);
  for (const id of third) await act(home, id, { kind: "approve" });
  clock.set(8.5 * day);
  await select(home, "backend", third);

  clock.set(7.5 * day);
  await run({ ...bench, agents: ["backend", "testing"] });

  clock.set(40 * minute);
  await propose(home, "backend", [
    [rules.oneSearch, sourceOf(reread, "src/ledger.ts was read four times.")],
    [rules.typesFirst, null],
  ]);
  await propose(home, "testing", [[rules.fixtures, null]]);
}

/** Lines of the transcript in which one file is read again and again. */
const reread = [118, 170, 235, 285].map((line) => ({ line, what: "Read src/ledger.ts" }));

/** A session whose transcript is gone. */
function older(sessionId: string, finding: string): RuleSource {
  return { kind: "run", sessionId, transcript: null, finding: plainSentence(finding), turns: [] };
}

type Proposed = readonly [text: string, source: RuleSource | null];

async function propose(
  { rules: service }: StoryHome,
  agent: string,
  proposed: readonly Proposed[],
): Promise<string[]> {
  const made = await service.proposeAll(
    proposed.map(([text, source]) => ({
      agent,
      text,
      source,
      origin: source === null ? "hand" : "trajectory",
      replaces: null,
    })),
    "purser",
  );
  if (!made.ok) throw new Error(made.detail.text);
  return made.value.proposed.map(({ id, refused }) => {
    if (id === null) throw new Error(refused?.text ?? "refused");
    return id;
  });
}

async function act({ rules: service, root }: StoryHome, id: string, asked: RuleActionRequest): Promise<void> {
  const done = await service.perform(id, asked, root);
  if (!done.ok) throw new Error(done.detail.text);
}

async function select(
  { run }: StoryHome,
  agent: string,
  ruleIds: readonly string[] | null = null,
): Promise<void> {
  await run({
    kind: "select",
    suite,
    agent,
    ruleIds: ruleIds === null ? null : [...ruleIds],
    audits: 0,
    grade: "proved",
    ...free,
  });
}

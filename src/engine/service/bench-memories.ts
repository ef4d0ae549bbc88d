import type { Result } from "../base/result.ts";
import type { RuleBook } from "../ledger/rule-book.ts";
import { compileMemory } from "../rules/memory-text.ts";
import { ruleOfRow } from "../rules/rule-entries.ts";
import type { ActiveMemories } from "./bench-workshop.ts";

/** What agents' active rules come to in their memories now. A ledger that cannot say has none, and that is told. */
export async function activeMemories(
  agents: readonly string[],
  ruleBook: () => Promise<Result<RuleBook>>,
  onProblem: (message: string) => void,
): Promise<ActiveMemories> {
  const book = await ruleBook();
  if (!book.ok) {
    onProblem(`A benchmark is run without rules: ${book.detail}`);
    return {};
  }
  const rules = book.value.rules.flatMap((row) => ruleOfRow(row) ?? []);
  const each = agents.flatMap((agent) => {
    const own = rules.filter((rule) => rule.agent === agent);
    // The version is no part of what is measured: the same rules are the same memory.
    const { text, ruleIds } = compileMemory(own, "0");
    if (text === "") return [];
    const label = ruleIds.length === 1 ? "1 rule" : `${ruleIds.length} rules`;
    return [[agent, { label, text }] as const];
  });
  return Object.fromEntries(each);
}

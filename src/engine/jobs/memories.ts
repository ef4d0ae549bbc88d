import { plural } from "../base/text/l10n.ts";
import { sentence } from "../base/text/sentence.ts";
import { succeed, type Result } from "../base/result.ts";
import type { ActiveMemories } from "../bench/current-configuration.ts";
import type { RuleBook } from "../ledger/questions/rule-book.ts";
import { compileMemory } from "../rules/memory/memory-text.ts";
import type { Rule } from "../rules/rule.ts";
import { rulesInBook } from "../rules/book/rules-book-rows.ts";

/** Compiles the active rules of agents into their memories. */
export function memoriesOf(agents: readonly string[], rules: readonly Rule[]): ActiveMemories {
  const each = agents.flatMap((agent) => {
    const own = rules.filter((rule) => rule.agent === agent);
    // The version is not part of the measurement: the same rules are the same memory.
    const { text, ruleIds } = compileMemory(own, "0");
    if (text === "") return [];
    const label = plural(ruleIds.length, sentence("1 rule"), sentence("{0} rules", ruleIds.length));
    return [[agent, { label, text }] as const];
  });
  return Object.fromEntries(each);
}

/**
 * Compiles the memories from the ledger's current rules. Without the ledger's answer, the agents' state is
 * unknown.
 */
export async function activeMemories(
  agents: readonly string[],
  ruleBook: () => Promise<Result<RuleBook>>,
): Promise<Result<ActiveMemories>> {
  const book = await ruleBook();
  return book.ok ? succeed(memoriesOf(agents, rulesInBook(book.value))) : book;
}

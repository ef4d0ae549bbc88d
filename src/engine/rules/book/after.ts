import type { LedgerEntry } from "../../ledger/entries.ts";
import type { RuleBook, RuleRow } from "../../ledger/rule-questions.ts";

type EntryOf<Kind extends LedgerEntry["kind"]> = Extract<LedgerEntry, { kind: Kind }>;
type MemoryRow = RuleBook["memories"][number];

/**
 * Returns the rule book after these entries, as the ledger would report it. Applies only rules, steps and memories.
 */
export function bookAfter(book: RuleBook, entries: readonly LedgerEntry[]): RuleBook {
  const rules = new Map(book.rules.map((row) => [row.id, row]));
  const steps = [...book.steps];
  const memories = [...book.memories];
  for (const entry of entries) {
    if (entry.kind === "rule") rules.set(entry.id, rowOf(entry, rules.get(entry.id)));
    if (entry.kind === "rule-step") steps.push(stepOf(entry));
    // Newest first; of two from the same time, the later entry first.
    if (entry.kind === "memory") memories.unshift(memoryOf(entry));
  }
  return {
    ...book,
    rules: [...rules.values()].sort(byBeginning),
    steps: steps.sort((one, other) => one.at - other.at),
    memories: memories.sort((one, other) => other.at - one.at),
  };
}

const blank: Omit<RuleRow, "id" | "agent" | "body" | "status"> = {
  scope: null,
  measuredDelta: null,
  contextCost: null,
  sourceRun: null,
  createdAt: null,
  decidedAt: null,
  decidedReason: null,
  isProtected: false,
  strikes: 0,
  replaces: null,
  origin: null,
  source: null,
  auditedAt: null,
};

/** A field of an existing rule stays if the entry omits it or gives null. */
function rowOf(entry: EntryOf<"rule">, before: typeof blank = blank): RuleRow {
  return {
    id: entry.id,
    agent: entry.agent,
    body: entry.body,
    status: entry.status,
    isProtected: entry.isProtected ?? before.isProtected,
    strikes: entry.probation ?? before.strikes,
    scope: entry.scope ?? before.scope,
    measuredDelta: entry.measuredDelta ?? before.measuredDelta,
    contextCost: entry.contextCost ?? before.contextCost,
    sourceRun: entry.sourceRun ?? before.sourceRun,
    createdAt: entry.createdAt ?? before.createdAt,
    decidedAt: entry.decidedAt ?? before.decidedAt,
    decidedReason: entry.decidedReason ?? before.decidedReason,
    replaces: entry.replaces ?? before.replaces,
    origin: entry.origin ?? before.origin,
    source: entry.source ?? before.source,
    auditedAt: entry.auditedAt ?? before.auditedAt,
  };
}

function stepOf({ id, ruleId, at, who, fromStatus = null, toStatus, why }: EntryOf<"rule-step">) {
  return { id, ruleId, at, who, fromStatus, toStatus, why };
}

function memoryOf({ agent, version, at, text, ruleIds, madeBy }: EntryOf<"memory">): MemoryRow {
  return { agent, version, at, text, ruleIds: ruleIds.split(",").filter((id) => id !== ""), madeBy };
}

function byBeginning(one: RuleRow, other: RuleRow): number {
  const [first, second] = [one.createdAt ?? -Infinity, other.createdAt ?? -Infinity];
  if (first !== second) return first < second ? -1 : 1;
  return one.id < other.id ? -1 : Number(one.id > other.id);
}

import { sha256Base64Url } from "../../../base/hash.ts";
import { scrubStart } from "../../../base/scrub.ts";
import type { AgentSession, RateLimit } from "../../../transcripts/agent-session.ts";
import type { NamedRecord } from "../../../transcripts/records.ts";
import { textOfTerms } from "../../../usage/price.ts";
import type { LedgerEntry } from "../../entries/entries-entry.ts";
import { branchOrNull, nameOrNull, idOrNull } from "../fitting.ts";

type ResponseInput = Extract<LedgerEntry, { kind: "response" }>;
type SessionInput = Extract<LedgerEntry, { kind: "session" }>;

/** The model's name where the agent reports none. */
const unnamedModel = "unknown";
const maxTitleLength = 200;
/** Longer ids are shortened: each is stored twice, in its row and in the index. */
const maxIdLength = 100;

/** A session file's ledger entries: the session, the responses of fresh records, its plan's limits. */
export function sessionEntries(
  { facts }: Pick<AgentSession, "facts">,
  { records, fresh }: { readonly records: readonly NamedRecord[]; readonly fresh: readonly NamedRecord[] },
): LedgerEntry[] {
  const id = idOrNull(facts.sessionId);
  if (id === null) return [];
  const session: LedgerEntry = {
    kind: "session",
    id,
    program: facts.agent,
    cwd: nameOrNull(facts.cwd),
    branch: branchOrNull(facts.branch),
    title:
      facts.title === null ? null : scrubStart(facts.title, 10 * maxTitleLength).slice(0, maxTitleLength),
    firstAt: timeOf(
      records.reduce(
        (least, { record, isCopy }) => (isCopy ? least : Math.min(least, record.at ?? least)),
        Infinity,
      ),
    ),
    lastAt: timeOf(facts.lastAt),
    parentId: nameOrNull(facts.parentId),
  };
  return [
    session,
    ...fresh.flatMap((named) => responseEntry(named, { branch: facts.branch, agentId: ownAgentOf(facts) })),
    ...facts.rateLimits.flatMap((limit) => limitEntry(facts.agent, limit)),
  ];
}

/** The entries of responses that are the only record of their sessions, and of those sessions. */
export function rowEntries(records: readonly NamedRecord[]): LedgerEntry[] {
  const sessions = new Map<string, SessionInput>();
  const responses: ResponseInput[] = [];
  for (const named of records) {
    for (const response of responseEntry(named)) {
      responses.push(response);
      const { sessionId: id, cwd, at } = response;
      const firstAt = sessions.get(id)?.firstAt ?? at;
      sessions.set(id, { kind: "session", id, program: named.record.agent, cwd, firstAt, lastAt: at });
    }
  }
  return [...sessions.values(), ...responses];
}

function responseEntry(
  { record, id, isCopy, agentId }: NamedRecord,
  of: { readonly branch: string | null; readonly agentId: string | null } = { branch: null, agentId: null },
): ResponseInput[] {
  const sessionId = idOrNull(record.sessionId);
  if (sessionId === null) return [];
  return [
    {
      kind: "response",
      messageId: shortened(id),
      sessionId,
      agentId: nameOrNull(agentId ?? of.agentId),
      model: nameOrNull(record.model) ?? unnamedModel,
      at: timeOf(record.at),
      cwd: nameOrNull(record.cwd),
      branch: branchOrNull(of.branch),
      isSidechain: false,
      isCopy,
      usage: record.usage,
      raw: { ...record.raw },
      priceTerms: textOfTerms(record.terms),
    },
  ];
}

function limitEntry(program: string, limit: RateLimit): LedgerEntry[] {
  const at = timeOf(limit.at);
  const name = idOrNull(limit.name);
  if (at === null || name === null) return [];
  const { usedPercent, windowMinutes, resetsAt } = limit;
  const minutes = windowMinutes === null ? null : timeOf(Math.max(0, windowMinutes));
  return [
    {
      kind: "plan-limit",
      program,
      name,
      at,
      usedPercent,
      windowMinutes: minutes,
      resetsAt: timeOf(resetsAt),
    },
  ];
}

/** A subagent's session is that subagent's transcript, not a main conversation. */
export function ownAgentOf({ kind, sessionId }: AgentSession["facts"]): string | null {
  return kind === "subagent" ? idOrNull(sessionId) : null;
}

export function shortened(id: string): string {
  if (id.length <= maxIdLength) return id;
  const [agent = ""] = id.split(" ", 1);
  return `${agent} ${sha256Base64Url(id)}`;
}

/** Rounded, or null for a value that is not a time. */
export function timeOf(at: number | null): number | null {
  const whole = at === null ? null : Math.round(at);
  return Number.isSafeInteger(whole) ? whole : null;
}

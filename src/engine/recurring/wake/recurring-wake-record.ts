import { environmentSign } from "../../bench/drivers.ts";
import type { WakeOutcome, WakeRow } from "../../ledger/woken.ts";
import { priceUsage } from "../../usage/price.ts";
import { addUsage, noUsage, occupancy } from "../../usage/token-counts.ts";
import { cacheWeights, normalizedInput } from "../figures/normalized.ts";
import type { Printed, AgentProgram } from "../programs/program.ts";
import { fetchModeOf, type TaskCall } from "../tasks/desk.ts";
import type { WakePlan, WakeRequest } from "./next-step.ts";
import type { ProgramResult, WakePorts } from "./recurring-wake-ports.ts";
import {
  type StateStore,
  afterInterruption,
  sessionAfterWake,
  withEnded,
  type AgentState,
} from "./recurring-wake-state.ts";
import { sentence, type Sentence, compose, mapSentence, plainSentence } from "../../base/language.ts";
import type { RecurringAgent } from "../agents/definition.ts";

export const interruption = "interrupted";

/** As recorded if its process is killed. `at`: milliseconds since the epoch. */
export function beginRow({ request, choice, thread, allowed }: WakePlan, id: string, at: number): WakeRow {
  const { agent, project, source } = request;
  return {
    id,
    agent: agent.name,
    project,
    program: agent.program,
    model: agent.model,
    taskId: thread?.task.id ?? null,
    source,
    at,
    endedAt: at,
    sessionId: null,
    reason: choice.reason,
    cause: choice.cause,
    resumeFailed: false,
    outcome: "interrupted",
    detail: null,
    turns: 0,
    input: null,
    output: null,
    cacheCreation5m: null,
    cacheCreation1h: null,
    cacheRead: null,
    normalizedInput: null,
    rawInput: null,
    rawOutput: null,
    usd: null,
    fetchMode: "none",
    fullFetches: 0,
    deltaFetches: 0,
    summaryFetches: 0,
    promptChars: 0,
    instructionsChars: 0,
    hasInstructions: allowed.hasInstructions,
    skills: allowed.skills === null ? null : allowed.skills.join(",").slice(0, 4000),
    skillBytes: allowed.skillBytes,
    skillsHash: allowed.skillsHash,
    definitionHash: agent.hash,
    stateBefore: thread?.task.state ?? null,
    stateAfter: thread?.task.state ?? null,
  };
}

/** `turns`: responses in the session's files. */
export function outcomeOf(
  { end, raw, reply }: Printed,
  { ended, limit }: ProgramResult,
  { turns, signal }: { readonly turns: number; readonly signal: AbortSignal },
): { readonly outcome: WakeOutcome; readonly detail: Sentence | null } {
  if (limit !== null) return { outcome: "limit", detail: limit };
  if (signal.aborted && signal.reason === interruption) return { outcome: "interrupted", detail: null };
  if (signal.aborted || ended.how === "cancelled") return { outcome: "cancelled", detail: null };
  if (ended.how === "timeout") return { outcome: "limit", detail: sentence("time") };
  if (ended.how === "not-started")
    return {
      outcome: "environment",
      detail: sentence("not started: {why}", { why: ended.output.slice(0, 300) }),
    };
  // A hook, such as that of a hard budget, can refuse a prompt. Programs end with exit code 0 then.
  if (end.kind === "ended" && turns === 0 && raw !== null && raw.input + raw.output === 0) {
    const saidWhy = (reply ?? "").replace(/(?<!\s)\s*Original prompt:[^]*/u, "").slice(0, 300);
    const detail =
      saidWhy.trim() === ""
        ? sentence("the prompt was refused, and the program gives no reason: a hook may have refused it")
        : sentence("the prompt was refused: {why}", { why: saidWhy });
    return { outcome: "environment", detail };
  }
  if (end.kind === "ended") return { outcome: "completed", detail: null };
  if (end.kind === "limit") return { outcome: "limit", detail: end.detail };
  const sign = environmentSign(end.detail.text);
  return sign === null
    ? { outcome: "failed", detail: end.detail }
    : { outcome: "environment", detail: compose`${sign}: ${end.detail}` };
}

/** In the form of a wake's row. Null if no file has it. */
export async function spentIn(
  { agent }: Pick<WakeRequest, "agent">,
  sessionId: string,
  since: number,
  ports: Pick<WakePorts, "spentBy" | "catalogue">,
): Promise<Partial<WakeRow> | null> {
  const spent = await ports.spentBy(agent, sessionId, since);
  if (spent === null || spent.responses.length === 0) return null;
  const usage = spent.responses.reduce((sum, each) => addUsage(sum, each.usage), noUsage);
  const costs = spent.responses.map((each) => priceUsage(each, ports.catalogue).usd);
  const normalized = spent.responses.reduce(
    (sum, each) => sum + normalizedInput(each.usage, cacheWeights(each.model, ports.catalogue)),
    0,
  );
  return {
    turns: spent.turns,
    input: usage.input,
    output: usage.output,
    cacheCreation5m: usage.cacheCreation5m,
    cacheCreation1h: usage.cacheCreation1h,
    cacheRead: usage.cacheRead,
    normalizedInput: occupancy(usage) === 0 ? null : normalized,
    usd: costs.includes(null) ? null : costs.reduce<number>((sum, usd) => sum + (usd ?? 0), 0),
  };
}

/** Counts calls of `purser task`, and the prompt itself. `shown` is what of the thread the prompt carried. */
export function countsOf(
  calls: readonly TaskCall[],
  shown: "full" | "delta" | null,
): Pick<WakeRow, "fetchMode" | "fullFetches" | "deltaFetches" | "summaryFetches"> {
  const count = (mode: TaskCall["mode"]) => calls.filter((call) => call.mode === mode).length;
  return {
    fetchMode: fetchModeOf([...calls, ...(shown === null ? [] : [{ mode: shown }])]),
    fullFetches: count("full") + Number(shown === "full"),
    deltaFetches: count("delta") + Number(shown === "delta"),
    summaryFetches: count("summary"),
  };
}

/** If the ledger is unavailable, the next wake does so. Throws the system's error. */
export async function deliver(store: StateStore, ports: Pick<WakePorts, "record">): Promise<void> {
  const { outbox } = store.state;
  if (outbox.length === 0 || !(await ports.record(outbox))) return;
  await store.save({ ...store.state, outbox: [] });
}

/** Null if the session did continue. */
export function refusalOf(
  program: Pick<AgentProgram, "isGone">,
  { ended }: Pick<ProgramResult, "ended">,
  row: WakeRow,
): { readonly isGone: boolean; readonly detail: Sentence } | null {
  if (program.isGone(ended)) return { isGone: true, detail: sentence("it is gone") };
  // An error before any response: nothing was spent, and the session would fail again next time.
  return row.outcome === "failed" && isSilent(row)
    ? { isGone: false, detail: mapSentence(row.detail ?? plainSentence(""), (text) => text.slice(0, 300)) }
    : null;
}

/** No response came until the wake's time was over. */
export function isStuck(row: WakeRow): boolean {
  return row.outcome === "limit" && isSilent(row);
}

/** Neither the session's files nor its program know of a response. */
function isSilent({ turns, rawInput }: WakeRow): boolean {
  return turns === 0 && (rawInput ?? 0) === 0;
}

/**
 * Ends what a killed process left running, records its usage, and keeps its new session for the next wake. Its scheduled time is tried again, once.
 * Called by the holder of the agent's lease. Returns the findings; throws the system's error.
 */
export async function recoverWake(
  store: StateStore,
  agent: RecurringAgent,
  ports: WakePorts,
): Promise<Sentence[]> {
  const { state } = store;
  const { current } = state;
  if (current === null) {
    await deliver(store, ports);
    return [];
  }
  await ports.endLeft(current.mark);
  const { slot } = current;
  const isSame = current.row.program === agent.program;
  const { sessionId, at } = current.row;
  const spent = sessionId === null || !isSame ? null : await spentIn({ agent }, sessionId, at, ports);
  const row = { ...current.row, ...(spent ?? {}), endedAt: Math.max(at, ports.clock.now()) };
  const session = await sessionLeft(current, ports);
  const { sessions } = state;
  const key = row.taskId ?? "";
  await store.save(
    withEnded(state, row, {
      sessions: session === null ? sessions : { ...sessions, [key]: sessionAfterWake(session, row) },
      ...afterInterruption(state, slot),
    }),
  );
  await deliver(store, ports);
  const time = new Date(at).toISOString();
  if (session !== null)
    return [
      sentence(
        "the wake of {0} was interrupted; what it used is recorded, and its session {1} goes on",
        time,
        session.id,
      ),
    ];
  return [
    sessionId === null
      ? sentence(
          "the wake of {0} was interrupted; what it used is recorded as unknown: its program had not said the session's id, so the next wake begins a new one",
          time,
        )
      : sentence(
          "the wake of {0} was interrupted; what it used is recorded; its session is gone, so the next wake begins a new one",
          time,
        ),
  ];
}

/** Null where its program does not have it. */
async function sessionLeft({ session }: NonNullable<AgentState["current"]>, { hasSession }: WakePorts) {
  return session !== null && (await hasSession(session)) ? session : null;
}

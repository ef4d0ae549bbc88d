import type { RecurringAgent } from "../agents/definition.ts";
import type { WakePorts } from "./recurring-wake-ports.ts";
import { deliver, spentIn } from "./recurring-wake-record.ts";
import {
  afterInterruption,
  sessionAfterWake,
  withEnded,
  type AgentState,
  type StateStore,
} from "./recurring-wake-state.ts";
import { sentence, type Sentence } from "../../base/language.ts";

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

import type { RecurringAgent } from "../agents/definition.ts";
import type { WakePorts } from "./ports.ts";
import { deliver, spentIn } from "./record.ts";
import { withEnded, type StateStore } from "./state.ts";

/**
 * Closes a wake whose process was killed: ends what it left running, and records what it used. Called by the holder of the agent's lease.
 *
 * @returns what was found, in words
 * @throws the system's error
 */
export async function recoverWake(
  store: StateStore,
  agent: RecurringAgent,
  ports: WakePorts,
): Promise<string[]> {
  const { current } = store.state;
  if (current === null) {
    await deliver(store, ports);
    return [];
  }
  await ports.endLeft(current.mark);
  const { row } = current;
  const isSame = row.program === agent.program;
  const spent =
    row.sessionId === null || !isSame ? null : await spentIn({ agent }, row.sessionId, row.at, ports);
  await store.save(
    withEnded(store.state, { ...row, ...(spent ?? {}), endedAt: Math.max(row.at, ports.clock.now()) }, {}),
  );
  await deliver(store, ports);
  return [`the wake of ${new Date(row.at).toISOString()} was interrupted; what it used is recorded`];
}

import type { ServiceCore } from "../../hooks/feature.ts";
import { unreportedEntries } from "../calls/not-judged.ts";

type Ports = Pick<ServiceCore, "ledger" | "settings" | "clock" | "owned" | "onProblem">;

/** How long a hook may still wait for the service that has just started, on a busy machine. Milliseconds. */
const hooksWait = 10_000;
/** Maximum time to collect the transcripts that changed without a service. Milliseconds. */
const maxCatchUp = 600_000;

/**
 * Records the calls that ran unjudged before this service started: an agent that posts its hooks leaves no trace of them but its transcript. The
 * newest calls are compared later, since their hooks may still arrive.
 */
export function recordUnreportedCalls(ports: Ports): void {
  const { clock, owned, onProblem } = ports;
  const startedAt = clock.now();
  const end = new AbortController();
  const run = (before: number) =>
    compare(before, ports, end.signal).catch((error: unknown) => {
      if (!end.signal.aborted) onProblem(`Calls without hooks were not looked for: ${String(error)}`);
    });
  const timer = setTimeout(() => void run(startedAt), hooksWait);
  owned.add({
    dispose: () => {
      clearTimeout(timer);
      end.abort();
    },
  });
  void run(startedAt - hooksWait);
}

async function compare(
  before: number,
  { ledger, settings, onProblem }: Ports,
  end: AbortSignal,
): Promise<void> {
  await ledger.catchUp(AbortSignal.any([end, AbortSignal.timeout(maxCatchUp)]));
  const calls = await ledger.ask("unjudgedCalls", before);
  if (!calls.ok || end.aborted) return;
  const entries = unreportedEntries(calls.value, (folder) => settings.of(folder));
  if (entries.length === 0) return;
  const recorded = await ledger.append(entries);
  if (!recorded.ok) onProblem(`Calls without hooks were not recorded: ${recorded.detail.text}`);
}

import type { PurserPaths } from "../../base/paths.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { Clock } from "../../base/timing.ts";
import { findAgentProgram, displayNameOf } from "../../continuity/handover.ts";
import type { WakePlanView } from "../../recurring/recurring-answers.ts";
import {
  readAgreement,
  readState,
  planViewOf,
  createWakePorts,
  planWake,
  type WakeRequest,
  type WakePorts,
  runWake,
  type WakeFault,
  openOwnAgent,
  type OwnAgent,
} from "../../recurring/agents.ts";
import type { WakeAsk, WakeProgress } from "../answers/wake.ts";
import type { JobEvent, WorkEnd } from "../executor.ts";
import type { WakeRow } from "../../ledger/woken.ts";
import { builtInCatalogue } from "../../usage/catalogue.ts";
import type { Requester } from "../all-requests.ts";
import { sentence } from "../../base/language.ts";

export interface WakeJobContext {
  readonly home: Pick<PurserPaths, "wakes">;
  readonly userHome: string;
  readonly pid: number;
  readonly clock: Clock;
  /** Command that runs `purser`: a runtime and its arguments. */
  readonly purser: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly service: Requester<"wakeRecord" | "wakeRotation" | "handoverMake">;
  readonly signal: AbortSignal;
}

/** Takes no lease and spends nothing. */
export async function planWakeJob(ask: WakeAsk, context: WakeJobContext): Promise<Result<WakePlanView>> {
  const own = openOwnAgent(context.home.wakes, ask.project, ask.agent);
  if (!own.ok) return own;
  const { place } = own.value;
  const found = await programOf(own.value, context);
  if (!found.ok) return found;
  const planned = await planWake(
    requestOf(ask, own.value),
    readState(place.state).state,
    portsOf(own.value, context),
  );
  return planned.ok ? succeed(planViewOf(planned.value)) : planned;
}

/**
 * Faults that do not count as a failed scheduled time: another wake covers it, it comes later, or there is
 * nothing to do.
 */
const skips: readonly WakeFault[] = [
  "already",
  "busy",
  "nothing_to_do",
  "over_budget",
  "paused",
  "session_open",
];

/** Only if a person agreed to the agent's current file. */
export async function runWakeJob(
  ask: WakeAsk,
  context: WakeJobContext,
  emit: (event: JobEvent) => void,
): Promise<Result<WorkEnd>> {
  const own = openOwnAgent(context.home.wakes, ask.project, ask.agent);
  if (!own.ok) return own;
  const { agent, file, place } = own.value;
  if (readAgreement(place)?.definition !== agent.hash)
    return fail("not_agreed", sentence("{0} is not agreed to as it is now", file));
  const found = await programOf(own.value, context);
  if (!found.ok) return found;
  let wake: WakeProgress = { plan: null, used: { turns: 0, tokens: 0 }, row: null, said: [], skipped: null };
  const show = (change: Partial<WakeProgress>) => {
    wake = { ...wake, ...change };
    emit({ kind: "wake", wake });
  };
  const ports = portsOf(own.value, context, (used) => show({ used }));
  const done = await runWake(requestOf(ask, own.value), ports, {
    signal: context.signal,
    agree: (plan) => {
      show({ plan: planViewOf(plan) });
      return Promise.resolve(true);
    },
  });
  if (done.ok) {
    const { row, said } = done.value;
    show({ row, said: [...said] });
    return endOf(row);
  }
  if (done.reason === "declined") return succeed({ kind: "cancelled" });
  if (ask.slot === null || !skips.includes(done.reason)) return done;
  show({ skipped: { reason: done.reason, detail: done.detail } });
  return succeed({ kind: "done" });
}

function endOf({ outcome, detail }: WakeRow): Result<WorkEnd> {
  switch (outcome) {
    case "completed":
      return succeed({ kind: "done" });
    case "cancelled":
    case "interrupted":
      return succeed({ kind: "cancelled" });
    case "limit":
      return fail(
        "limit",
        detail === null
          ? sentence("it was stopped at its limit")
          : sentence("it was stopped at its limit ({detail})", { detail }),
      );
    case "environment":
      return fail(
        "environment",
        detail === null
          ? sentence("quota, login or network")
          : sentence("quota, login or network: {detail}", { detail }),
      );
    case "failed":
      return fail("failed", detail ?? sentence("its program failed"));
  }
}

function requestOf({ isFresh, slot }: WakeAsk, { agent, project, place }: OwnAgent): WakeRequest {
  const source = slot === null ? "manual" : "timer";
  return { agent, project, place, taskId: null, source, slot, isForced: isFresh, by: "service" };
}

async function programOf({ agent }: OwnAgent, { env }: WakeJobContext): Promise<Result<null>> {
  const { name, file } = await findAgentProgram(agent.program, { env, platform: process.platform });
  return file === null
    ? fail(
        "no_program",
        sentence("{0} was not found (no {1} in the PATH)", displayNameOf(agent.program), name),
      )
    : succeed(null);
}

function portsOf(
  { place }: OwnAgent,
  { home, userHome, env, clock, pid, signal, purser, service }: WakeJobContext,
  onProgress: (used: WakeProgress["used"]) => void = () => undefined,
): WakePorts {
  return createWakePorts({
    paths: home,
    place,
    env,
    home: userHome,
    clock,
    pid,
    signal,
    self: purser,
    isElectron: process.versions["electron"] !== undefined,
    catalogue: builtInCatalogue,
    handOver: async (session, unattended) => {
      const made = await service.ask("handoverMake", { session, unattended });
      return made.ok ? succeed(made.value.draft.text) : fail("no_document", made.detail);
    },
    record: (wakes) => recordInParts(wakes, service),
    learnedRotation: async ({ program }) => {
      const answer = await service.ask("wakeRotation", { program });
      return answer.ok ? answer.value.learned : null;
    },
    onProgress,
  });
}

/** Wakes per message, so that no message is too large. */
const atOnce = 50;

async function recordInParts(wakes: readonly WakeRow[], service: Requester<"wakeRecord">): Promise<boolean> {
  for (let from = 0; from < wakes.length; from += atOnce) {
    const answer = await service.ask("wakeRecord", { wakes: wakes.slice(from, from + atOnce) });
    if (!answer.ok) return false;
  }
  return true;
}

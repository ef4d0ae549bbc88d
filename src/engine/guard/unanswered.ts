import { Worker } from "node:worker_threads";
import type { PurserPaths } from "../base/paths.ts";
import { shortLimits } from "../base/process.ts";
import { systemClock } from "../base/timing.ts";
import {
  type Outcome,
  outcomeOf,
  isNamed,
  readHook,
  honouredPart,
  writeAnswer,
  type HookAnswer,
} from "../hooks/event.ts";
import { defaultHookContext, type HookContext } from "../hooks/hooks-handler.ts";
import { isAttended, type HookCaller } from "../hooks/program.ts";
import { isGuarding, modeOf as modeIn, type GuardFamily, type GuardModes } from "../settings/guard.ts";
import { SettingsStore } from "../settings/settings-store.ts";
import { callGuardHandler, type CallGuardPorts } from "./calls/calls-handler.ts";
import { judgedEvents, type JudgedEvent } from "./calls/not-judged.ts";
import { notJudged as rules } from "./unjudged-calls.ts";
import type { GuardHitEntry } from "./hit-entry.ts";

export interface Unanswered {
  readonly home: PurserPaths;
  readonly userHome: string;
  readonly temporary: string;
  readonly caller: HookCaller;
  /** How the session started, as its agent reports it. */
  readonly entry: string | undefined;
  /** The agent's input, parsed. */
  readonly input: unknown;
  /** Program of the thread that judges. */
  readonly program: string;
  /** Resolves when the agent must have an answer. */
  readonly isOver: Promise<null>;
}

interface OwnJudgement {
  /** The answer for the agent, in its own format; empty for none. */
  readonly text: string;
  readonly outcome: Outcome;
  readonly rule: string | null;
  readonly hits: readonly GuardHitEntry[];
}

/**
 * Judges a call that no service has answered. The hook program loads this only then. Null for another event, or if no guard
 * rules act. Asks the user about a call that cannot be judged in time either.
 */
export async function judgeUnanswered(unanswered: Unanswered): Promise<OwnJudgement | null> {
  const { home, userHome, temporary, caller, input, entry } = unanswered;
  const event = readHook(input, caller)?.event ?? null;
  if (event === null || !isNamed(event, judgedEvents)) return null;
  const store = new SettingsStore({
    home,
    platform: process.platform,
    clock: systemClock,
    // `purser doctor` reports these: a hook has no one to notify.
    onProblem: () => undefined,
  });
  const { guardMode, guardFamilies } = store.of(event.cwd ?? null);
  const settings = { guardMode, guardFamilies };
  if (!isGuarding(settings)) return null;
  const { hasTeams, isPosted } = defaultHookContext;
  const about = { hasTeams, isPosted, program: caller, isAttended: isAttended(entry) };
  const { guardRules, trustedFolders } = home;
  const task = { home: { guardRules, trustedFolders }, userHome, temporary, event, about, settings };
  const done = await Promise.race([
    judgeInThread(task, unanswered.program).catch(() => null),
    unanswered.isOver,
  ]);
  const { answer, hits } = done ?? notJudged(task);
  const honoured = honouredPart(event, answer ?? {}, caller);
  return {
    text: writeAnswer(event.hook_event_name, honoured, caller),
    outcome: outcomeOf(honoured),
    rule: honoured.rule ?? null,
    hits,
  };
}

/** A thread can be abandoned when time is over, even while it loads the rules. */
function judgeInThread(task: CallTask, program: string): Promise<CallDone> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(program, { resourceLimits: shortLimits });
    thread.once("message", (done: CallDone) => resolve(done));
    thread.once("error", reject);
    thread.once("exit", () => reject(new Error("the thread has ended")));
    thread.postMessage(task);
  });
}

function notJudged({ event, about, settings }: CallTask): CallDone {
  const hits: GuardHitEntry[] = [];
  const handler = callGuardHandler({
    ...silentPorts(settings, hits),
    judge: () => [],
    contextOf: (folder) => ({ folder, home: "", project: null, temporary: "" }),
  });
  const answer = handler.missed?.(event, { ...defaultHookContext, ...about }) ?? null;
  return { answer, hits: hits.map((hit) => ({ ...hit, rule: rules.alone })) };
}

const stopping: ReadonlySet<string> = new Set(["asked", "denied"]);

/** Ports of a guard that knows no session: it asks and denies, but gives no advice, which may be a repeat. */
export function silentPorts(
  settings: CallTask["settings"],
  hits: GuardHitEntry[],
): Omit<CallGuardPorts, "judge" | "contextOf"> {
  const modeOf = (family: GuardFamily) => modeIn(family, settings);
  return {
    modeOf,
    isOn: () => true,
    record: (entries) => hits.push(...entries.filter(({ done }) => stopping.has(done))),
    sent: { has: () => true, add: () => undefined },
    isSilent: () => true,
    now: () => Date.now(),
  };
}

/** A call for the thread, as plain data. */
export interface CallTask {
  readonly userHome: string;
  readonly temporary: string;
  readonly home: Pick<PurserPaths, "guardRules" | "trustedFolders">;
  readonly event: JudgedEvent;
  readonly about: Omit<HookContext, "signal" | "answered">;
  readonly settings: GuardModes;
}

export interface CallDone {
  readonly answer: HookAnswer | null;
  readonly hits: readonly GuardHitEntry[];
}

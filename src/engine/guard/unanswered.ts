import { Worker } from "node:worker_threads";
import type { PurserPaths } from "../base/paths.ts";
import { shortLimits } from "../base/process.ts";
import { systemClock } from "../base/timing.ts";
import { callGuardHandler } from "./calls/calls-handler.ts";
import { judgedEvents } from "./calls/not-judged.ts";
import type { GuardHitEntry } from "./hit-entry.ts";
import { type Outcome, outcomeOf, isNamed, readHook, honouredPart, writeAnswer } from "../hooks/event.ts";
import { defaultHookContext } from "../hooks/hooks-handler.ts";
import { isAttended, type HookCaller } from "../hooks/program.ts";
import { isGuarding } from "../settings/guard.ts";
import { SettingsStore } from "../settings/settings-store.ts";
import { type CallDone, type CallTask, silentPorts } from "./host/judging/judging-ports.ts";

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
 * Judges a call about which no service has answered, as the service would. Only the hook program loads this, and only then. Null where
 * there is nothing to judge: another event, or no guard rules that act. Where the call cannot be judged in time either, it is asked about.
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

/** A thread can be left alone when the time is over, while it still loads the rules. */
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
  return { answer: handler.missed?.(event, { ...defaultHookContext, ...about }) ?? null, hits };
}

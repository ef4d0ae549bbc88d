import type { HookAnswer } from "../../hooks/event/hooks-answer.ts";
import { isHonoured, permissionsOf } from "../../hooks/event/write-answer.ts";
import { defaultHookContext, type HookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import type { GuardFamily, GuardMode } from "../../settings/guard.ts";
import { hitEntry, type GuardHitEntry } from "../hit-entry.ts";
import type { ToldBefore } from "../told-before.ts";
import type { ShellContext } from "../commands/invocation.ts";
import { decide, type Decision } from "./decide.ts";
import { guardAnswer } from "./describe-calls.ts";
import type { GuardedCall } from "./find-hits.ts";
import { guardedCall } from "./from-event.ts";
import { aboutNotJudged, judgedEvents, type JudgedEvent } from "./not-judged.ts";
import type { Hit } from "./rule-set.ts";

export interface CallGuardPorts {
  /** Returns the rules that fire on a call. */
  readonly judge: (call: GuardedCall, context: ShellContext) => readonly Hit[] | Promise<readonly Hit[]>;
  readonly modeOf: (family: GuardFamily, folder: string | null) => GuardMode;
  /** Whether any family is more than off for sessions of a folder. */
  readonly isOn: (folder: string | null) => boolean;
  readonly contextOf: (folder: string | null) => ShellContext;
  /** Records what was done, in the background. */
  readonly record: (entries: readonly GuardHitEntry[]) => void;
  readonly told: Pick<ToldBefore, "has" | "add">;
  /** Whether a rule's advice has fallen silent, as it does not help. */
  readonly isSilent: (rule: string) => boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** How much longer a call waits while rules are loaded, or the machine is busy: a call that is judged too late is asked about. Milliseconds. */
const patience = 2000;

/**
 * Judges each tool call before it runs. Where rules only observe, it answers nothing and records what they would do. Advice is given once
 * for each rule and session, a question or a denial every time.
 */
export function callGuardHandler(ports: CallGuardPorts): HookHandler<(typeof judgedEvents)[number]> {
  const answer = (
    event: JudgedEvent,
    about: HookContext = defaultHookContext,
  ): HookAnswer | null | Promise<HookAnswer | null> => {
    const folder = event.cwd ?? null;
    const call = ports.isOn(folder) ? guardedCall(event) : null;
    if (call === null) return null;
    const hits = ports.judge(call, ports.contextOf(folder));
    if (hits instanceof Promise) return hits.then((found) => act(event, found, about));
    return act(event, hits, about);
  };

  const act = (event: JudgedEvent, hits: readonly Hit[], about: HookContext): HookAnswer | null => {
    if (hits.length === 0) return null;
    const { cwd: folder = null, session_id: session, hook_event_name: name } = event;
    const { program } = about;
    const { isSkill, takesQuestions, canDeny } = powersOver(event, about);
    const decided = decide(hits, {
      modeOf: (family) => ports.modeOf(family, folder),
      canAsk: takesQuestions && (about.isAttended || isSkill),
      canDeny,
      canAdvise: isHonoured("context", name, program),
      isTold: (rule) => ports.told.has(session, rule),
      isSilent: ports.isSilent,
    });
    const decisions = decided.map((each): Decision =>
      isSkill && each.done === "asked" ? { ...each, done: "denied" } : each,
    );
    const advised = decisions.filter(({ done }) => done === "advised");
    ports.told.add(
      session,
      advised.map(({ hit }) => ({ rule: hit.rule.id })),
    );
    if (decisions.length > 0)
      ports.record(decisions.map((each) => entryOf(each, event, program, ports.now())));
    return guardAnswer(decisions);
  };

  const missed = (event: JudgedEvent, about: HookContext): HookAnswer | null => {
    const folder = event.cwd ?? null;
    const call = ports.isOn(folder) ? guardedCall(event) : null;
    if (call === null) return null;
    const { isSkill, takesQuestions, canDeny } = powersOver(event, about);
    const { entry, answer } = aboutNotJudged(event, call, {
      canAsk: takesQuestions && about.isAttended && !isSkill,
      canDeny,
      program: about.program,
      modeOf: (family) => ports.modeOf(family, folder),
      at: ports.now(),
    });
    ports.record([entry]);
    return answer;
  };

  return { name: "calls", events: judgedEvents, budget: 300, patience, answer, missed };
}

/** What an answer can do about a call. */
function powersOver({ hook_event_name: name }: JudgedEvent, { program }: HookContext) {
  const permissions = isHonoured("permission", name, program) ? permissionsOf(program) : [];
  // A skill's command has no permission prompt: a question would stop it too, without being asked.
  const isSkill = name === "PreSkillShellCommand";
  return {
    isSkill,
    takesQuestions: permissions.includes("ask"),
    canDeny: permissions.includes("deny"),
  };
}

function entryOf(
  { hit, action, done }: Decision,
  event: JudgedEvent,
  program: string,
  at: number,
): GuardHitEntry {
  const { id: rule, family } = hit.rule;
  return hitEntry(event, { rule, family, action, done, excerpt: hit.excerpt, program, at });
}

import type { HookAnswer } from "../../hooks/event/answer.ts";
import type { EventNamed } from "../../hooks/event/event.ts";
import { toolCallOf } from "../../hooks/event/tool-call.ts";
import { isHonoured, permissionsOf } from "../../hooks/event/write-answer.ts";
import { defaultHookContext, type HookContext, type HookHandler } from "../../hooks/handler.ts";
import type { GuardFamily, GuardMode } from "../../settings/guard.ts";
import { hitEntry, type GuardHitEntry } from "../hit-entry.ts";
import type { ToldBefore } from "../told-before.ts";
import type { ShellContext } from "../commands/invocation.ts";
import { decide, type Decision } from "./decide.ts";
import { guardAnswer } from "./describe.ts";
import { judgedEvents, lateEntry } from "./not-judged.ts";
import type { GuardedCall } from "./find-hits.ts";
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

type CallEvent = EventNamed<(typeof judgedEvents)[number]>;

/** How much longer a call waits while rules are loaded, or the machine is busy: an answer that comes late lets the call pass. Milliseconds. */
const patience = 2000;

/**
 * Judges each tool call before it runs. Where rules only observe, it answers nothing and records what they would do. Advice is given once
 * for each rule and session, a question or a denial every time.
 */
export function callGuardHandler(ports: CallGuardPorts): HookHandler<(typeof judgedEvents)[number]> {
  const answer = (
    event: CallEvent,
    about: HookContext = defaultHookContext,
  ): HookAnswer | null | Promise<HookAnswer | null> => {
    const folder = event.cwd ?? null;
    const call = ports.isOn(folder) ? guardedCall(event) : null;
    if (call === null) return null;
    const hits = ports.judge(call, ports.contextOf(folder));
    if (hits instanceof Promise) return hits.then((found) => act(event, found, about));
    return act(event, hits, about);
  };

  const act = (
    event: CallEvent,
    hits: readonly Hit[],
    { program, isAttended }: HookContext,
  ): HookAnswer | null => {
    if (hits.length === 0) return null;
    const { cwd: folder = null, session_id: session } = event;
    const { hook_event_name: name } = event;
    const permissions = isHonoured("permission", name, program) ? permissionsOf(program) : [];
    // A skill's command has no permission prompt: a question would stop it too, without being asked.
    const isSkill = name === "PreSkillShellCommand";
    const decided = decide(hits, {
      modeOf: (family) => ports.modeOf(family, folder),
      canAsk: (isAttended || isSkill) && permissions.includes("ask"),
      canDeny: permissions.includes("deny"),
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

  const missed = (event: CallEvent, { program }: HookContext): void => {
    const call = ports.isOn(event.cwd ?? null) ? guardedCall(event) : null;
    if (call === null) return;
    const excerpt = call.kind === "command" ? call.command : call.file;
    ports.record([lateEntry(event, { program, excerpt, at: ports.now() })]);
  };

  return { name: "calls", events: judgedEvents, budget: 300, patience, answer, missed };
}

/** Returns the call as guard rules look at it; null for a tool that none of them concerns. */
function guardedCall(event: Pick<CallEvent, "tool_name" | "tool_input">): GuardedCall | null {
  const call = toolCallOf(event);
  if (call.kind === "command") {
    const shell = call.tool.toLowerCase() === "powershell" ? "powershell" : "posix";
    return call.command === null ? null : { kind: "command", command: call.command, shell };
  }
  if (call.kind !== "edit" && call.kind !== "read") return null;
  if (call.file === null) return null;
  return { kind: "file", tool: call.kind, file: call.file, content: call.kind === "edit" ? call.text : null };
}

function entryOf(
  { hit, action, done }: Decision,
  event: CallEvent,
  program: string,
  at: number,
): GuardHitEntry {
  const { id: rule, family } = hit.rule;
  return hitEntry(event, { rule, family, action, done, excerpt: hit.excerpt, program, at });
}

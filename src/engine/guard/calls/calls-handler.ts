import { permissionsOf, isHonoured, type HookAnswer, toolCallOf } from "../../hooks/event.ts";
import { defaultHookContext, type HookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import type { GuardFamily, GuardMode } from "../../settings/guard.ts";
import { hitEntry, type GuardHitEntry } from "../hit-entry.ts";
import { outcomeOf, type HitOutcome, type SentAdvice } from "../delivery.ts";
import type { ShellContext } from "../commands/invocation.ts";
import { actionOf, type RuleAction } from "./rule-action.ts";
import type { GuardedCall } from "./find-hits.ts";
import { aboutNotJudged, judgedEvents, judgedKinds, type JudgedEvent } from "./not-judged.ts";
import type { Hit } from "./rule-set.ts";

export interface CallGuardPorts {
  /** Returns the rules that fire on a call. */
  readonly judge: (
    call: GuardedCall,
    context: ShellContext,
    by?: CallIds,
  ) => readonly Hit[] | Promise<readonly Hit[]>;
  readonly modeOf: (family: GuardFamily, folder: string | null, session: string | null) => GuardMode;
  /** Whether any family is on or observes in sessions of a folder. */
  readonly isOn: (folder: string | null) => boolean;
  readonly contextOf: (folder: string | null) => ShellContext;
  /** Records the guard's actions, in the background. */
  readonly record: (entries: readonly GuardHitEntry[]) => void;
  readonly sent: Pick<SentAdvice, "has" | "add">;
  /** Whether a rule's advice is silent because it does not help. */
  readonly isSilent: (rule: string) => boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Whose call it is. `use` is its id for the agent, undefined if the agent gives none. */
interface CallIds {
  readonly session: string;
  readonly use: string | undefined;
}

interface Decision {
  readonly hit: Hit;
  /** What the rule does where its family is on. */
  readonly action: RuleAction;
  readonly done: HitOutcome;
}

export interface DecisionContext {
  readonly modeOf: (family: GuardFamily, action: RuleAction) => GuardMode;
  /** Whether the agent takes questions and a person sees them. */
  readonly canAsk: boolean;
  readonly canDeny: boolean;
  readonly canAdvise: boolean;
  /** Whether the session has had a rule's advice. */
  readonly isSent: (rule: string) => boolean;
  readonly isSilent: (rule: string) => boolean;
}

/** Decides the action for each rule that fires on a call. Rules of a family that is off do not count. */
export function decideHits(hits: readonly Hit[], context: DecisionContext): Decision[] {
  const { modeOf, isSent, isSilent, ...powers } = context;
  return hits.flatMap((hit): Decision[] => {
    const { rule } = hit;
    const action = actionOf(rule);
    const mode = modeOf(rule.family, action);
    if (mode === "off") return [];
    const delivery = { ...powers, mode, isSent: () => isSent(rule.id), isSilent: () => isSilent(rule.id) };
    return [{ hit, action, done: outcomeOf(action, delivery, hit) }];
  });
}

/** Additional wait while rules load or the machine is busy: purser asks about a call that is judged too late. Milliseconds. */
const patience = 2000;

/**
 * Judges each tool call before it runs. Rules that only observe give no answer, and their action is recorded. Advice is given once
 * per rule and session, a question or a denial every time.
 */
export function callGuardHandler(ports: CallGuardPorts): HookHandler<(typeof judgedEvents)[number]> {
  const missed = (event: JudgedEvent, about: HookContext): HookAnswer | null => {
    const folder = event.cwd ?? null;
    const call = ports.isOn(folder) ? (guardedCall(event) ?? unreadCall(event)) : null;
    if (call === null) return null;
    const { isSkill, takesQuestions, canDeny } = powersOver(event, about);
    const missing = aboutNotJudged(event, call, {
      canAsk: takesQuestions && about.isAttended && !isSkill,
      canDeny,
      program: about.program,
      modeOf: (family) => ports.modeOf(family, folder, null),
      at: ports.now(),
    });
    if (missing === null) return null;
    ports.record([missing.entry]);
    return missing.answer;
  };

  const answer = (
    event: JudgedEvent,
    about: HookContext = defaultHookContext,
  ): HookAnswer | null | Promise<HookAnswer | null> => {
    const folder = event.cwd ?? null;
    const call = ports.isOn(folder) ? guardedCall(event) : null;
    if (call === null) return missed(event, about);
    const hits = ports.judge(call, ports.contextOf(folder), {
      session: event.session_id,
      use: event.tool_use_id,
    });
    if (hits instanceof Promise) return hits.then((found) => act(event, found, about));
    return act(event, hits, about);
  };

  const act = (event: JudgedEvent, hits: readonly Hit[], about: HookContext): HookAnswer | null => {
    if (hits.length === 0) return null;
    const { cwd: folder = null, session_id: session, hook_event_name: name } = event;
    const { program } = about;
    const { isSkill, takesQuestions, canDeny } = powersOver(event, about);
    const decided = decideHits(hits, {
      // A trial withholds advice, never a question or a denial, such as a user's own in a family on trial.
      modeOf: (family, action) => ports.modeOf(family, folder, action === "advise" ? session : null),
      canAsk: takesQuestions && (about.isAttended || isSkill),
      canDeny,
      canAdvise: isHonoured("context", name, program),
      isSent: (rule) => ports.sent.has(session, rule),
      isSilent: ports.isSilent,
    });
    const decisions = decided.map((each): Decision =>
      isSkill && each.done === "asked" ? { ...each, done: "denied" } : each,
    );
    const advised = decisions.filter(({ done }) => done === "advised");
    ports.sent.add(
      session,
      advised.map(({ hit }) => ({ rule: hit.rule.id })),
    );
    if (decisions.length > 0)
      ports.record(decisions.map((each) => entryOf(each, event, program, ports.now())));
    return guardAnswer(decisions);
  };

  return { name: "calls", events: judgedEvents, budget: 300, patience, answer, missed };
}

/** What an answer can do about a call. */
function powersOver({ hook_event_name: name }: JudgedEvent, { program }: HookContext) {
  const permissions = isHonoured("permission", name, program) ? permissionsOf(program) : [];
  // A skill's command has no permission prompt: a question would stop it without being shown.
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

interface ToolUse {
  readonly tool_name?: string | undefined;
  readonly tool_input?: unknown;
}

/** Returns the call as guard rules see it; null for a tool without rules. */
export function guardedCall(event: ToolUse): GuardedCall | null {
  const call = toolCallOf(event);
  if (call.kind === "command") {
    const shell = call.tool.toLowerCase() === "powershell" ? "powershell" : "posix";
    return call.command === null ? null : { kind: "command", command: call.command, shell };
  }
  if (call.kind !== "edit" && call.kind !== "read") return null;
  if (call.file === null) return null;
  const { kind, file } = call;
  return kind === "edit"
    ? { kind: "file", tool: kind, file, content: call.text, removed: call.removed ?? null }
    : { kind: "file", tool: kind, file, content: null };
}

/** Returns a call without its input, which was too long to be read; null for another call. */
function unreadCall(event: ToolUse): GuardedCall | null {
  if (event.tool_input !== undefined) return null;
  const isJudged = event.tool_name === undefined || judgedKinds.has(toolCallOf(event).kind);
  return isJudged ? { kind: "command", command: "", shell: "posix" } : null;
}

/** Returns the answer for the agent; null if there is none. */
function guardAnswer(decisions: readonly Decision[]): HookAnswer | null {
  const all = (done: HitOutcome): readonly Decision[] =>
    decisions.filter((decision) => decision.done === done);
  const [denied, asked, advised] = [all("denied"), all("asked"), all("advised")];
  const stopping = denied.length > 0 ? denied : asked;
  const rules = [...stopping, ...advised].map(({ hit }) => hit.rule.id);
  if (rules.length === 0) return null;
  return {
    rule: rules.join(" "),
    ...(advised.length === 0 ? {} : { context: describeDecisions(advised) }),
    ...(stopping.length === 0
      ? {}
      : {
          permission: {
            decision: denied.length > 0 ? "deny" : "ask",
            reason: describeDecisions([...stopping, ...(denied.length > 0 ? asked : [])]),
          },
        }),
  };
}

/** Returns a line for each rule: what the call would do and what to do instead. */
function describeDecisions(decisions: readonly Decision[]): string {
  return decisions
    .map(({ hit: { rule } }) => `Context Purser (${rule.id}): ${rule.message} ${rule.remedy}`)
    .join("\n");
}

import * as z from "zod/mini";
import { wholeNumber } from "../base/format.ts";
import { inTime } from "../base/timing.ts";
import type { SessionMemory } from "../base/per-session.ts";
import type { AdviceFigures } from "../hooks/advice.ts";
import type { GuardSettings } from "../settings/guard.ts";
import type { EventNamed, HookAnswer } from "../hooks/event.ts";
import type { HookHandler } from "../hooks/hooks-handler.ts";
import {
  type VerificationDebt,
  checksNotRun,
  type ProjectCheck,
  namedChecks,
  namedFiles,
} from "../guard/work.ts";
import {
  afterTool,
  isAboutTodos,
  noWork,
  openTodos,
  openWork,
  type EndedCall,
  type OpenWork,
} from "./open-work.ts";

const events = ["UserPromptSubmit", "PreToolUse", "PostToolBatch", "PostToolUse", "Stop"] as const;
type Name = (typeof events)[number];

interface GatePorts {
  readonly mode: (session: string) => GuardSettings["stopGate"];
  readonly adviceOf: (sessionId: string) => AdviceFigures | undefined;
  readonly memory: Pick<SessionMemory, "part">;
  /** Returns what a session has edited, and which edits were checked. */
  readonly debtOf: (sessionId: string) => VerificationDebt;
  readonly todosAfterRewind: (sessionId: string) => Promise<number | null>;
  /** The checks that the project of a folder has. */
  readonly checksOf: (folder: string | null) => Promise<readonly ProjectCheck[]>;
}

const gate = z.object({
  work: openWork,
  /**
   * Whether hooks report each call. A batch then adds nothing new, and does not show which calls were
   * refused.
   */
  hearsCalls: z.boolean(),
  /** True if the agent was already asked in this turn. */
  wasAsked: z.boolean(),
  /** The open work in the last question. The agent is not asked about the same work again. */
  asked: z.string().check(z.maxLength(2000)),
  /** Number of compactions at the last request to sum up: once per context. */
  summedUp: z.nullable(z.int().check(z.nonnegative())),
});
type Gate = Readonly<z.infer<typeof gate>>;

const fresh: Gate = { work: noWork, hearsCalls: false, wasAsked: false, asked: "", summedUp: null };
/** An agent with no more than this share left is not asked to continue. Percent. */
const room = 50;
/** Maximum wait for a session's transcript; only new rows are read. Milliseconds. */
const maxWaitMs = 100;

interface Ending {
  readonly figures: AdviceFigures;
  /** Share of the context left. Percent. */
  readonly left: number;
  /** Description of the open work. Null if there is none. */
  readonly open: string | null;
}

/**
 * When an agent stops with more than half of its context left and open work, asks once whether that is
 * intended. When the advice is to end the turn, asks it once to sum up for its successor. If the agent
 * shows hook texts to its user, the user can be informed instead. An agent honours `decision: "block"` with a
 * reason here. `stop_hook_active` means that it already continues for one.
 */
export function stopGateHandler({
  mode,
  adviceOf,
  memory,
  debtOf,
  todosAfterRewind,
  checksOf,
}: GatePorts): HookHandler<Name> {
  const sessions = memory.part("stop-gate", { schema: gate, empty: fresh });

  /** No hook reports that a person went back; only the transcript shows it. */
  const todosLeftIn = async (session: string): Promise<number | null> => {
    if (openTodos(sessions.of(session).work) === 0) return null;
    const found: { left: number | null } = { left: null };
    const reading = todosAfterRewind(session).then((left) => {
      found.left = left;
    });
    await inTime(reading, maxWaitMs);
    return found.left;
  };

  const stopped = async (event: EventNamed<"Stop">): Promise<HookAnswer | null> => {
    const chosen = mode(event.session_id);
    if (chosen === "off" || sessions.of(event.session_id).wasAsked || isMeant(event)) return null;
    const debt = debtOf(event.session_id);
    const checks = debt.unverified.length === 0 ? [] : await checksOf(event.cwd ?? null);
    const todosLeft = await todosLeftIn(event.session_id);
    const held = sessions.of(event.session_id);
    const figures = adviceOf(event.session_id);
    const left = shareLeft(figures);
    if (figures === undefined || left === null) return null;
    const work = remainingWork(held.work, todosLeft);
    const ending = { figures, left, open: describeWork(work, { debt, checks, cwd: event.cwd }) };
    const asked = figures.advice === "END_TURN" ? summing(held, ending) : going(held, ending);
    if (asked === null) return null;
    sessions.set(event.session_id, { ...asked.held, wasAsked: true });
    if (chosen === "advise")
      return { notice: `Context Purser: ${asked.fact}. ${asked.hint}`, rule: asked.rule };
    return { block: `Context Purser asks once: ${asked.fact}. ${asked.question}`, rule: asked.rule };
  };

  const answer = (event: EventNamed<Name>): HookAnswer | null | Promise<HookAnswer | null> => {
    const id = event.session_id;
    const isOwn = event.agent_id === undefined;
    switch (event.hook_event_name) {
      case "UserPromptSubmit":
        if (isOwn) sessions.set(id, { ...sessions.of(id), wasAsked: false });
        return null;
      case "PreToolUse":
      case "PostToolUse":
      case "PostToolBatch":
        follow(event, isOwn);
        return null;
      case "Stop":
        return isOwn ? stopped(event) : null;
    }
  };

  const follow = (event: EventNamed<"PreToolUse" | "PostToolUse" | "PostToolBatch">, isOwn: boolean) => {
    const held = sessions.of(event.session_id);
    const calls = endedIn(event, held).filter(isAboutTodos);
    const hearsCalls = held.hearsCalls || (event.hook_event_name !== "PostToolBatch" && isAboutTodos(event));
    if (calls.length === 0 && hearsCalls === held.hearsCalls) return;
    const work = calls.reduce((last, call) => afterTool(last, call, { isOwn }), held.work);
    sessions.set(event.session_id, { ...held, work, hearsCalls });
  };

  return { name: "stop-gate", events, budget: 200, answer };
}

/**
 * Leaves out todos that a person removed by going back.
 * @param left null if nobody went back
 */
function remainingWork(work: OpenWork, left: number | null): OpenWork {
  return left === null ? work : { ...noWork, todos: Math.min(openTodos(work), left) };
}

/** A question at the end of a turn, and the state to remember with it. */
interface Asked {
  readonly held: Gate;
  readonly fact: string;
  readonly question: string;
  /** Text for its user. */
  readonly hint: string;
  readonly rule: string;
}

/**
 * Asks whether stopping with open work and this much room is intended. Null if nothing is open, or after the
 * same question.
 */
function going(held: Gate, { left, open }: Ending): Asked | null {
  if (left <= room || open === null || open === held.asked) return null;
  return {
    held: { ...held, asked: open },
    fact: `the turn ends with ${Math.floor(left)}% of the context left and open work: ${open}`,
    question: "If that is meant, say so in a sentence and stop; else finish it.",
    hint: "Ask the agent to go on, or leave it.",
    rule: "stop-gate",
  };
}

/** Asks to sum up for a successor. Null if this context was already asked. */
function summing(held: Gate, { left, open, figures }: Ending): Asked | null {
  if (held.summedUp !== null && figures.compactions <= held.summedUp) return null;
  const used = `${wholeNumber(figures.tokens)} of ${wholeNumber(figures.window)} tokens used`;
  const what = open === null ? "" : ` and open work: ${open}`;
  return {
    held: { ...held, summedUp: figures.compactions },
    fact: `the turn ends with ${Math.floor(Math.max(0, left))}% of the context left (${used})${what}`,
    question:
      "Start nothing new. For a new session that goes on, sum up what was asked, what is done and how it was checked, " +
      "what is open, and the next step; then stop.",
    hint: "Have the agent sum up, and go on in a new session.",
    rule: "sum-up",
  };
}

/**
 * True if the agent was already made to continue, only plans, waits for background tasks, or asks the user.
 */
function isMeant({
  stop_hook_active: isKept,
  permission_mode: permissions,
  background_tasks: tasks = [],
  last_assistant_message: lastMessage = "",
}: EventNamed<"Stop">): boolean {
  return (
    isKept === true ||
    permissions === "plan" ||
    tasks.length > 0 ||
    /\?["'*_)\s]*$/u.test(lastMessage.slice(-20))
  );
}

/** Returns the calls that an event ends. A hook before a call ends none. */
function endedIn(
  event: EventNamed<"PreToolUse" | "PostToolUse" | "PostToolBatch">,
  { hearsCalls }: Gate,
): readonly EndedCall[] {
  if (event.hook_event_name === "PreToolUse") return [];
  if (event.hook_event_name === "PostToolUse") return [event];
  return hearsCalls ? [] : (event.tool_calls ?? []);
}

function shareLeft(figures: AdviceFigures | undefined): number | null {
  if (figures === undefined || !(figures.window > 0)) return null;
  return 100 - (100 * figures.tokens) / figures.window;
}

interface Unverified {
  readonly debt: VerificationDebt;
  readonly checks: readonly ProjectCheck[];
  readonly cwd: string | undefined;
}

/** Null if nothing is open. */
function describeWork(work: OpenWork, { debt, checks, cwd }: Unverified): string | null {
  const todos = openTodos(work);
  const files = debt.unverified;
  const parts: string[] = [];
  if (todos > 0) parts.push(`${todos} unfinished ${todos === 1 ? "todo" : "todos"}`);
  if (files.length > 0) {
    const missing = namedChecks(checksNotRun(debt, checks));
    const notRun = missing === "" ? "" : `, not run since: ${missing}`;
    parts.push(`edits that no check has passed since (${namedFiles(files, cwd)}${notRun})`);
  }
  return parts.length === 0 ? null : parts.join("; ");
}

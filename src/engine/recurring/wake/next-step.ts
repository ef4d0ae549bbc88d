import path from "node:path";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { WakeRow, WakeSource } from "../../ledger/woken.ts";
import type { RecurringAgent } from "../agents/definition.ts";
import type { Allowed } from "../programs/allowed.ts";
import { chooseTask } from "../tasks/wake-cause.ts";
import { Desk, unseen } from "../tasks/desk.ts";
import type { TaskSource } from "../tasks/tasks-source.ts";
import type { Task, TaskComment } from "../tasks/task.ts";
import type { AgentPlace } from "./agent-folder.ts";
import type { WakePorts } from "./recurring-wake-ports.ts";
import { chooseSession, rotationCause, type SessionChoice } from "./session-rotation.ts";
import { pauseEnd } from "./due.ts";
import { newsFor, type SessionNews, wakePrompt } from "./stable-prompt.ts";
import { processingTokens, usedToday } from "../figures/day-spending.ts";
import type { LearnedRotation } from "../recurring-answers.ts";
import type { AgentState } from "./recurring-wake-state.ts";
import { sentence } from "../../base/language.ts";

export interface WakeRequest {
  readonly agent: RecurringAgent;
  readonly project: string;
  readonly place: AgentPlace;
  /** Null lets the agent's inbox decide. */
  readonly taskId: string | null;
  readonly source: WakeSource;
  /** The scheduled time it is for; null for any other wake. Milliseconds since the epoch. */
  readonly slot: number | null;
  readonly isForced: boolean;
  readonly by: "service" | "terminal";
}

export interface WakePlan {
  readonly request: WakeRequest;
  /** Absolute. */
  readonly folder: string;
  readonly tasks: TaskSource;
  readonly thread: { readonly task: Task; readonly comments: readonly TaskComment[] } | null;
  readonly sessionNews: SessionNews;
  readonly newsIfLost: SessionNews;
  readonly choice: SessionChoice;
  readonly allowed: Allowed;
  /** From the agent's last wakes of this kind; null without any. Processing tokens, and USD. */
  readonly expected: Expected;
  readonly promptChars: number;
  /** Null if unknown. */
  readonly learned: LearnedRotation | null;
  /** Open ones of the agent. */
  readonly assigned: readonly string[];
}

interface Expected {
  readonly tokens: number | null;
  readonly usd: number | null;
}

/**
 * `not_agreed`: its tasks come from a command without consent; `nothing_to_do`: all its tasks are closed, or
 * its task is blocked without news; `over_budget`: today's tokens are used; `paused`: the last wake
 * could not reach its model; `session_open`: another process has its session open.
 */
export type PlanFault =
  | "not_agreed"
  | "no_such_task"
  | "bad_task"
  | "source_failed"
  | "nothing_to_do"
  | "over_budget"
  | "paused"
  | "session_open"
  | "no_such_folder"
  | "no_such_server";

export async function planWake(
  request: WakeRequest,
  state: AgentState,
  ports: WakePorts,
): Promise<Result<WakePlan, PlanFault>> {
  const { agent, project, place, source } = request;
  const now = ports.clock.now();
  const folder = path.resolve(project, agent.folder);
  if (!(await isFolder(folder, ports)))
    return fail("no_such_folder", sentence("{0} works in {1}, which is no folder", agent.name, folder));
  const pausedUntil = pauseEnd(state.pause, now);
  if (request.slot !== null && pausedUntil !== null)
    return fail(
      "paused",
      sentence(
        "the last wake could not reach its model; no wake by schedule before {0}",
        new Date(pausedUntil).toISOString(),
      ),
    );
  const used = usedToday(state, now);
  if (agent.budget.day !== undefined && used >= agent.budget.day)
    return fail(
      "over_budget",
      sentence("today's wakes used {0} of {1} tokens; the day ends at midnight UTC", used, agent.budget.day),
    );
  const allowed = ports.allowedOf(agent, folder);
  if (!allowed.ok) return fail("no_such_server", allowed.detail);
  const opened = ports.sourceOf(agent, project);
  if (!opened.ok) return opened;
  const tasks = opened.value;
  const desk = new Desk(place.desk);
  const chosen = await chooseTask(
    {
      agent: agent.name,
      taskId: request.taskId,
      source,
      earlier: state.recent.map(({ taskId }) => taskId),
      assigned: state.assigned,
      cursorOf: (id) => desk.cursorOf(id),
    },
    tasks,
  );
  if (!chosen.ok) return chosen;
  const { thread, all, assigned } = chosen.value;
  const learned = await ports.learnedRotation(agent);
  const key = thread?.task.id ?? "";
  const own = Object.hasOwn(state.sessions, key) ? state.sessions[key] : undefined;
  const isThere = own !== undefined && own.isStuck !== true && (await ports.hasSession(own));
  const choice = chooseSession(
    {
      task: thread?.task.id ?? "",
      program: agent.program,
      model: agent.model,
      folder,
      isForced: request.isForced,
    },
    state.sessions,
    ({ id }) => isThere && id === own.id,
    (session) => rotationCause(session, agent, now, learned),
  );
  if (choice.resume !== null && (await ports.isOpen(choice.resume)))
    return fail(
      "session_open",
      sentence(
        "session {0} is open in another process; close it there, or begin a new one with --fresh",
        choice.resume.id,
      ),
    );
  const before = thread === null ? unseen : desk.cursorOf(thread.task.id);
  const known = { thread, all, before, agent: agent.name, source, trouble: troubleOf(state) };
  const { news } = newsFor("goes_on", known);
  if (
    source === "timer" &&
    news.context?.state === "blocked" &&
    news.comments.length === 0 &&
    news.context.changes.length === 0
  )
    return fail("nothing_to_do", sentence("{0} is blocked, and nothing about it is new", news.context.id));
  const newsIfLost = newsFor("lost", known);
  const sessionNews =
    choice.reason === "invalid_resume"
      ? newsIfLost
      : newsFor(choice.resume === null ? "new" : "goes_on", known);
  const { text } = wakePrompt(agent, sessionNews.news, { isNew: choice.resume === null, carried: null });
  return succeed({
    request,
    folder,
    tasks,
    thread,
    sessionNews,
    newsIfLost,
    choice,
    allowed: allowed.value,
    expected: expectedOf(state.recent, choice),
    promptChars: text.length,
    learned,
    assigned,
  });
}

async function isFolder(folder: string, { files }: WakePorts): Promise<boolean> {
  try {
    return (await files.kindOf(folder)) === "folder";
  } catch {
    return false;
  }
}

/** For an estimate. */
const maxKnownWakes = 10;

function expectedOf(recent: readonly WakeRow[], { resume }: SessionChoice): Expected {
  const similar = recent
    .filter(
      ({ reason, outcome, input }) =>
        (reason === "reused") === (resume !== null) && outcome === "completed" && input !== null,
    )
    .slice(-maxKnownWakes);
  return {
    tokens: middle(similar.map(processingTokens)),
    usd: middle(similar.flatMap(({ usd }) => usd ?? [])),
  };
}

function middle(values: readonly number[]): number | null {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? null;
}

function troubleOf({ recent }: AgentState): string | null {
  const last = recent.at(-1);
  if (last === undefined || last.outcome === "completed" || last.outcome === "environment") return null;
  return `${last.outcome}${last.detail === null ? "" : ` (${last.detail.text.slice(0, 200)})`}`;
}

import { aboutDollars, wholeNumber } from "../../../engine/base/local-format.ts";
import type { WakePlanView } from "../../../engine/recurring/recurring-answers.ts";
import type { RecurringAgent, AgentOverview, WokenBy } from "../../../engine/recurring/agents.ts";
import { displayNameOf, handoverWords } from "../../../engine/continuity/handover.ts";
import { cleanText, shorten } from "../../../engine/base/text.ts";
import type { WakeJob } from "../../../engine/jobs/bench-answers.ts";
import type { WakeOutcome, WakeRow, WakeSource } from "../../../engine/ledger/woken.ts";
import { ago, describeSpan, type Translate } from "../../editor/describe-editor.ts";
import { inWords } from "../../../engine/base/language.ts";

/** Milliseconds. Shorter times are not shown as a figure. */
const minute = 60_000;

export type AgentState =
  "faulty" | "running" | "waiting" | "paused" | "unagreed" | "idle" | "due" | "scheduled" | "by hand";

/** The state of an agent that decides its icon and its first words. An agent without a schedule needs no agreement. */
export function agentState(overview: AgentOverview, { waker }: Pick<WokenBy, "waker">): AgentState {
  const { faults, agent, running, isBusy, pausedUntil, dueSince } = overview;
  if (agent === null || faults.length > 0) return "faulty";
  if (running !== null) return "running";
  if (isBusy) return "waiting";
  if (agent.schedule === undefined) return "by hand";
  if (isUnagreed(overview)) return "unagreed";
  if (pausedUntil !== null) return "paused";
  if (waker === "nobody") return "idle";
  return dueSince === null ? "scheduled" : "due";
}

/**
 * Whether an agent has a schedule and waits for its user's agreement. A wake by hand asks for the agreement
 * itself.
 */
export function isUnagreed({ agent, isAgreed }: AgentOverview): boolean {
  return agent?.schedule !== undefined && !isAgreed;
}

/** Options of texts about agents. */
export interface RecurringTextOptions {
  readonly t: Translate;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Describes who wakes an agent by its schedule. */
  readonly wokenBy: (overview: AgentOverview) => WokenBy;
  /** The wake of an agent that runs as a job, or waits for its turn. */
  readonly jobOf: (overview: AgentOverview) => WakeJob | undefined;
}

/** When an agent is woken next and by whom, or why it is not: `in 20 min by the service`. */
export function nextWakeText(
  overview: AgentOverview,
  { t, now, wokenBy, jobOf }: RecurringTextOptions,
): string {
  const { running, pausedUntil, dueSince, nextWake, faults } = overview;
  const by = wokenBy(overview);
  switch (agentState(overview, by)) {
    case "faulty": {
      const [fault] = faults;
      return fault === undefined
        ? t("cannot be woken")
        : t("line {0}: {1}", fault.line, cleanText(inWords(fault.message)));
    }
    case "running":
      if (now - (running?.at ?? now) < minute) return t("running");
      return t("running for {0}", describeSpan(now - (running?.at ?? now), t));
    case "waiting":
      return jobOf(overview) === undefined ? t("waits for your answer") : t("looks for what to do…");
    case "paused":
      return t("paused for {0}", describeSpan((pausedUntil ?? now) - now, t));
    case "unagreed":
      return t("not agreed to");
    case "due":
      if (now - (dueSince ?? now) < minute) return t("due now");
      return t("due for {0}", describeSpan(now - (dueSince ?? now), t));
    case "by hand":
      return t("only by hand");
    case "idle":
      return by.why === "not_trusted"
        ? t("nobody wakes it: the folder is not trusted")
        : t("nobody wakes it: wakes by schedule are off");
    case "scheduled":
      return scheduledText(nextWake === null ? null : nextWake - now, by, t);
  }
}

/** @param wait milliseconds; null for never */
function scheduledText(wait: number | null, { waker }: WokenBy, t: Translate): string {
  if (wait === null) return t("never");
  if (wait < minute)
    return waker === "cron"
      ? t("in less than a minute by your cron")
      : t("in less than a minute by the service");
  const span = describeSpan(wait, t);
  return waker === "cron" ? t("in {0} by your cron", span) : t("in {0} by the service", span);
}

/** Explains in one sentence who wakes an agent by its schedule. */
export function wokenByText({ waker, why }: WokenBy, t: Translate): string {
  switch (why) {
    case "faulty":
      return t("nobody: its file has faults");
    case "not_agreed":
      return t("nobody: its file is not agreed to");
    case "off":
      return t("nobody: purser.wakes.enabled is off");
    case "not_trusted":
      return t("nobody: the folder is not trusted");
    case null:
      break;
  }
  switch (waker) {
    case "service":
      return t("purser's service");
    case "cron":
      return t("your cron, with purser run");
    case "nobody":
      return t("nobody");
    case "person":
      return t("only you");
  }
}

/** `completed 2 h ago` */
export function wakeEndText({ outcome, endedAt }: WakeRow, now: number, t: Translate): string {
  return `${outcomeText(outcome, t)} ${ago(endedAt, now, t)}`;
}

/** How the last wake ended. */
export function lastWakeText({ wakes }: AgentOverview, now: number, t: Translate): string {
  const [last] = wakes;
  return last === undefined ? t("never woken") : wakeEndText(last, now, t);
}

export function outcomeText(outcome: WakeOutcome, t: Translate): string {
  switch (outcome) {
    case "completed":
      return t("completed");
    case "limit":
      return t("stopped at a limit");
    case "failed":
      return t("failed");
    case "environment":
      return t("no quota, login or network");
    case "cancelled":
      return t("cancelled");
    case "interrupted":
      return t("interrupted");
  }
}

export function sourceText(source: WakeSource, t: Translate): string {
  switch (source) {
    case "timer":
      return t("timer");
    case "assignment":
      return t("assignment");
    case "mention":
      return t("mention");
    case "manual":
      return t("by hand");
  }
}

/** Whether a wake continued a session, or why it started a new one. */
export function reasonText({ reason, cause }: Pick<WakeRow, "reason" | "cause">, t: Translate): string {
  switch (reason) {
    case "reused":
      return t("session reused");
    case "first":
      return t("new session: the first");
    case "forced":
      return t("new session: asked for");
    case "other_task":
      return t("new session: another task");
    case "other_folder":
      return t("new session: another folder");
    case "other_program":
      return t("new session: another program");
    case "other_model":
      return t("new session: another model");
    case "invalid_resume":
      return t("new session: the last one is gone");
    case "rotated":
      return cause === null ? t("new session: rotated") : t("new session: {0}", causeText(cause, t));
  }
}

function causeText(cause: NonNullable<WakeRow["cause"]>, t: Translate): string {
  switch (cause) {
    case "turns":
      return t("too many turns");
    case "input":
      return t("a wake cost more than a new session");
    case "age":
      return t("too old");
    case "cache_hits":
      return t("few cache hits");
    case "definition":
      return t("the agent's file changed");
  }
}

/** `Claude Code`; of a program that is not known any more, its word. */
export function programText(program: string): string {
  const word = handoverWords.find((each) => each === program);
  return word === undefined ? cleanText(program) : displayNameOf(word);
}

const [maxShownLength, maxListLength] = [80, 300];

/** Returns the question before a wake: one line each of the plan and its price, and the permissions agreed to where they are new. */
export function consentText(plan: WakePlanView, agent: RecurringAgent, t: Translate): string {
  const { task, session, tokens, most, usd, isAgreed } = plan;
  const shown = (text: string, length = maxShownLength) => shorten(cleanText(text), length);
  const price = usd === null ? t("price unknown") : aboutDollars(usd);
  const lines = [
    `${programText(plan.program)}, ${shown(plan.model)}`,
    session === null
      ? capitalized(reasonText(plan, t))
      : t("Goes on with its session: wake {0} of it", session.wakes + 1),
    task === null ? t("No task") : t("Task {0}: {1}", shown(task.id), shown(task.title)),
    tokens === null
      ? t("At most {0} new tokens; {1}, as no wake like it is known", wholeNumber(most), price)
      : t("About {0} new tokens, at most {1}; {2}", wholeNumber(tokens), wholeNumber(most), price),
  ];
  if (!isAgreed)
    lines.push("", t("You have not agreed to its file as it is now. By it, the agent:"), ...grants(agent, t));
  if (task !== null && task.check !== null && !task.isCheckAgreed)
    lines.push(
      "",
      t("When the agent hands the task in, this command checks it: {0}", shown(task.check, maxListLength)),
    );
  return lines.join("\n");
}

/** Describes the permissions in an agent's file. */
function grants(agent: RecurringAgent, t: Translate): string[] {
  const { tools, permissions, folder, tasks, schedule, skills, mcp } = agent;
  const listed = (names: readonly string[]) => shorten(cleanText(names.join(", ")), maxListLength);
  return [
    folder === "."
      ? t("works in the project's folder")
      : t("works in {0}", shorten(cleanText(folder), maxShownLength)),
    tools === "all" ? t("has all tools") : t("has the tools {0}", listed(tools)),
    ...(permissions.allow.length === 0 ? [] : [t("may also use {0}", listed(permissions.allow))]),
    ...(permissions.network ? [t("may reach the network")] : []),
    ...(skills === "all"
      ? [t("has all skills")]
      : skills.length === 0
        ? []
        : [t("has the skills {0}", listed(skills))]),
    ...(mcp.length === 0 ? [] : [t("has the MCP servers {0}", listed(mcp))]),
    ...(tasks === "folder"
      ? []
      : [t("gets its tasks from the command {0}", listed([tasks.command.join(" ")]))]),
    ...(schedule === undefined
      ? []
      : [t("may be woken unattended, at {0}", shorten(cleanText(schedule), maxShownLength))]),
  ].map((line) => `• ${line}`);
}

/** The button that spends, with its price. */
export function wakeButton({ usd }: WakePlanView, t: Translate): string {
  return usd === null ? t("Wake") : t("Wake · {0}", aboutDollars(usd));
}

function capitalized(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

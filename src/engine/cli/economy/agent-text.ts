import { cellsOf, padCells } from "../text-cells.ts";
import { plural, t } from "../../base/language.ts";
import { cleanText } from "../../base/text.ts";
import { dollars, shortNumber, wholeNumber } from "../../base/local-format.ts";
import { displayNameOf } from "../../continuity/handover.ts";
import { type RecurringAgent, abilities } from "../../recurring/agents.ts";
import type { WakeRow, WakeOutcome } from "../../ledger/woken.ts";
import { describeTime, asLine } from "../terminal-text.ts";
import type { Style } from "../style.ts";
import { alignColumns, figures } from "../table.ts";
import type { AgentJson, ListedAgent } from "./economy-schema.ts";

export const outcomeWords: Readonly<Record<WakeOutcome, string>> = {
  completed: t("completed"),
  limit: t("limit"),
  failed: t("failed"),
  environment: t("environment"),
  cancelled: t("cancelled"),
  interrupted: t("interrupted"),
};

export function listText({ project, agents }: AgentJson, now: number, style: Style): string {
  if (agents.length === 0)
    return `${t("There is no agent in {0}. Add one with purser agent add NAME --program P --model M", cleanText(project))}\n`;
  return alignColumns(
    [
      { title: t("Agent") },
      { title: t("Program") },
      { title: t("Model"), fit: "middle" },
      { title: t("Next wake") },
      { title: t("Woken by"), fit: "wrap" },
      { title: t("Last wake"), fit: "wrap" },
    ],
    agents.map((agent) => [
      cleanText(agent.name),
      agent.program ?? "",
      cleanText(agent.model ?? ""),
      nextText(agent, now),
      wokenByText(agent),
      lastText(agent, now),
    ]),
    style,
  );
}

function nextText({ nextWake, schedule, faults, notWoken }: ListedAgent, now: number): string {
  if (faults.length > 0) return t("never, see check");
  if (schedule === null) return t("no schedule");
  if (nextWake === null) return t("never");
  return notWoken === null
    ? describeTime(nextWake, now)
    : t("none; scheduled {0}", describeTime(nextWake, now));
}

/** Skills that reached the last wake: names, bytes in the session's list, and a hash of both. */
function activeRows(last: WakeRow | undefined): (readonly [string, string])[] {
  if (last === undefined) return [];
  const { skills, skillBytes, skillsHash } = last;
  if (skills === null) return [[t("Last skills"), t("unknown: the program tells none from another")]];
  const names = skills === "" ? t("none") : skills.replaceAll(",", ", ");
  const bytes = skillBytes === null ? "" : `; ${t("{0} bytes", wholeNumber(skillBytes))}`;
  return [
    [t("Last skills"), `${names}${bytes}${skillsHash === null ? "" : `; ${t("hash {0}", skillsHash)}`}`],
  ];
}

/** When a session is replaced at the latest, and where that limit comes from. */
function longestText({ turns, from, wakes, sessions }: NonNullable<ListedAgent["longestSession"]>): string {
  const after = plural(turns, t("after 1 turn"), t("after {0} turns", wholeNumber(turns)));
  switch (from) {
    case "file":
      return t("{0}, as its file says", after);
    case "learned":
      return t(
        "{0}, learned from {1} of {2} as of its last wake",
        after,
        wakesCounted(wakes ?? 0),
        plural(sessions ?? 0, t("1 session"), t("{0} sessions", wholeNumber(sessions ?? 0))),
      );
    case "default":
      return t("{0}, purser's default: too few wakes tell a better length", after);
  }
}

function wokenByText({ wokenBy, notWoken }: Pick<ListedAgent, "wokenBy" | "notWoken">): string {
  switch (notWoken) {
    case "faulty":
      return t("nobody: its file has faults");
    case "not_agreed":
      return t("nobody: not agreed to");
    case "off":
      return t("nobody: purser.wakes.enabled is off");
    case "not_trusted":
      return t("nobody: the folder is not trusted");
    case null:
      return wakerWords[wokenBy];
  }
}

const wakerWords = {
  service: t("the service"),
  cron: t("your cron"),
  nobody: t("nobody"),
  person: t("only you"),
} as const satisfies Record<ListedAgent["wokenBy"], string>;

function lastText({ lastWake, isRunning, faults }: ListedAgent, now: number): string {
  const [fault] = faults;
  if (fault !== undefined) return t("line {0}: {1}", fault.line, asLine(fault.message));
  if (isRunning) return t("running");
  return lastWake === null
    ? t("none")
    : `${describeTime(lastWake.at, now)} ${outcomeWords[lastWake.outcome]}`;
}

/** Everything that a person agrees to. */
export function shownText(
  agent: RecurringAgent,
  { agents, wakes = [] }: AgentJson,
  now: number,
  style: Style,
): string {
  const [own] = agents;
  const { name, program, model, folder, skills, mcp, tools, instructions, permissions, budget, schedule } =
    agent;
  const honours = abilities[program];
  const listed = (all: "all" | readonly string[], none: string) =>
    all === "all" ? t("all") : all.length === 0 ? none : all.join(", ");
  const rows: (readonly [title: string, value: string])[] = [
    [t("Program"), `${displayNameOf(program)}, ${model}`],
    [t("Folder"), folder],
    [
      t("Schedule"),
      schedule === undefined
        ? t("none")
        : `${schedule}${agent.timezone === undefined ? "" : ` (${agent.timezone})`}`,
    ],
    [
      t("Limits"),
      `${t("{0} tokens, {1} turns and {2} minutes a wake", wholeNumber(budget.wake), budget.turns, budget.minutes)}${budget.day === undefined ? "" : `; ${t("{0} tokens a day", wholeNumber(budget.day))}`}`,
    ],
    [t("Tools"), honours.tools || tools === "all" ? listed(tools, t("none")) : t("the program's own")],
    [
      t("Also allowed"),
      listed(permissions.allow, t("nothing beyond a benchmark run")) +
        (permissions.network ? `; ${t("network")}` : ""),
    ],
    [
      t("Skills"),
      honours.skills || (honours.noSkills && skills !== "all")
        ? listed(skills, t("none"))
        : t("the program's own"),
    ],
    ...activeRows(wakes[0]),
    [t("MCP servers"), honours.mcp ? listed(mcp, t("none")) : t("the program's own")],
    [t("Instructions"), instructions === "all" ? t("the project's and yours") : t("none")],
    [
      t("Tasks"),
      agent.tasks === "folder" ? ".purser/tasks" : t("the command {0}", agent.tasks.command.join(" ")),
    ],
    [
      t("Unattended"),
      own?.isAgreed === true ? t("agreed to as its file is now") : t("not agreed to: purser agent agree"),
    ],
    ...(own?.longestSession ? [[t("New session"), longestText(own.longestSession)] as const] : []),
    ...(own === undefined ? [] : [[t("Woken by"), wokenByText(own)] as const]),
  ];
  const width = Math.max(...rows.map(([title]) => cellsOf(title)));
  const head = rows.map(([title, value]) => `  ${padCells(title, width)}  ${cleanText(value)}`);
  const sessions = (own?.sessions ?? []).map(
    ({ task, id, wakes: count, turns }) =>
      `  ${t("{0}: session {1}, {2}, {3}", cleanText(task ?? t("no task")), cleanText(id), wakesCounted(count), plural(turns, t("1 turn"), t("{0} turns", wholeNumber(turns))))}`,
  );
  return [
    style.bold(cleanText(name)),
    ...head,
    ...(sessions.length === 0 ? [] : ["", t("Sessions"), ...sessions]),
    ...(wakes.length === 0 ? [] : ["", wakesTable(wakes, now, style).trimEnd()]),
    "",
  ].join("\n");
}

function wakesTable(wakes: readonly WakeRow[], now: number, style: Style): string {
  return alignColumns(
    [
      { title: t("Woken") },
      { title: t("By") },
      { title: t("Task") },
      { title: t("Session") },
      { title: t("Outcome") },
      ...figures(t("Normalized input"), t("Raw input"), t("Cost")),
    ],
    wakes.map((wake) => [
      describeTime(wake.at, now),
      wake.source,
      cleanText(wake.taskId ?? ""),
      sessionText(wake),
      outcomeWords[wake.outcome],
      wake.normalizedInput === null ? t("unknown") : shortNumber(wake.normalizedInput),
      wake.rawInput === null ? t("unknown") : shortNumber(wake.rawInput),
      wake.usd === null ? t("unknown") : dollars(wake.usd),
    ]),
    style,
  );
}

export function sessionText(chosen: Pick<WakeRow, "reason" | "cause">): string {
  if (chosen.reason === "reused") return t("reused");
  return chosen.cause === null ? reasonWords[chosen.reason] : t("new: {0}", causeWords[chosen.cause]);
}

export function whyNew({ reason, cause }: Pick<WakeRow, "reason" | "cause">): string {
  return cause === null ? newWords[reason] : causeWords[cause];
}

const causeWords: Readonly<Record<NonNullable<WakeRow["cause"]>, string>> = {
  turns: t("too many turns"),
  input: t("a wake costs more than a new session"),
  age: t("too old"),
  cache_hits: t("few cache hits"),
  definition: t("the agent's file changed"),
};

const newWords: Readonly<Record<WakeRow["reason"], string>> = {
  reused: t("reused"),
  first: t("the first"),
  forced: t("asked for"),
  other_task: t("another task"),
  other_folder: t("another folder"),
  other_program: t("another program"),
  other_model: t("another model"),
  invalid_resume: t("the last one is gone"),
  rotated: t("rotated"),
};

export const reasonWords: Readonly<Record<WakeRow["reason"], string>> = {
  reused: t("reused"),
  first: t("new: {0}", newWords.first),
  forced: t("new: {0}", newWords.forced),
  other_task: t("new: {0}", newWords.other_task),
  other_folder: t("new: {0}", newWords.other_folder),
  other_program: t("new: {0}", newWords.other_program),
  other_model: t("new: {0}", newWords.other_model),
  invalid_resume: t("new: {0}", newWords.invalid_resume),
  rotated: t("new: {0}", newWords.rotated),
};

function wakesCounted(count: number): string {
  return plural(count, t("1 wake"), t("{0} wakes", wholeNumber(count)));
}

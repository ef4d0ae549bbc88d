import { cleanText } from "../../base/text/text.ts";
import { dollars, shortNumber, wholeNumber } from "../../base/text/format.ts";
import { displayNameOf } from "../../continuity/handover/launch.ts";
import { abilities } from "../../economy/programs/honours.ts";
import type { RecurringAgent } from "../../economy/agents/definition.ts";
import type { WakeRow } from "../../ledger/entries/woken.ts";
import { describeTime } from "../describe-time.ts";
import type { Style } from "../style.ts";
import { alignColumns } from "../table.ts";
import type { AgentJson, ListedAgent } from "./schema.ts";

export function listText({ project, agents }: AgentJson, now: number, style: Style): string {
  if (agents.length === 0)
    return `There is no agent in ${cleanText(project)}. Add one with purser agent add NAME --program P --model M\n`;
  return alignColumns(
    [
      { title: "Agent" },
      { title: "Program" },
      { title: "Model", fit: "middle" },
      { title: "Next wake" },
      { title: "Woken by", fit: "wrap" },
      { title: "Last wake", fit: "wrap" },
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
  if (faults.length > 0) return "never, see check";
  if (schedule === null) return "no schedule";
  if (nextWake === null) return "never";
  return notWoken === null ? describeTime(nextWake, now) : `none; scheduled ${describeTime(nextWake, now)}`;
}

/** The skills that reached a wake, as its record has them: their names, their bytes in the session's list, and a hash of both. */
function activeRows(last: WakeRow | undefined): (readonly [string, string])[] {
  if (last === undefined) return [];
  const { skills, skillBytes, skillsHash } = last;
  if (skills === null) return [["Last skills", "unknown: the program tells none from another"]];
  const names = skills === "" ? "none" : skills.replaceAll(",", ", ");
  const bytes = skillBytes === null ? "" : `; ${wholeNumber(skillBytes)} bytes`;
  return [["Last skills", `${names}${bytes}${skillsHash === null ? "" : `; hash ${skillsHash}`}`]];
}

/** When an agent's session is replaced at the latest, and what says so. */
function longestText({ turns, from, wakes, sessions }: NonNullable<ListedAgent["longestSession"]>): string {
  const after = `after ${counted(turns, "turn")}`;
  switch (from) {
    case "file":
      return `${after}, as its file says`;
    case "learned":
      return `${after}, learned from ${counted(wakes ?? 0, "wake")} of ${counted(sessions ?? 0, "session")} as of its last wake`;
    case "default":
      return `${after}, purser's default: too few wakes tell a better length`;
  }
}

/** Who wakes an agent, or why nobody does. */
function wokenByText({ wokenBy, notWoken }: Pick<ListedAgent, "wokenBy" | "notWoken">): string {
  switch (notWoken) {
    case "faulty":
      return "nobody: its file has faults";
    case "not_agreed":
      return "nobody: not agreed to";
    case "off":
      return "nobody: purser.wakes.enabled is off";
    case "not_trusted":
      return "nobody: the folder is not trusted";
    case null:
      return wakerWords[wokenBy];
  }
}

const wakerWords = {
  service: "the service",
  cron: "your cron",
  nobody: "nobody",
  person: "only you",
} as const satisfies Record<ListedAgent["wokenBy"], string>;

function lastText({ lastWake, isRunning, faults }: ListedAgent, now: number): string {
  const [fault] = faults;
  if (fault !== undefined) return cleanText(`line ${fault.line}: ${fault.message}`);
  if (isRunning) return "running";
  return lastWake === null ? "none" : `${describeTime(lastWake.at, now)} ${lastWake.outcome}`;
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
    all === "all" ? "all" : all.length === 0 ? none : all.join(", ");
  const rows: (readonly [title: string, value: string])[] = [
    ["Program", `${displayNameOf(program)}, ${model}`],
    ["Folder", folder],
    [
      "Schedule",
      schedule === undefined
        ? "none"
        : `${schedule}${agent.timezone === undefined ? "" : ` (${agent.timezone})`}`,
    ],
    [
      "Limits",
      `${wholeNumber(budget.wake)} tokens, ${budget.turns} turns and ${budget.minutes} minutes a wake${budget.day === undefined ? "" : `; ${wholeNumber(budget.day)} tokens a day`}`,
    ],
    ["Tools", honours.tools || tools === "all" ? listed(tools, "none") : "the program's own"],
    [
      "Also allowed",
      listed(permissions.allow, "nothing beyond a benchmark run") + (permissions.network ? "; network" : ""),
    ],
    [
      "Skills",
      honours.skills || (honours.noSkills && skills !== "all") ? listed(skills, "none") : "the program's own",
    ],
    ...activeRows(wakes[0]),
    ["MCP servers", honours.mcp ? listed(mcp, "none") : "the program's own"],
    ["Instructions", instructions === "all" ? "the project's and yours" : "none"],
    ["Tasks", agent.tasks === "folder" ? ".purser/tasks" : `the command ${agent.tasks.command.join(" ")}`],
    [
      "Unattended",
      own?.isAgreed === true ? "agreed to as its file is now" : "not agreed to: purser agent agree",
    ],
    ...(own?.longestSession ? [["New session", longestText(own.longestSession)] as const] : []),
    ...(own === undefined ? [] : [["Woken by", wokenByText(own)] as const]),
  ];
  const width = Math.max(...rows.map(([title]) => title.length));
  const head = rows.map(([title, value]) => `  ${title.padEnd(width)}  ${cleanText(value)}`);
  const sessions = (own?.sessions ?? []).map(
    ({ task, id, wakes: count, turns }) =>
      `  ${cleanText(task ?? "no task")}: session ${cleanText(id)}, ${counted(count, "wake")}, ${counted(turns, "turn")}`,
  );
  return [
    style.bold(cleanText(name)),
    ...head,
    ...(sessions.length === 0 ? [] : ["", "Sessions", ...sessions]),
    ...(wakes.length === 0 ? [] : ["", wakesTable(wakes, now, style).trimEnd()]),
    "",
  ].join("\n");
}

function wakesTable(wakes: readonly WakeRow[], now: number, style: Style): string {
  return alignColumns(
    [
      { title: "Woken" },
      { title: "By" },
      { title: "Task" },
      { title: "Session" },
      { title: "Outcome" },
      { title: "Normalized input", isFigure: true },
      { title: "Raw input", isFigure: true },
      { title: "Cost", isFigure: true },
    ],
    wakes.map((wake) => [
      describeTime(wake.at, now),
      wake.source,
      cleanText(wake.taskId ?? ""),
      sessionText(wake),
      wake.outcome,
      wake.normalizedInput === null ? "unknown" : shortNumber(wake.normalizedInput),
      wake.rawInput === null ? "unknown" : shortNumber(wake.rawInput),
      wake.usd === null ? "unknown" : dollars(wake.usd),
    ]),
    style,
  );
}

export function sessionText({ reason, cause }: Pick<WakeRow, "reason" | "cause">): string {
  if (reason === "reused") return "reused";
  return cause === null ? reasonWords[reason] : `new: ${causeWords[cause]}`;
}

const causeWords = {
  turns: "too many turns",
  input: "a wake costs more than a new session",
  age: "too old",
  cache_hits: "few cache hits",
  definition: "the agent's file changed",
} as const satisfies Record<NonNullable<WakeRow["cause"]>, string>;

export const reasonWords = {
  reused: "reused",
  first: "new: the first",
  forced: "new: asked for",
  other_task: "new: another task",
  other_folder: "new: another folder",
  other_program: "new: another program",
  other_model: "new: another model",
  invalid_resume: "new: the last one is gone",
  rotated: "new: rotated",
} as const satisfies Record<WakeRow["reason"], string>;

function counted(count: number, thing: string): string {
  return `${wholeNumber(count)} ${thing}${count === 1 ? "" : "s"}`;
}

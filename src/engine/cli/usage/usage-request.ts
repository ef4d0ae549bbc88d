import { sentence } from "../../base/language.ts";
import { succeed, type Result } from "../../base/result.ts";
import { ledgerGroupings, type LedgerGrouping } from "../../ledger/questions.ts";
import { agents, type AgentName } from "../../transcripts/agents.ts";
import {
  choiceIn,
  flag,
  folder,
  folderIn,
  jsonOf,
  oneOf,
  option,
  type ParsedOptions,
  wrongUsage,
} from "../args.ts";
import type { CliHost } from "../cli-ports.ts";
import { dayForms, dayOption, parseDay } from "../day-argument.ts";

const agentNames = agents.map(({ name }) => name);

export interface UsageRequest {
  readonly by: LedgerGrouping;
  readonly since: string | null;
  readonly until: string | null;
  readonly project: string | null;
  readonly agent: AgentName | null;
  /** A machine's label; null for all machines. */
  readonly machine: string | null;
  readonly isFresh: boolean;
  readonly isJson: boolean;
}

export const usageOptions = {
  by: oneOf(
    ledgerGroupings,
    "WHAT",
    "group by day, session, project, model or agent, or by what only the ledger knows: branch, subagent, tool, skill, server (MCP) or machine (default: day)",
  ),
  since: dayOption("D", `only responses since this local day: ${dayForms}`),
  until: dayOption("D", "only responses up to this local day"),
  project: folder("only responses in this folder"),
  agent: oneOf(agentNames, "NAME", `only this agent: ${inWords(agentNames)}`),
  machine: option("NAME", "the label of a machine", "only this machine, by its label (default: all)"),
  fresh: flag("have the service read everything written so far first"),
  json: jsonOf("usage"),
};

function inWords(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1) ?? ""}`;
}

export function readUsageRequest(
  options: ParsedOptions,
  { now, cwd }: Pick<CliHost, "now" | "cwd">,
): Result<UsageRequest, "bad_argument"> {
  const [since = null, until = null] = ["since", "until"].map((name) =>
    parseDay(options.value(name) ?? "", now()),
  );
  if (since !== null && until !== null && since > until)
    return wrongUsage(sentence("--since {0} is after --until {1}", since, until));
  return succeed({
    by: choiceIn(options, "by", ledgerGroupings) ?? "day",
    since,
    until,
    project: folderIn(options, "project", cwd),
    agent: choiceIn(options, "agent", agentNames) ?? null,
    machine: options.value("machine") ?? null,
    isFresh: options.has("fresh"),
    isJson: options.has("json"),
  });
}

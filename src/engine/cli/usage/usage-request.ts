import path from "node:path";
import { fail, succeed, type Result } from "../../base/result.ts";
import { ledgerGroupings, type LedgerGrouping } from "../../ledger/questions/usage.ts";
import { agents, type AgentName } from "../../transcripts/agents.ts";
import { t, translated } from "../../base/text/l10n.ts";
import { flag, folder, jsonOf, option, quoted, type ParsedOptions } from "../args.ts";
import type { CliHost } from "../cli-ports.ts";
import { dayForms, parseDay } from "../day-argument.ts";

/** The names `--agent` takes, as a list in words. */
const agentForms = `${agents
  .slice(0, -1)
  .map(({ name }) => name)
  .join(", ")} or ${agents.at(-1)?.name ?? ""}`;

export interface UsageRequest {
  readonly by: LedgerGrouping;
  readonly since: string | null;
  readonly until: string | null;
  /** The folder responses were made in. */
  readonly project: string | null;
  readonly agent: AgentName | null;
  readonly isFresh: boolean;
  readonly isJson: boolean;
}

const byForms = `${ledgerGroupings.slice(0, -1).join(", ")} or ${ledgerGroupings.at(-1) ?? ""}`;
export const usageOptions = {
  by: {
    value: byForms,
    choices: ledgerGroupings,
    name: "WHAT",
    does: "group by day, session, project, model or agent, or by what only the ledger knows: branch, subagent, tool, skill or server (MCP) (default: day)",
  },
  since: option("D", dayForms, `only responses since this local day: ${dayForms}`),
  until: option("D", dayForms, "only responses up to this local day"),
  project: folder("only responses in this folder"),
  agent: {
    value: agentForms,
    choices: agents.map(({ name }) => name),
    name: "NAME",
    does: `only this agent: ${agentForms}`,
  },
  fresh: flag("have the service read everything written so far first"),
  json: jsonOf("usage"),
};

/** Reads the options of `purser usage`. A failure's detail names the fault and the correction. */
export function readUsageRequest(
  options: ParsedOptions,
  { now, cwd }: Pick<CliHost, "now" | "cwd">,
): Result<UsageRequest, "bad_argument"> {
  const value = (name: keyof typeof usageOptions) => options.value(name);
  const by = ledgerGroupings.find((grouping) => grouping === (value("by") ?? "day"));
  if (by === undefined)
    return fail("bad_argument", t("--{0} {1} is not one of {2}", "by", quoted(value("by") ?? ""), byForms));
  const agent = agents.find(({ name }) => name === value("agent"))?.name ?? null;
  if (agent === null && value("agent") !== undefined)
    return fail(
      "bad_argument",
      t("--{0} {1} is not one of {2}", "agent", quoted(value("agent") ?? ""), agentForms),
    );
  const limits: { since: string | null; until: string | null } = { since: null, until: null };
  for (const name of ["since", "until"] as const) {
    const text = value(name);
    if (text === undefined) continue;
    const day = parseDay(text, now());
    if (day === undefined)
      return fail("bad_argument", t("--{0} {1} is not {2}", name, quoted(text), translated(dayForms)));
    limits[name] = day;
  }
  const { since, until } = limits;
  if (since !== null && until !== null && since > until)
    return fail("bad_argument", t("--since {0} is after --until {1}", since, until));
  const folder = value("project");
  const project = folder === undefined ? null : path.resolve(cwd, folder);
  return succeed({
    by,
    since,
    until,
    project,
    agent,
    isFresh: options.has("fresh"),
    isJson: options.has("json"),
  });
}

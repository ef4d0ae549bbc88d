import { asLine } from "../terminal-text.ts";
import path from "node:path";
import { briefRunner } from "../../base/process.ts";
import { readHookServerAddress } from "../../hooks/server.ts";
import { repairContext } from "../../hooks/repair-hooks.ts";
import { purserPaths } from "../../base/paths.ts";
import { printedJson } from "../../base/text.ts";
import { folder, jsonOf } from "../args.ts";
import { command } from "../command.ts";
import type { CliHost } from "../cli-ports.ts";
import type { CommandInput } from "../declaration.ts";
import { checkAgents } from "./check-agents.ts";
import { checkGuard, findSettings, type FoundSettings, checkPlace } from "./check-files.ts";
import { findLedger, type FoundLedger } from "./check-ledger.ts";
import { findUnknownRows } from "./unknown-rows.ts";
import { checkLog, findService, type FoundService } from "./check-service.ts";
import { findingsOf } from "./diagnosis.ts";
import { levels, type DoctorJson, type Finding } from "./doctor-schema.ts";
import { plural, t } from "../../base/language.ts";
import { styleFor, type Style } from "../style.ts";

export const doctorCommand = command({
  name: "doctor",
  title: "check the whole installation and say how to fix what is wrong",
  words: "[--cwd DIR] [--json]",
  options: {
    cwd: folder("project folder, or a folder in it (default: the working folder)"),
    json: jsonOf("doctor"),
  },
  notes: `
Checks purser's folder, the service and its log, the ledger, settings and guard rules, and for each agent its version, its hooks and
whether anything keeps them from running. Names rows and fields of recent sessions that it does not know. Sends a test call through
each installed hook, as the agent would; the service answers it and does not record it. Changes nothing and starts no service.

Exit codes: 0 no problems; 1 problems found; 2 usage error.
`,
  run,
});

async function run({ options }: CommandInput, host: CliHost): Promise<number> {
  const cwd = path.resolve(host.cwd, options.value("cwd") ?? ".");
  let unknown: DoctorJson["unknown"] = [];
  const rows = await findingsOf("transcript-rows", async () => {
    const found = await findUnknownRows(host);
    unknown = [...found.unknown];
    return found.findings;
  });
  const findings = [...(await findAll(cwd, host)), ...rows];
  const sorted = levels.flatMap((level) => findings.filter((finding) => finding.level === level));
  const count = (level: Finding["level"]) => findings.filter((finding) => finding.level === level).length;
  const outcome: DoctorJson = {
    schema: 1,
    problems: count("problem"),
    notes: count("note"),
    findings: sorted,
    unknown,
  };
  if (options.has("json")) host.stdout.write(`${printedJson(outcome, 2)}\n`);
  else printFindings(outcome, host);
  return outcome.problems > 0 ? 1 : 0;
}

async function findAll(cwd: string, host: CliHost): Promise<Finding[]> {
  const place = await findingsOf("state-folder", () => checkPlace(host));
  let service: FoundService = { client: null, state: "other", findings: [] };
  let ledger: FoundLedger = { findings: [], lastHooks: [] };
  let settings: FoundSettings | undefined;
  const found: Finding[] = [...place];
  try {
    found.push(
      ...(await findingsOf("service", async () => {
        service = await findService(host);
        return [...service.findings, ...checkLog(host)];
      })),
      ...(await findingsOf("ledger", async () => {
        ledger = await findLedger(service.state === "same" ? service.client : null, host);
        return ledger.findings;
      })),
      ...(await findingsOf("settings", () => {
        settings = findSettings(host);
        return settings.findings;
      })),
      ...(await findingsOf("guard-rules", () => checkGuard(host, cwd))),
      ...(await findingsOf("hooks", () => checkHooks({ service, ledger, settings, cwd }, host))),
    );
  } finally {
    service.client?.dispose();
  }
  return found;
}

interface Found {
  readonly service: FoundService;
  readonly ledger: FoundLedger;
  readonly settings: FoundSettings | undefined;
  readonly cwd: string;
}

async function checkHooks({ service, ledger, settings, cwd }: Found, host: CliHost): Promise<Finding[]> {
  const { env, home, run: runs = briefRunner(env) } = host;
  const address = readHookServerAddress(purserPaths(host));
  const context = repairContext(
    {
      env,
      home,
      program: host.service.program,
      cwd,
      posting: settings?.settings.hookPosting ?? "auto",
      onFailure: settings?.onFailure ?? "kept",
      run: runs,
      version: host.version(),
    },
    address.ok ? address.value : null,
  );
  return await checkAgents({
    context,
    host,
    cwd,
    service: service.state,
    lastHooks: ledger.lastHooks,
    isBesideHooks: settings?.settings.guardOutputsBesideHooks ?? false,
  });
}

/** Problems first. Texts are clean already. */
function printFindings({ problems, notes, findings }: DoctorJson, host: CliHost): void {
  const style = styleFor(host);
  const at = (level: Finding["level"]) => findings.filter((finding) => finding.level === level);
  const parts = [
    style.bold(summary(problems, notes)),
    ...section(t("Problems"), at("problem"), (text) => style.error(text), style),
    ...section(t("Notes"), at("note"), (text) => style.warning(text), style),
    ...section(t("Fine"), at("ok"), (text) => text, style),
  ];
  host.stdout.write(`${parts.join("\n")}\n`);
}

function summary(problems: number, notes: number): string {
  const first =
    problems === 0 ? t("No problems") : plural(problems, t("1 problem"), t("{0} problems", problems));
  return notes === 0 ? first : `${first}, ${plural(notes, t("1 note"), t("{0} notes", notes))}`;
}

function section(
  title: string,
  findings: readonly Finding[],
  styled: (text: string) => string,
  style: Style,
): string[] {
  if (findings.length === 0) return [];
  return ["", style.bold(title), ...findings.flatMap((finding) => lines(finding, styled, style))];
}

function lines({ about, what, remedy }: Finding, styled: (text: string) => string, style: Style): string[] {
  const subject = about === null ? "" : `${about}: `;
  return [
    `  ${styled(`${subject}${asLine(what)}`)}`,
    ...(remedy === null ? [] : [style.dim(`    ${asLine(remedy)}`)]),
  ];
}

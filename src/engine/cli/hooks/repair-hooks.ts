import { t } from "../../base/language.ts";
import path from "node:path";
import { cleanText, printedJson } from "../../base/text.ts";
import { describeWithoutHttp } from "../../hooks/install.ts";
import { agentNames } from "../../transcripts/agents.ts";
import { type Repair, repairInstalled, repairContext } from "../../hooks/repair-hooks.ts";
import { ensureService } from "../../service/ensure.ts";
import { briefRunner } from "../../base/process.ts";
import type { ParsedOptions } from "../args.ts";
import type { CliHost } from "../cli-ports.ts";
import type { HookRepairJson } from "./hooks-schema.ts";
import { changeInLines, hookAddress, wishesAt } from "./hooks-context.ts";
import { servicePorts } from "../service/service-access.ts";
import { asLine } from "../terminal-text.ts";

/** Does for every installed file what a window and the service do for the user's own hooks. */
export async function repairHere(options: ParsedOptions, host: CliHost): Promise<number> {
  const isDry = options.has("dry-run");
  // The service publishes the address that answers hooks, and detects whether another process has its port.
  if (!isDry) await beginService(host);
  const { env, home, service, run = briefRunner(env) } = host;
  const address = await hookAddress(host, false);
  const version = host.version();
  const paths = { env, home, program: service.program, cwd: null, ...wishesAt(host), run, version };
  const repairs = await repairInstalled(repairContext(paths, address), isDry);
  const token = address?.token ?? null;
  if (options.has("json")) {
    const outcome: HookRepairJson = { schema: 1, isDry, repairs: repairs.map((each) => toJson(each, token)) };
    host.stdout.write(`${printedJson(outcome, 2)}\n`);
  } else print(repairs, { isDry, token }, host);
  return repairs.some(({ outcome }) => outcome !== "repaired") ? 1 : 0;
}

/**
 * Rewrites installed hooks after the user changed what happens to calls that cannot be judged. Returns a line for each file. Reports those that
 * were left as they are on standard error.
 */
export async function rewriteHooks(host: CliHost): Promise<string[]> {
  const { env, home, service, stderr, run = briefRunner(env) } = host;
  const address = await hookAddress(host, false);
  const paths = {
    env,
    home,
    program: service.program,
    cwd: null,
    ...wishesAt(host),
    run,
    version: host.version(),
  };
  const repairs = await repairInstalled(repairContext(paths, address));
  return repairs.flatMap(({ program, file, outcome, detail }) => {
    const about = `${agentNames.of(program)}, ${path.normalize(file)}`;
    if (outcome === "repaired") return [cleanText(t("{0}: hooks written again", about))];
    stderr.write(`purser guard: ${cleanText(about)}: ${asLine(detail)}\n`);
    return [];
  });
}

async function beginService(host: CliHost): Promise<void> {
  const client = await ensureService({ ...servicePorts(host), signal: host.signal });
  if (client.ok) client.value.dispose();
  else
    host.stderr.write(
      `purser hooks repair: ${t("the service is not running: {0}", asLine(client.detail))}\n`,
    );
}

function print(
  repairs: readonly Repair[],
  { isDry, token }: { readonly isDry: boolean; readonly token: string | null },
  { stdout, stderr }: CliHost,
): void {
  if (repairs.length === 0) stdout.write(`${t("All hooks installed on this machine are fine")}\n`);
  for (const repair of repairs) {
    const { program, file, outcome, detail, changes, becameCommands } = repair;
    const about = `${agentNames.of(program)}, ${path.normalize(file)}`;
    for (const change of changes) stdout.write(changeInLines(change, token));
    if (outcome === "repaired") {
      stdout.write(
        `${cleanText(isDry ? t("{0}: would be fixed: {1}", about, asLine(detail)) : t("{0}: fixed: {1}", about, asLine(detail)))}\n`,
      );
      if (becameCommands !== null) stdout.write(`${asLine(describeWithoutHttp(becameCommands))}\n`);
    } else if (outcome === "shared")
      stderr.write(
        `${cleanText(t("{0}: {1}; the file is shared with others, so run it yourself: purser hooks install --scope project", about, asLine(detail)))}\n`,
      );
    else stderr.write(`purser hooks repair: ${cleanText(about)}: ${asLine(detail)}\n`);
  }
}

function toJson({ program, scope, file, outcome, detail, changes }: Repair, token: string | null) {
  return {
    agent: program === "claude-code" ? ("claude" as const) : program,
    scope,
    file,
    outcome,
    detail,
    diff: changes.map((change) => changeInLines(change, token)).join(""),
  };
}

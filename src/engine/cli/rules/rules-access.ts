import { t } from "../../base/text/l10n.ts";
import { namedByStart } from "../../base/named-by-start.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { ensureService } from "../../service/client/ensure.ts";
import type { Requester } from "../../jobs/all-requests.ts";
import type { RuleView } from "../../rules/answers.ts";
import { takesInNothing } from "../../ledger/remedy.ts";
import { isUnserved, readLedger } from "../ledger/ledger-access.ts";
import type { CliHost } from "../cli-ports.ts";
import { claudeRoot } from "../../transcripts/claude/claude-roots.ts";
import { servicePorts } from "../service/service-access.ts";
import type { RulesReader } from "./reader.ts";
import { said } from "../language/said.ts";

/** Runs an action on rules through the service, which is started when it does not run. @param command for the failure message */
export async function withRules(
  command: string,
  host: CliHost,
  act: (service: Requester) => Promise<Result<number>>,
): Promise<number> {
  const client = await ensureService({ ...servicePorts(host), signal: host.signal });
  if (!client.ok) return rulesFailed(command, client.detail, host);
  try {
    const done = await act(client.value);
    return done.ok ? done.value : rulesFailed(command, done.detail, host);
  } finally {
    client.value.dispose();
  }
}

/**
 * Runs an action that only reads rules, through the service, which is started if it does not run. If it
 * cannot be reached, the ledger on disk is read, and a note gives the reason.
 */
export async function withRulesReader(
  command: string,
  host: CliHost,
  act: (rules: RulesReader) => Promise<Result<number>>,
): Promise<number> {
  const { signal } = host;
  const client = await ensureService({ ...servicePorts(host), signal });
  if (!client.ok)
    return isUnserved(client)
      ? await onDisk(command, host, { act, whyNot: client.detail })
      : rulesFailed(command, client.detail, host);
  const { value: service } = client;
  try {
    const done = await act({
      list: async () => {
        const read = await service.ask("rulesRead", { root: claudeRoot(host) }, signal);
        return read.ok ? succeed(read.value.view.rules) : read;
      },
      report: (project) => service.ask("rulesReport", { project }, signal),
    });
    return done.ok ? done.value : rulesFailed(command, done.detail, host);
  } finally {
    service.dispose();
  }
}

async function onDisk(
  command: string,
  host: CliHost,
  { act, whyNot }: { act: (rules: RulesReader) => Promise<Result<number>>; readonly whyNot: string },
): Promise<number> {
  const { rulesOnDisk } = await import("./on-disk.ts");
  const read = await readLedger(host, (ledger) => act(rulesOnDisk(ledger, host, whyNot)));
  if (!read.ok || read.value === null) return rulesFailed(command, whyNot, host);
  if (!read.value.ok) return rulesFailed(command, read.value.detail, host);
  host.stderr.write(`purser ${command}: ${said(takesInNothing(whyNot))}\n`);
  return read.value.value;
}

function rulesFailed(command: string, detail: string, host: Pick<CliHost, "stderr">): number {
  host.stderr.write(`purser ${command}: ${said(detail)}\n`);
  return 1;
}

/** Finds a rule by its id, or by an unambiguous prefix of it. */
export function pickRule(rules: readonly RuleView[], id: string): Result<RuleView, "no_rule"> {
  const named = namedByStart(rules, id, (rule) => rule.id);
  if (named.kind === "one") return succeed(named.item);
  return named.kind === "none"
    ? fail("no_rule", t("there is no rule {0}; purser rules list shows them", id))
    : fail("no_rule", t("more than one rule begins with {0}", id));
}

import { sentence } from "../../base/language.ts";
import { throughService } from "../service/service-access.ts";
import { namedByStart } from "../../rules/named-by-start.ts";
import { fail, succeed, type Failure, type Result } from "../../base/result.ts";
import type { RuleView } from "../../rules/rules-answers.ts";
import { takesInNothing } from "../../ledger/remedy.ts";
import { isUnserved, readLedger } from "../ledger/ledger-access.ts";
import type { CliHost } from "../cli-ports.ts";
import { claudeRoot } from "../../transcripts/claude.ts";
import type { RulesReader } from "./on-disk.ts";
import { asLine } from "../terminal-text.ts";

/** Asks the service. Without one, reads the ledger on disk, and notes why. `command` is for the note. */
export async function withRulesReader(
  command: string,
  host: CliHost,
  act: (rules: RulesReader) => Promise<Result<number>>,
): Promise<Result<number>> {
  const { signal } = host;
  const done = await throughService(host, async (service) =>
    succeed(
      await act({
        list: async () => {
          const read = await service.ask("rulesRead", { root: claudeRoot(host) }, signal);
          return read.ok ? succeed(read.value.view.rules) : read;
        },
        report: (project) => service.ask("rulesReport", { project }, signal),
      }),
    ),
  );
  if (done.ok) return done.value;
  return isUnserved(done) ? await onDisk(command, host, { act, whyNot: done }) : done;
}

async function onDisk(
  command: string,
  host: CliHost,
  { act, whyNot }: { act: (rules: RulesReader) => Promise<Result<number>>; readonly whyNot: Failure },
): Promise<Result<number>> {
  const { rulesOnDisk } = await import("./on-disk.ts");
  const read = await readLedger(host, (ledger) => act(rulesOnDisk(ledger, host, whyNot.detail)));
  if (!read.ok || read.value === null) return whyNot;
  if (read.value.ok) host.stderr.write(`purser ${command}: ${asLine(takesInNothing(whyNot.detail))}\n`);
  return read.value;
}

export function pickRule(rules: readonly RuleView[], id: string): Result<RuleView, "no_rule"> {
  const named = namedByStart(rules, id, (rule) => rule.id);
  if (named.kind === "one") return succeed(named.item);
  return named.kind === "none"
    ? fail("no_rule", sentence("there is no rule {0}; purser rules list shows them", id))
    : fail("no_rule", sentence("more than one rule begins with {0}", id));
}

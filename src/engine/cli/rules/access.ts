import { t } from "../../base/text/l10n.ts";
import { namedByStart } from "../../base/named-by-start.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { ensureService } from "../../service/client/ensure.ts";
import type { Requester } from "../../jobs/all-requests.ts";
import type { RuleView } from "../../rules/answers.ts";
import type { CliHost } from "../ports.ts";
import { servicePorts } from "../service/access.ts";
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

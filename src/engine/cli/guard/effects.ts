import { fail, succeed, type Result } from "../../base/result.ts";
import { helpAtMost, helpsTooLittle } from "../../guard/delivery.ts";
import { ensureService } from "../../service/ensure.ts";
import { openToRead, unreadable } from "../ledger/ledger-access.ts";
import { hasLedger } from "../ledger/ledger-files.ts";
import type { CliHost } from "../cli-ports.ts";
import { servicePorts } from "../service/service-access.ts";
import { guardRules, shellContext } from "./guard-access.ts";
import type { GuardJson } from "./guard-schema.ts";

type Effect = NonNullable<GuardJson["effects"]>[number];

/** Empty without a ledger. `since`: milliseconds since the epoch. */
export async function effectsSince(since: number, host: CliHost): Promise<Result<Effect[]>> {
  if (!hasLedger(host)) return succeed([]);
  const ledger = await openToRead(host);
  if (!ledger.ok) return unreadable(ledger);
  try {
    const { effects, advice } = await ledger.value.ask("guardEffects", since);
    const rules = guardRules(host);
    await rules.all(shellContext(host));
    const all = effects.map((effect): Effect => {
      const { wokenAt = null, ...known } = advice.find(({ rule }) => rule === effect.rule) ?? {
        helped: 0,
        failed: 0,
      };
      const isKnown = known.helped + known.failed > 0;
      return {
        ...effect,
        helpsAtMost: isKnown ? helpAtMost(known) : null,
        isSilent: helpsTooLittle(known) && !rules.isChosen(effect.rule),
        wokenAt,
      };
    });
    return succeed(all);
  } finally {
    await ledger.value.close();
  }
}

export async function wakeRule(rule: string, host: CliHost): Promise<Result<void>> {
  const client = await ensureService({ ...servicePorts(host), signal: host.signal });
  if (!client.ok) return fail("no_service", client.detail);
  try {
    const woken = await client.value.ask("guardWake", { rule, at: host.now() });
    return woken.ok ? succeed(undefined) : woken;
  } finally {
    client.value.dispose();
  }
}

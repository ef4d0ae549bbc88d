import { succeed, type Result } from "../../base/result.ts";
import { helpAtMost, helpsTooLittle } from "../../guard/delivery.ts";
import { netViewOf, type NetView } from "../../guard/guard-answers.ts";
import { readLedger } from "../ledger/ledger-access.ts";
import type { CliHost } from "../cli-ports.ts";
import { throughService } from "../service/service-access.ts";
import { guardRules, shellContext } from "./guard-access.ts";
import type { GuardJson } from "./guard-schema.ts";

type Effect = NonNullable<GuardJson["effects"]>[number];

/** Empty without a ledger. `since`: milliseconds since the epoch. */
export async function effectsSince(since: number, host: CliHost): Promise<Result<Effect[]>> {
  const read = await readLedger(host, async (ledger) => {
    const { effects, advice } = await ledger.ask("guardEffects", since);
    const rules = guardRules(host);
    await rules.all(shellContext(host));
    return effects.map((effect): Effect => {
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
  });
  return read.ok ? succeed(read.value ?? []) : read;
}

/** Returns the net savings of shortened outputs since a time; null without a ledger. Formats that the user's file sets are never switched off. */
export async function netSince(since: number, host: CliHost): Promise<Result<NetView | null>> {
  const read = await readLedger(host, async (ledger) => {
    const view = netViewOf(await ledger.ask("savedOutputs", 0), since);
    const rules = guardRules(host);
    await rules.all(shellContext(host));
    return { ...view, resting: view.resting.filter(({ rule }) => !rules.isChosen(rule)) };
  });
  return read;
}

export async function wakeRule(rule: string, host: CliHost): Promise<Result<void>> {
  return await throughService(host, async (service) => {
    const woken = await service.ask("guardWake", { rule, at: host.now() });
    return woken.ok ? succeed(undefined) : woken;
  });
}

/** Takes back that a rule or format was woken at a time. */
export async function unwakeRule(
  { rule, at }: { readonly rule: string; readonly at: number },
  host: CliHost,
): Promise<Result<void>> {
  return await throughService(host, async (service) => {
    const undone = await service.ask("guardUnwake", { rule, at });
    return undone.ok ? succeed(undefined) : undone;
  });
}

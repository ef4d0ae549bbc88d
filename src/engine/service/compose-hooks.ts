import { unjudgedEntries } from "../guard/guard-rules.ts";
import { type HookServicePorts, HookService, createSessionReporter } from "../hooks/dispatch.ts";
import type { ServiceCore } from "../hooks/feature.ts";
import { HookRepair } from "../hooks/repair-hooks.ts";
import { isGuarding } from "../settings/guard.ts";

export function composeHooks(
  core: ServiceCore,
  ports: Pick<HookServicePorts, "kept" | "onHook">,
): HookService {
  const { ledger, settings, hooksRepair: program } = core;
  return new HookService({
    ...core,
    ...ports,
    isLedgerOpen: () => ledger.isOpen,
    ...(program === undefined ? {} : { repair: new HookRepair({ ...core, program }) }),
    append: (entries) => ledger.append(entries),
    besideSpooled: (entries) => (isGuarding(settings.now()) ? unjudgedEntries(entries) : []),
    observe: createSessionReporter(core),
  });
}

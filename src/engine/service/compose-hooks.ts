import { unjudgedEntries } from "../guard/guard-rules.ts";
import { type HookServicePorts, HookService, createSessionReporter } from "../hooks/dispatch.ts";
import type { ServiceCore } from "../hooks/feature.ts";
import { onFailureOf } from "../hooks/install.ts";
import { HookRepair } from "../hooks/repair-hooks.ts";
import { isGuarding } from "../settings/guard.ts";

export function composeHooks(
  core: ServiceCore,
  ports: Pick<HookServicePorts, "kept" | "onHook">,
): HookService {
  const { ledger, settings, owned, hooksRepair: program } = core;
  const repair = program === undefined ? undefined : new HookRepair({ ...core, program });
  let before = onFailureOf(settings);
  owned.add(
    settings.onChange(() => {
      const now = onFailureOf(settings);
      // Claude Code's own settings say what becomes of a call without an answer.
      if (now !== before) repair?.start();
      before = now;
    }),
  );
  return new HookService({
    ...core,
    ...ports,
    isLedgerOpen: () => ledger.isOpen,
    ...(repair === undefined ? {} : { repair }),
    append: (entries) => ledger.append(entries),
    besideSpooled: (entries) => (isGuarding(settings.now()) ? unjudgedEntries(entries) : []),
    observe: createSessionReporter(core),
  });
}

import { fail } from "../../base/result.ts";
import { feature, type Feature, type Handlers } from "./feature.ts";
import type { GuardHost } from "../guard/host.ts";
import type { guardRequests } from "../../wire/guard.ts";

const missing = fail("no_guard", "this service holds no ledger");

const handlers: Handlers<GuardHost, keyof typeof guardRequests> = {
  guardRead: (guard, asked) => guard.view(asked),
  guardRules: (guard) => guard.rules(),
  guardExcept: (guard, wish) => guard.except(wish),
  guardUndo: (guard, { id }) => guard.undo(id),
};

/**
 * Guard rules for clients.
 * @param part undefined where a service has no ledger
 */
export function guardFeature(part: GuardHost | undefined): Feature {
  return feature({ part, missing, handlers: () => handlers });
}

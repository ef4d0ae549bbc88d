import { serveLedger } from "../ledger/host/serve-ledger.ts";
import type { CreateFeature } from "./feature.ts";

/** Answers requests about the ledger, and passes it the user's models and the folders open in windows. */
export const ledgerFeature: CreateFeature = (core) => {
  if (core === undefined) return { name: "ledger", serve: [serveLedger(undefined)] };
  const { ledger, settings, owned } = core;
  const configure = () => {
    ledger.configure(settings.now().models);
  };
  configure();
  owned.add(settings.onChange(configure));
  return {
    name: "ledger",
    serve: [serveLedger(ledger)],
    onWindow: (_, view) => ledger.addWindowRoots(view.roots),
  };
};

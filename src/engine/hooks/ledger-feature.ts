import { serveLedger } from "../ledger/host/serve-ledger.ts";
import type { CreateFeature } from "./feature.ts";

/** Answers questions about the ledger, and tells it of the user's models and of folders that windows show. */
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

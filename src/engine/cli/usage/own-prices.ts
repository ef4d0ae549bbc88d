import { withOverrides, type Catalogue } from "../../usage/catalogue.ts";
import { asLine } from "../terminal-text.ts";
import type { CliHost } from "../cli-ports.ts";
import { settingsStore } from "../settings-access.ts";

/** The same catalogue as the ledger's. */
export function withOwnPrices(catalogue: Catalogue, host: CliHost): Catalogue {
  const settings = settingsStore(host, (message) => void host.stderr.write(`${asLine(message)}\n`));
  return withOverrides(catalogue, settings.now().models).catalogue;
}

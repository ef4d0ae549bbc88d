/** The user's own rules. */
export { checksOf, loadCatalogue, type Catalogue } from "./user-rules/config-file.ts";
export { emptyConfig, type GuardConfig, type GuardFault } from "./user-rules/config.ts";
export { readConfig } from "./user-rules/read-config.ts";

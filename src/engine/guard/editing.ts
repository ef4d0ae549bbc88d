/** Help for editors of guard.yaml. */
export {
  alternativesOf,
  descriptionOf,
  factsOf,
  placeAt,
  shapeOf,
  type RuleFacts,
  type WrittenPlace,
} from "./user-rules/place-at.ts";
export {
  describeKey,
  outlineOf,
  suggestAt,
  type OutlineItem,
  type Suggestion,
} from "./user-rules/suggest.ts";

export { checksOf, loadCatalogue, type Catalogue } from "./user-rules/config-file.ts";
export { emptyConfig, type GuardConfig, type GuardFault } from "./user-rules/config.ts";
export { readConfig } from "./user-rules/read-config.ts";

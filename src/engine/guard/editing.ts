/** Help for editors of guard.yaml. */
export {
  alternativesOf,
  descriptionOf,
  factsOf,
  nearWords,
  placeAt,
  shapeOf,
  type RuleFacts,
  type WrittenPlace,
} from "./user-rules/editing/place-at.ts";
export {
  describeKey,
  outlineOf,
  suggestAt,
  type OutlineItem,
  type Suggestion,
} from "./user-rules/editing/suggest.ts";

export { evidenceShape } from "./book/evidence-shape.ts";
export { readKnown } from "./book/known.ts";
export { readReport } from "./book/report.ts";
export { rulesInBook, type RulesLedger } from "./book/rules-book-rows.ts";
export { ruleViewOf } from "./book/rules-book-view.ts";

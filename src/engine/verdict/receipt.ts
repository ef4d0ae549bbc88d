export {
  readReceipt,
  receiptSchema,
  sealReceipt,
  sideSchema,
  verdictSchema,
  type Receipt,
} from "./receipt/receipt.ts";
export { describeGrade, expectedSaving } from "./receipt/expectation.ts";
export { receiptToMarkdown, verdictNames } from "./receipt/markdown.ts";
export { figuresOf, tooEarly, formatPercent, formatTokens, opposite } from "./receipt/reason.ts";

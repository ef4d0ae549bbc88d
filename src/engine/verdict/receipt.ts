/** Receipts of verdicts. */
export {
  readReceipt,
  receiptSchema,
  sealReceipt,
  sideSchema,
  verdictSchema,
  type Receipt,
} from "./receipt/receipt.ts";
export { receiptToMarkdown, verdictNames } from "./receipt/markdown.ts";
export { figuresOf, tooEarly } from "./receipt/reason.ts";
export { formatPercent, formatTokens, opposite } from "./receipt/describe-verdict.ts";

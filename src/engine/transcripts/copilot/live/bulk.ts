import { startsAgain } from "../../records/recovered.ts";

/** Rows with prompts, thoughts and outputs of hooks: many or large, and without any figure. */
const unused =
  /^\{"type":"(?:system\.message"|model\.|hook\.|permission\.|assistant\.(?:turn_end|reasoning)")/u;
/** Rows with whole outputs of tools. They are needed only until a row has reported usage. */
const outputs = '{"type":"tool.execution_complete"';
/** Enough for either. Bytes. */
const maxLength = 40;

/** Recognises rows without a figure by their first bytes, as the agent writes them, without parsing them. */
export function isBulk(line: Buffer, { hasUsage }: { readonly hasUsage: boolean }): boolean {
  const start = line.toString("latin1", 0, maxLength);
  const isOne = unused.test(start) || (hasUsage && start.startsWith(outputs));
  return isOne && !startsAgain(line, "copilot");
}

import { plainSentence } from "../../../../src/engine/base/language.ts";
import { judge } from "../../../../src/engine/verdict/judge.ts";
import { sealReceipt, type Receipt } from "../../../../src/engine/verdict/receipt/receipt.ts";
import { question, steadyRounds } from "../../verdict/support/samples.ts";

/** The receipt of a golden agent's rewritten prompt that saves a fifth. @param at milliseconds since the epoch */
export function winningReceipt({ at, agent = "sql" }: { at: number; agent?: string }): Receipt {
  const side = (label: string) => ({
    label: plainSentence(label),
    configurationHash: label,
    model: "claude-sonnet-4-6",
    effort: null,
    figures: null,
  });
  return sealReceipt({
    version: 1,
    id: `r-${at}`,
    at,
    agent,
    question,
    tasks: [],
    subject: {
      kind: "evolution",
      id: "prompt",
      title: plainSentence("rewritten prompt against shipped prompt"),
    },
    sides: [side("shipped prompt"), side("rewritten prompt")],
    verdict: judge(steadyRounds(4, 6, [50_000, 40_000]), question),
    suiteHash: "s",
    fixtureHash: "f",
    seed: 1,
    driver: "claude",
    recordedBy: [],
    rounds: { own: 6, pooled: 0, from: [] },
    spent: { runs: 48, processingTokens: 2_160_000, cacheRead: 0, usd: null },
  });
}

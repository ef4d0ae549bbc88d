import { plainSentence } from "../../../../src/engine/base/language.ts";
import type { BenchRun } from "../../../../src/engine/bench/run-facts.ts";
import type { RunPage, TimelineTurn } from "../../../../src/engine/jobs/bench-answers.ts";
import { randomFrom } from "../../ledger/fixtures.ts";
import { makeRun, tasks } from "./fixtures.ts";

/** The actions of a synthetic run, turn by turn. */

const calls = [
  ["Grep", "createOrder"],
  ["Read", "src/routes/orders.ts"],
  ["Read", "src/services/order-service.ts"],
  ["Read", "src/repositories/order-repository.ts"],
  ["Bash", "npx vitest run test/orders.test.ts"],
  ["Edit", "src/services/order-service.ts"],
  ["Bash", "npx vitest run test/orders.test.ts"],
  ["Read", "src/services/order-service.ts"],
  ["Edit", "src/routes/orders.ts"],
  ["Bash", "npx vitest run"],
] as const;

export function makePage(run: BenchRun = makeRun("backend-01", 1), length = 11): RunPage {
  const random = randomFrom(length);
  const turns = Array.from({ length }, (_, index): TimelineTurn => {
    const call = calls[index % calls.length];
    const isLast = index === length - 1;
    const tokens = Math.round(index === 0 ? 14_200 : 900 + random() * 4200);
    return {
      turn: index + 1,
      isSidechain: false,
      at: index * 7000,
      ms: Math.round(2000 + random() * 9000),
      usage: { input: 40, output: 400, cacheCreation5m: tokens - 440, cacheCreation1h: 0, cacheRead: 20_000 },
      processingTokens: tokens,
      calls: isLast || call === undefined ? [] : [{ tool: call[0], target: call[1], isError: index === 4 }],
      text: isLast ? "An order without a customer is refused with 400 now, and the tests say so." : null,
    };
  });
  return {
    run,
    taskTitle: tasks.find(({ id }) => id === run.taskId)?.title ?? run.taskId,
    label: plainSentence("rules v2"),
    run1: 43_100,
    trajectory: {
      turns,
      changes: [
        { path: "src/services/order-service.ts", isRemoved: false },
        { path: "src/routes/orders.ts", isRemoved: false },
      ],
      checkOutput:
        " ✓ test/orders.test.ts (9 tests) 212ms\n\n Test Files  1 passed (1)\n      Tests  9 passed (9)",
    },
  };
}

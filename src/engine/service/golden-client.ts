import type { Clock } from "../base/clock.ts";
import type { BenchBook } from "../bench/bench-request.ts";
import type { BenchRun } from "../bench/bench-run.ts";
import { expectedFromRuns } from "../bench/expected-tokens.ts";
import type { Receipt } from "../verdict/receipt.ts";
import { comparisonRecord, goldenRead, goldenRecord } from "./golden-protocol.ts";
import type { Peer } from "./peer.ts";

/** What a client tells and asks the service's ledger of golden tasks. */
export class GoldenClient {
  readonly #peer: Peer;

  constructor(peer: Peer) {
    this.#peer = peer;
  }

  /** @param since what was spent is summed from this time on: milliseconds since the epoch */
  read(since: number, signal?: AbortSignal) {
    return this.#peer.ask(goldenRead, { since }, signal);
  }

  /** Ends when it is durable. */
  record(runs: readonly BenchRun[]) {
    return this.#peer.ask(goldenRecord, { runs: [...runs] });
  }

  /** A comparison is settled. Ends when it is durable. */
  recordComparison(receipt: Receipt) {
    return this.#peer.ask(comparisonRecord, { receipt: JSON.stringify(receipt) });
  }
}

const week = 7 * 24 * 60 * 60_000; // ms

/**
 * The ledger of a service as a bench's book. What cannot be told or asked is said once, and the bench goes on: its own folder keeps
 * every run, and the ledger is told of them when it is resumed.
 */
export function bookOfService(
  golden: Pick<GoldenClient, "read" | "record">,
  { clock, onProblem }: { readonly clock: Clock; readonly onProblem: (message: string) => void },
): BenchBook {
  let hasFailed = false;
  const failed = (detail: string) => {
    if (!hasFailed) onProblem(`The ledger does not know of this bench's runs: ${detail}`);
    hasFailed = true;
  };
  const book = async () => {
    const answer = await golden.read(clock.now() - week);
    if (answer.ok) return answer.value.book;
    failed(answer.detail);
    return null;
  };
  return {
    async record(run) {
      const answer = await golden.record([run]);
      if (!answer.ok) failed(answer.detail);
    },
    async expected(asked) {
      const known = await book();
      return known === null ? null : expectedFromRuns(known.runs, asked);
    },
    async week() {
      return (await book())?.spent ?? null;
    },
  };
}

import { crashService } from "./service-rounds.ts";

/**
 * `npm run bench -- crash-service [rounds seed]`: kills the service, 300 times, while four processes write turns and
 * reconnect to it, and checks what is left.
 */
const [rounds = 300, seed = 1] = process.argv.slice(2).map(Number);
const { written, acknowledged, onlyInLedger, productive, torn, previousSnapshots, round } =
  await crashService(rounds, seed);
console.log(
  `${rounds} kills (seed ${seed}), ${Math.round(round)} ms each: all ${written} turns are in the ledger, once`,
);
console.log(
  `acknowledged before the last kill: ${acknowledged}; of deleted transcripts, so only in the ledger: ${onlyInLedger}`,
);
console.log(
  `kills after something was acknowledged: ${productive}; unfinished writes dropped: ${torn}; ` +
    `starts from the previous snapshot: ${previousSnapshots}`,
);

import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { simulateWakes } from "../../engine/recurring/wake/support/simulate.ts";

/** `npm run bench -- crash-wakes`: 10,000 seeded wakes of played agents, a third of them killed at any step; fails where one is lost, doubled or overlaps. */
const [wakes, seed] = [10_000, Number(process.argv[2] ?? 17)];
const began = performance.now();
const { kills, busy, retried, recorded, reasons, outcomes } = await simulateWakes({ seed, wakes });
rmSync(path.join(tmpdir(), `purser-played-${process.pid}`), { recursive: true, force: true });
const listed = (counts: ReadonlyMap<string, number>) =>
  [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
console.log(
  `${wakes} wakes (seed ${seed}): ${kills} processes killed, ${busy} refused as another one ran, ${recorded} recorded, ${retried} scheduled times tried again`,
);
console.log(`Sessions: ${listed(reasons)}`);
console.log(`Outcomes: ${listed(outcomes)}`);
console.log(
  `No wake lost, doubled or begun anew, no two of one agent at once, a reason for each. ${Math.round((performance.now() - began) / 1000)} s`,
);
process.exit();

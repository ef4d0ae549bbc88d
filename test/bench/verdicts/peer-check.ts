import { peerAdmits, peerAudits } from "./peer.ts";
import { inPercent, printTable } from "./tables.ts";
import { makeWorld, usualShape, type WorldShape } from "./world.ts";

/**
 * The setting of the peer's own measurements: three tasks, its own runs resampled, so that nothing drifts and nothing fails. It banks
 * the rule's true saving, and never updates it, as its published figures did.
 */
const publishedShape: WorldShape = {
  ...usualShape,
  tasks: 3,
  spread: [0.08, 0.25],
  astray: 0,
  passes: 1,
  drift: [0, 0],
};

/** From its findings: false evictions of August 2026, and keep rates of July 2026, both from its own recorded runs. */
const published = [
  { saves: 0, evicted: "-", admitted: "8.8 %" },
  { saves: 0.02, evicted: "70.3 %", admitted: "-" },
  { saves: 0.05, evicted: "32.5 %", admitted: "-" },
  { saves: 0.1, evicted: "5.4 %", admitted: "34.7 %" },
  { saves: 0.2, evicted: "0.3 %", admitted: "69.8 %" },
];

/** Prints what the model of the peer does in its own setting beside what it published. @param trials simulated lives */
export function printPeerCheck(bar: number, trials: number): void {
  console.log(
    "The peer's model against its own published figures (3 tasks, 2 runs a side, no drift, no failures)",
  );
  const found = (count: number) => inPercent(count / trials);
  printTable(
    ["truly saves", "evicted, modelled", "published", "admitted, modelled", "published"],
    published.map(({ saves, evicted, admitted }) => {
      const shape = { ...publishedShape, saves };
      return [
        inPercent(saves),
        saves === 0 ? "-" : found(peerFalseEviction(shape, bar, trials)),
        evicted,
        found(peerPromotion(shape, bar, trials)),
        admitted,
      ];
    }),
  );
}

/** The number of `trials` lives that it evicts over twelve re-audits with two runs a side. */
function peerFalseEviction(shape: WorldShape, bar: number, trials: number): number {
  return count(trials, (seed) => {
    const context = makeWorld(shape, seed);
    let strikes = 0;
    for (let day = 1; day <= 12 && strikes < 2; day += 1) {
      const found = peerAudits(context, day, { runs: 2, bar }, shape.saves * shape.meanTokens);
      strikes = found.regression ? 2 : found.below ? strikes + 1 : 0;
    }
    return strikes >= 2;
  });
}

/** The number of `trials` candidates that it admits with two runs a side. */
function peerPromotion(shape: WorldShape, bar: number, trials: number): number {
  return count(trials, (seed) => peerAdmits(makeWorld(shape, seed), 0, { runs: 2, bar }).admitted);
}

function count(trials: number, happens: (seed: number) => boolean): number {
  let found = 0;
  for (let seed = 1; seed <= trials; seed += 1) if (happens(seed)) found += 1;
  return found;
}

/**
 * Simulates rules that are measured with the same runs, of known worth, beside purser's procedure before (a rule alone) and
 * the published one of the closest system. Seeded: prints the same everywhere.
 *
 *   npm run bench -- verdicts-together                  1,000 lives of each world: about half an hour on two processors
 *   npm run bench -- verdicts-together --lives 100   quicker, with wider noise
 */
import { wilson } from "../../../src/engine/verdict/statistics/pass-rate.ts";
import type { JointShape } from "./joint-world.ts";
import { simulateLives, type Counts } from "./lives.ts";

const given = process.argv.indexOf("--lives");
const lives = given < 0 ? 1000 : Number(process.argv[given + 1]);
const seed = 20_000;
const million = 1e6;

const eight = [0, 0, 0, 0, 0.05, 0.1, 0.2, -0.1];
const worlds: readonly { readonly name: string; readonly shape: JointShape }[] = [
  { name: "noise 0.3", shape: { saves: eight, noise: 0.3 } },
  {
    name: "noise 0.3, heavier tails: 5 % of runs several times as dear",
    shape: { saves: eight, noise: 0.3, tails: 0.05 },
  },
  { name: "noise 0.3, effects on two of four tasks only", shape: { saves: eight, noise: 0.3, helpsOn: 2 } },
  {
    name: "noise 0.3, the savers of 10 % and 20 % cancel each other",
    shape: { saves: eight, noise: 0.3, cancelling: [6, 5] },
  },
];

const inPercent = (share: number) => `${(100 * share).toFixed(1)} %`;

function counted(count: number, of: number): string {
  const { low, high } = wilson(count, of, 1.96);
  return `${inPercent(count / of)} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`;
}

/** Rules of the same true saving, taken together. */
function ofSaving(
  counts: Counts,
  saves: number,
  value: (counts: Counts) => readonly number[] = ({ decided }) => decided,
) {
  const places = eight.flatMap((own, place) => (own === saves ? [place] : []));
  return {
    count: places.reduce((sum, place) => sum + (value(counts)[place] ?? 0), 0),
    of: counts.lives * places.length,
  };
}

interface Aim {
  readonly name: string;
  readonly met: boolean;
  readonly found: string;
}

function atLeast(name: string, least: number, { count, of }: { count: number; of: number }): Aim {
  return {
    name: `${name} in at least ${inPercent(least)}`,
    met: count / of >= least,
    found: counted(count, of),
  };
}

function atMost(name: string, most: number, { count, of }: { count: number; of: number }): Aim {
  return {
    name: `${name} in at most ${inPercent(most)}`,
    met: count / of <= most,
    found: counted(count, of),
  };
}

/** Giving up hopeless rules costs this much of the chance at most, in points. */
const maxLost = 3;

/** @param found with rules given up, and without, on the same draws */
function futilityAim(
  name: string,
  [given, patient]: readonly [{ count: number; of: number }, { count: number; of: number }],
): Aim {
  const lost = (100 * (patient.count - given.count)) / given.of;
  return {
    name: `${name}: giving up costs at most ${maxLost} points of the chance`,
    met: lost <= maxLost,
    found: `${lost.toFixed(1)} points, of ${counted(patient.count, patient.of)}`,
  };
}

const aims: Aim[] = [];
for (const [index, { name, shape }] of worlds.entries()) {
  const asked = { shape, lives, seed };
  const together = await simulateLives({ ...asked, procedure: "together", tokenCap: 8 * 3 * million });
  const before = await simulateLives({ ...asked, procedure: "before", tokenCap: null });
  const [two, three] = [
    await simulateLives({ ...asked, procedure: "peer", tokenCap: null, times: 2 }),
    await simulateLives({ ...asked, procedure: "peer", tokenCap: null, times: 3 }),
  ];
  console.log(
    `Eight rules that wait, ${name}: admitted, of ${lives} lives [95 % of the simulation's own noise]`,
  );
  for (const saves of [...new Set(eight)]) {
    const cells = [together, before, two, three].map((counts) => {
      const { count, of } = ofSaving(counts, saves);
      return counted(count, of).padEnd(22);
    });
    const missed = ofSaving(together, saves, ({ missed: own }) => own);
    console.log(
      `  truly saves ${inPercent(saves).padStart(7)}  together ${cells[0]} alone, before ${cells[1]} peer, 2 runs ${cells[2]} peer, 3 runs ${cells[3]} interval misses ${counted(missed.count, missed.of)}`,
    );
  }
  const { confirmed, refused, undecided, tokens } = together.sets;
  const sets = confirmed + refused + undecided;
  console.log(
    `  two or more admitted in ${counted(sets, lives)}; as a whole, against none: confirmed ${counted(confirmed, sets)}, undecided ${counted(undecided, sets)}, refused ${counted(refused, sets)}, for ${(tokens / Math.max(1, sets) / million).toFixed(2)} M tokens in the mean`,
  );
  const perRule = ({ tokens }: Counts) => `${(tokens / eight.length / million).toFixed(2)} M`;
  console.log(
    `  tokens a rule: together ${perRule(together)}, alone, before ${perRule(before)}, peer ${perRule(two)} and ${perRule(three)}\n`,
  );
  aims.push(atMost(`${name}: a rule that does nothing is admitted`, 0.05, ofSaving(together, 0)));
  if (index > 0) continue;
  const patient = await simulateLives({ ...asked, procedure: "patient", tokenCap: 8 * 3 * million });
  aims.push(futilityAim("of eight, a saver of 10 %", [ofSaving(together, 0.1), ofSaving(patient, 0.1)]));
  const quarter = await simulateLives({ ...asked, procedure: "together", tokenCap: before.tokens / 4 });
  for (const saves of [0.05, 0.1, 0.2]) {
    const [now, then] = [ofSaving(quarter, saves), ofSaving(before, saves)];
    const name = `with a quarter of the tokens before, a saver of ${inPercent(saves)} is admitted as often`;
    const found = `${counted(now.count, now.of)} against ${counted(then.count, then.of)}`;
    aims.push({ name, met: now.count / now.of >= then.count / then.of, found });
  }
  aims.push(
    atLeast("a saver of 20 % is admitted", 0.95, ofSaving(together, 0.2)),
    atLeast("a saver of 10 % is admitted", 0.8, ofSaving(together, 0.1)),
    atLeast("a saver of 5 % is admitted", 0.3, ofSaving(together, 0.05)),
    atMost("one that costs 10 % is admitted", 0, ofSaving(together, -0.1)),
    {
      name: "at most 3 M tokens a rule",
      met: together.tokens <= eight.length * 3 * million,
      found: perRule(together),
    },
    atMost("an interval at a rule's end, of level 90 %, misses the truth", 0.1, {
      count: together.missed.reduce((sum, count) => sum + count, 0),
      of: lives * eight.length,
    }),
  );
}

const single = { shape: { saves: [0.2], noise: 0.3 }, lives, seed };
const alone = await simulateLives({ ...single, procedure: "together", tokenCap: null });
aims.push(atLeast("alone, a saver of 20 % is admitted", 0.75, { count: alone.decided[0] ?? 0, of: lives }), {
  name: "alone, at most 4.5 M tokens in the mean",
  met: alone.tokens <= 4.5 * million,
  found: `${(alone.tokens / million).toFixed(2)} M`,
});

for (const saves of [0.1, 0.2]) {
  const asked = { ...single, shape: { saves: [saves], noise: 0.3 }, tokenCap: null };
  const [given, patient] = [
    await simulateLives({ ...asked, procedure: "together" }),
    await simulateLives({ ...asked, procedure: "patient" }),
  ].map((counts) => ({ count: counts.decided[0] ?? 0, of: lives }));
  if (given !== undefined && patient !== undefined)
    aims.push(futilityAim(`alone, a saver of ${inPercent(saves)}`, [given, patient]));
}

const active: JointShape = { saves: [-0.1, 0.05, 0.05, 0.1, 0.1, 0.2, 0, 0.05], noise: 0.3 };
const six = await simulateLives({
  procedure: "audits",
  shape: active,
  lives,
  seed,
  tokenCap: 3 * million,
  times: 6,
});
const twelve = await simulateLives({
  procedure: "audits",
  shape: active,
  lives,
  seed,
  tokenCap: 3 * million,
  times: 12,
});
aims.push(
  atLeast("active among eight and costing 10 %: evicted within six joint audits", 0.7, {
    count: six.decided[0] ?? 0,
    of: lives,
  }),
  atMost("active and saving 5 %: evicted over twelve", 0.05, {
    count: [1, 2, 7].reduce((sum, place) => sum + (twelve.decided[place] ?? 0), 0),
    of: 3 * lives,
  }),
);
console.log(`Six joint audits take ${(six.tokens / 6 / million).toFixed(2)} M tokens each in the mean.\n`);
for (const { name, met, found } of aims) console.log(`${met ? "met   " : "MISSED"}  ${name}: ${found}`);
if (aims.some(({ met }) => !met)) process.exitCode = 1;

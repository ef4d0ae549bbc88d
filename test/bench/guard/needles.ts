/**
 * `node test/bench/guard/needles.ts [--draws 10000] [--seed 1]`: plants one line that matters at a random place of a real output, makes the output
 * smaller, and looks for the planted line. Fails if one is lost.
 */
import { parseArgs } from "node:util";
import { compressOutput } from "../../../src/engine/guard/output/compressors/compress.ts";
import { percent, wholeNumber } from "../../../src/engine/base/text/format.ts";
import { plantNeedle, survives } from "../../engine/guard/output/compressors/support/needles.ts";
import { seededRandom } from "../../engine/guard/output/compressors/support/seeded-random.ts";
import { allOutputs } from "../../engine/guard/output/compressors/support/corpus.ts";

const { values } = parseArgs({
  options: { draws: { type: "string", default: "10000" }, seed: { type: "string", default: "1" } },
});
const draws = Number(values.draws);
const random = seededRandom(Number(values.seed));
const outputs = allOutputs();
const sums = { before: 0, after: 0, smaller: 0 };
const lost = new Map<string, { count: number; example: string }>();
const planted = new Map<string, number>();

for (let draw = 0; draw < draws; draw += 1) {
  const output = outputs[Math.floor(random() * outputs.length)];
  if (output === undefined) break;
  const needle = plantNeedle(output.text, random);
  if (needle === null) continue;
  planted.set(needle.kind, (planted.get(needle.kind) ?? 0) + 1);
  // Without a command, formats are recognized by their shape alone.
  const command = random() < 0.7 ? output.words : null;
  const made = compressOutput(needle.text, { ...output.about, command });
  if (made === null) continue;
  sums.smaller += 1;
  sums.before += Buffer.byteLength(needle.text);
  sums.after += Buffer.byteLength(made.text);
  if (survives(needle, made)) continue;
  const key = `${output.name}: ${needle.kind}`;
  const known = lost.get(key);
  lost.set(key, { count: (known?.count ?? 0) + 1, example: known?.example ?? needle.line ?? needle.mark });
}

for (const [kind, count] of [...planted].sort())
  console.log(`${kind.padEnd(28)} ${wholeNumber(count).padStart(7)} planted`);
for (const [key, { count, example }] of lost) console.log(`LOST ${key} ×${count}: ${example.slice(0, 160)}`);
const all = [...lost.values()].reduce((sum, { count }) => sum + count, 0);
const saved = percent((100 * (sums.before - sums.after)) / sums.before);
console.log(
  `${wholeNumber(draws)} draws, ${wholeNumber(sums.smaller)} made smaller by ${saved}; ${all} needles lost`,
);
if (all > 0) process.exitCode = 1;

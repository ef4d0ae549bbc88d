/**
 * `node test/bench/guard/needles.ts [--draws 10000] [--seed 1] [--peer COMMAND]`: plants one line that matters at a random place of an output,
 * makes the output smaller, and looks for the planted line. Fails if one is lost. Beside it, the same outputs are cut in their middle to the same
 * size, and go through each peer: `tokenjuice`, which npm has, or a command that reads a text and prints a smaller one.
 */
import { parseArgs } from "node:util";
import { compressOutput } from "../../../src/engine/guard/output/compressors/compress.ts";
import { percent, wholeNumber } from "../../../src/engine/base/text/format.ts";
import { type Needle, plantNeedle, survives } from "../../engine/guard/output/compressors/support/needles.ts";
import { seededRandom } from "../../engine/guard/output/compressors/support/seeded-random.ts";
import { openPeer, type PeerOutput } from "./peers.ts";
import { allOutputs } from "../../engine/guard/output/compressors/support/corpus.ts";

const { values } = parseArgs({
  options: {
    draws: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    peer: { type: "string", multiple: true, default: [] },
    "peer-draws": { type: "string", default: "300" },
  },
});
const draws = Number(values.draws);
const random = seededRandom(Number(values.seed));
const outputs = allOutputs();
const sums = { before: 0, after: 0, smaller: 0 };
const lost = new Map<string, { count: number; example: string }>();
const planted = new Map<string, number>();
/** Beside ours: the middle cut out, as agents cut what is too long. */
let lostByCut = 0;
const peers = values.peer.map((name) => ({
  ...openPeer(name),
  draws: 0,
  smaller: 0,
  before: 0,
  after: 0,
  lost: 0,
  problem: "",
}));

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
  const size = Buffer.byteLength(made.text);
  if (!isIn(needle, cutTo(needle.text, size))) lostByCut += 1;
  const sent = { text: needle.text, command: output.command, exitCode: output.about.isFailure ? 1 : 0 };
  for (const peer of peers) if (peer.draws < Number(values["peer-draws"])) tryPeer(peer, needle, sent);
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
console.log(`the same outputs cut in the middle to the same size: ${wholeNumber(lostByCut)} needles lost`);
for (const { name, draws: tried, smaller, before, after, lost: count, problem } of peers)
  console.log(
    problem === ""
      ? `${name}: ${wholeNumber(tried)} of the same outputs, ${wholeNumber(smaller)} made smaller, ${percent((100 * (before - after)) / before)} saved, ${wholeNumber(count)} needles lost`
      : `${name}: skipped, as ${problem}. Name a package of peers.ts, or a command that reads a text and prints a smaller one.`,
  );
if (all > 0) process.exitCode = 1;

function tryPeer(peer: (typeof peers)[number], needle: Needle, sent: PeerOutput): void {
  if (peer.problem !== "") return;
  try {
    const text = peer.shorten(sent);
    const [size, before] = [Buffer.byteLength(text), Buffer.byteLength(sent.text)];
    peer.draws += 1;
    peer.before += before;
    peer.after += Math.min(size, before);
    if (size >= before) return;
    peer.smaller += 1;
    if (!isIn(needle, text)) peer.lost += 1;
  } catch (error) {
    peer.problem = error instanceof Error ? error.message : String(error);
  }
}

function cutTo(text: string, bytes: number): string {
  const half = Math.floor(bytes / 2);
  return `${text.slice(0, half)}\n${text.slice(-half)}`;
}

/** Whether a text has a needle as it was planted, but for white space. */
function isIn({ mark, line }: Needle, text: string): boolean {
  return plain(text).includes(plain(line ?? mark));
}

function plain(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

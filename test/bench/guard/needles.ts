/**
 * `node test/bench/guard/needles.ts [--draws 10000] [--seed 1] [--peer COMMAND]`: plants one line that matters at a random place of an output,
 * makes the output smaller, and looks for the planted line. Fails if one is lost. Beside it, the same outputs are cut in their middle to the same
 * size, and go through each peer's command, such as `--peer "headroom compress"`, which reads a text and prints a smaller one.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { compressOutput } from "../../../src/engine/guard/output/compressors/compress.ts";
import { percent, wholeNumber } from "../../../src/engine/base/text/format.ts";
import { type Needle, plantNeedle, survives } from "../../engine/guard/output/compressors/support/needles.ts";
import { seededRandom } from "../../engine/guard/output/compressors/support/seeded-random.ts";
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
const peers = values.peer.map((command) => ({
  command,
  draws: 0,
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
  for (const peer of peers) if (peer.draws < Number(values["peer-draws"])) tryPeer(peer, needle);
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
for (const { command, draws: tried, before, after, lost: count, problem } of peers)
  console.log(
    problem === ""
      ? `${command}: ${wholeNumber(tried)} of the same outputs, ${percent((100 * (before - after)) / before)} saved, ${count} needles lost`
      : `${command}: skipped, as ${problem}. Install it, and name a command that reads a text and prints a smaller one.`,
  );
if (all > 0) process.exitCode = 1;

function tryPeer(peer: (typeof peers)[number], needle: Needle): void {
  if (peer.problem !== "") return;
  const { status, stdout, error } = spawnSync(peer.command, {
    input: needle.text,
    shell: true,
    encoding: "utf8",
    timeout: 30_000,
  });
  if (status !== 0) {
    peer.problem =
      status === 127
        ? "there is no such command"
        : (error?.message ?? `it ends with ${status ?? "a signal"}`);
    return;
  }
  peer.draws += 1;
  peer.before += Buffer.byteLength(needle.text);
  peer.after += Buffer.byteLength(stdout);
  if (!isIn(needle, stdout)) peer.lost += 1;
}

function cutTo(text: string, bytes: number): string {
  const half = Math.floor(bytes / 2);
  return `${text.slice(0, half)}\n${text.slice(-half)}`;
}

/** Whether a text has a needle as it was planted. */
function isIn({ mark, line }: Needle, text: string): boolean {
  return text.includes(line ?? mark);
}

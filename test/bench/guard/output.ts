/**
 * `node test/bench/guard/output.ts`: what smaller outputs save on the outputs of real tools, and how long they take. Each output is listed with its
 * bytes before and after, with its command and by its shape alone; then milliseconds a megabyte, of text that each compressor knows and of text
 * that none does. Fails when the mean is 20 ms or more.
 */
import { compressOutput, type AboutOutput } from "../../../src/engine/guard/output/compressors/compress.ts";
import { percent, wholeNumber } from "../../../src/engine/base/text/format.ts";
import { realOutputs } from "../../engine/guard/output/compressors/support/corpus.ts";
import { quantileOf } from "../quantile.ts";

const megabyte = 1_000_000;
const rounds = 15;
/** Limit of milliseconds a megabyte in the mean. */
const target = 20;

const outputs = realOutputs();
const sums = { before: 0, after: 0, unknown: 0 };
console.log("output                  bytes before   after  saved  compressor     by shape alone");
for (const { name, text, about } of outputs) {
  const before = Buffer.byteLength(text);
  const made = compressOutput(text, about);
  const unknown = compressOutput(text, { command: null, isFailure: about.isFailure });
  const after = Buffer.byteLength(made?.text ?? text);
  const alone = Buffer.byteLength(unknown?.text ?? text);
  sums.before += before;
  sums.after += after;
  sums.unknown += alone;
  const columns = [name.padEnd(22), wholeNumber(before).padStart(13), wholeNumber(after).padStart(7)];
  const saved = [savedOf(before, after), (made?.compressor ?? "-").padEnd(13), savedOf(before, alone)];
  console.log([...columns, ...saved].join("  "));
}
const total = `${wholeNumber(sums.before)} bytes, ${wholeNumber(sums.after)} after`;
console.log(
  `all: ${total} (${savedOf(sums.before, sums.after).trim()}), by shape alone ${wholeNumber(sums.unknown)}\n`,
);

const failures = { isFailure: false };
const texts: [name: string, text: string, about: AboutOutput][] = outputs.map(({ name, text, words }) => [
  name,
  repeated(text),
  { command: words, ...failures },
]);
const words = "the crane lifts a berth of cargo over the quay at tide ".split(" ");
const prose = Array.from({ length: 20_000 }, (_, index) =>
  Array.from({ length: 9 }, (_each, at) => words[(index * 7 + at * at) % words.length]).join(" "),
).join("\n");
texts.push(["no format", prose.slice(0, megabyte), { command: null, ...failures }]);
texts.push(["no format, a script", prose.slice(0, megabyte), { command: [["./run.sh"]], ...failures }]);
const list = outputs.find(({ name }) => name === "api-json-pretty")?.text ?? "[]";
const json = `[${Array.from({ length: Math.floor(megabyte / list.length) }, () => list).join()}]`;
texts.push(["one JSON value", json, { command: null, ...failures }]);
texts.push(["one line", "x".repeat(megabyte), { command: null, ...failures }]);

const means: number[] = [];
console.log("ms a MB                  mean    p95");
for (const [name, text, about] of texts) {
  const times = Array.from({ length: rounds }, () => {
    const began = performance.now();
    compressOutput(text, about);
    return ((performance.now() - began) * megabyte) / text.length;
  }).slice(3);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  means.push(mean);
  console.log(
    `${name.padEnd(22)} ${mean.toFixed(1).padStart(6)} ${quantileOf(times, 0.95).toFixed(1).padStart(6)}`,
  );
}
const mean = means.reduce((sum, each) => sum + each, 0) / means.length;
console.log(`mean of all ${mean.toFixed(1)} ms a MB; at most ${target}`);
if (mean >= target) process.exitCode = 1;

function savedOf(before: number, after: number): string {
  return percent((100 * (before - after)) / before).padStart(5);
}

/** Whole copies, up to a megabyte. */
function repeated(text: string): string {
  return text.repeat(Math.max(1, Math.floor(megabyte / text.length)));
}

/**
 * `node test/bench/guard/output.ts`: what smaller outputs save on the outputs of real tools, and how long they take. Each output is listed with its
 * bytes before and after, with its command and by its shape alone; then milliseconds a megabyte, of text that each compressor knows and of text
 * that none does, beside a loop that only splits a text and searches each line. Processor time counts, as other work slows both.
 */
import { compressOutput, type AboutOutput } from "../../../src/engine/guard/output/compressors/compress.ts";
import { percent, wholeNumber } from "../../../src/engine/base/text/format.ts";
import { allOutputs, toolOf } from "../../engine/guard/output/compressors/support/corpus.ts";
import { quantileOf } from "../quantile.ts";

const megabyte = 1_000_000;
const rounds = 7;
/** Goal of milliseconds a megabyte in the mean, on a machine with nothing else to do. */
const goal = 15;
/** Limit of the time in relation to the loop that splits and searches. */
const maxRatio = 30;

const outputs = allOutputs();
const smaller = { count: 0, before: 0, after: 0 };
const sums = { before: 0, after: 0, unknown: 0 };
console.log("output                  bytes before   after  saved  compressor     by shape alone");
for (const { name, text, about } of outputs) {
  const before = Buffer.byteLength(text);
  const made = compressOutput(text, about);
  const unknown = compressOutput(text, { command: null, isFailure: about.isFailure });
  const after = Buffer.byteLength(made?.text ?? text);
  const alone = Buffer.byteLength(unknown?.text ?? text);
  if (made !== null)
    [smaller.count, smaller.before, smaller.after] = [
      smaller.count + 1,
      smaller.before + before,
      smaller.after + after,
    ];
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

const tools = new Set(outputs.map(toolOf)).size;
console.log(
  `${outputs.length} outputs of ${tools} tools; ${smaller.count} made smaller by ${savedOf(smaller.before, smaller.after).trim()}`,
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
const references: number[] = [];
console.log("ms a MB                  mean    p95");
for (const [name, text, about] of texts) {
  const times = timesOf(text, () => compressOutput(text, about));
  references.push(meanOf(timesOf(text, () => linesWithError(text))));
  const mean = meanOf(times);
  means.push(mean);
  console.log(
    `${name.padEnd(22)} ${mean.toFixed(1).padStart(6)} ${quantileOf(times, 0.95).toFixed(1).padStart(6)}`,
  );
}
const [mean, reference] = [meanOf(means), meanOf(references)];
console.log(
  `mean of all ${mean.toFixed(1)} ms a MB, goal ${goal}${mean < goal ? "" : ", MISSED"}; ${(mean / reference).toFixed(1)} times the loop's ${reference.toFixed(1)} ms, at most ${maxRatio}`,
);
if (mean >= goal && mean >= maxRatio * reference) process.exitCode = 1;

function meanOf(all: readonly number[]): number {
  return all.reduce((sum, each) => sum + each, 0) / all.length;
}

/** Milliseconds of processor time a megabyte, without the first rounds. */
function timesOf(text: string, run: () => unknown): number[] {
  return Array.from({ length: rounds }, () => {
    const began = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(began);
    return (((user + system) / 1000) * megabyte) / text.length;
  }).slice(2);
}

function linesWithError(text: string): number {
  return text.split("\n").filter((line) => /\b(?:error|warning)\b/iu.test(line)).length;
}

function savedOf(before: number, after: number): string {
  return percent((100 * (before - after)) / before).padStart(5);
}

/** Whole copies, up to a megabyte. */
function repeated(text: string): string {
  return text.repeat(Math.max(1, Math.floor(megabyte / text.length)));
}

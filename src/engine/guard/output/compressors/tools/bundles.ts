import { beginsWith, type Compressor, type OutputText } from "../compressor.ts";
import { kindOf, type Kind } from "../left-out.ts";
import type { Marks } from "../marks.ts";

const files = kindOf("bundle", "built file");
const modules = kindOf("bundle", "module");

const summaries =
  /^✓ \d+ modules? transformed|^vite v\d|^webpack \d\S* compiled|^⚡ Done in |^ +Compiled successfully|^created \S+ in /mu;
/** A file that is written, with its size. */
const builtFile = /^(?: *asset \S+ [\d.]+ \w+|\S*\/\S+ +[\d.]+ [kKMG]?i?B\b| +\S*\/\S+ +[\d.]+[kmg]?b\b)/u;
/** A module that is part of one. */
const module = /^(?: +\| | +(?:\.{0,2}\/|\S+\/)\S+ [\d.]+ \w+ \[| +├ | +└ )/u;
/** The first line is the entry, the last one the largest or the smallest. */
const atEachEnd = 3;

/** Vite, webpack, esbuild, Rollup: of a long list of files and modules, the middle is left out. */
export const bundles: Compressor = {
  runs: (words) => beginsWith(words, "vite build", "webpack", "esbuild", "rollup", "rspack", "next build"),
  mark: ({ ends, lines }, marks) => {
    if (!summaries.test(ends)) return;
    dropMiddle(lines, marks, builtFile, files);
    dropMiddle(lines, marks, module, modules);
  },
};

/** Of each run of lines of a form, drops those that are not near its ends. */
function dropMiddle(lines: OutputText["lines"], marks: Marks, form: RegExp, kind: Kind): void {
  let from = 0;
  for (let index = 0; index <= lines.length; index += 1) {
    if (index < lines.length && form.test(lines[index] ?? "")) continue;
    for (let each = from + atEachEnd; each < index - atEachEnd; each += 1) marks.dropQuiet(each, kind);
    from = index + 1;
  }
}

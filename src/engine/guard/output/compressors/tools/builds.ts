import { beginsWith, type Compressor } from "../compressor.ts";
import { kindOf, type Marks } from "../marks.ts";

const compilers = new Set("gcc g++ cc c++ clang clang++ ld tsc rustc javac emcc nvcc swiftc".split(" "));
const makers = new Set("make gmake ninja cmake cargo configure ./configure meson bazel".split(" "));

const steps = kindOf("build", "step of the build", "steps of the build");
const excerpts = kindOf("build", "excerpt line");
const sameWarnings = kindOf("build", "repeated warning");
const moreNotes = kindOf("build", "line of more notes", "lines of more notes");

/** A compiler's command that make prints. */
const command =
  /^(?:\/\S{1,200}\/)?(?:[\w.]{1,30}-){0,4}(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ar|ld|ranlib|libtool|nvcc|emcc)(?:-\d+)? .*\s-[co]\s/u;
const buildStep =
  /^(?:make(?:\[\d+\])?: (?:Entering|Leaving) directory |make(?:\[\d+\])?: Nothing to be done |\[ *\d+%\] (?:Building|Linking|Built|Generating|Scanning|Automatic) |\[\d+\/\d+\] (?:(?:Building|Linking|Compiling|Generating|Copying|Installing|Scanning|Creating|Re-?running|Performing|Automatic) |(?:CC|CXX|AR|LD|AS|LINK|STAMP|CXX_?\w*)\b)|Scanning dependencies of target | {2}(?:CC|CXX|LD|AR|AS|GEN|HOSTCC|CCLD|CXXLD) +\S+$|checking .*\.\.\. (?:\(cached\) )?(?:yes|none needed)$|config\.status: creating | +(?:Compiling|Checking|Downloading|Downloaded|Fresh|Unpacking|Documenting|Blocking) \S)/u;

/** Begins any of those lines. */
const evidence =
  /^(?:make(?:\[\d+\])?: |\[ *\d+(?:%|\/\d+)\] |Scanning dependencies|checking |config\.status: | {2,}[A-Z]|(?:\/\S{1,200}\/)?(?:[\w.]{1,30}-){0,4}(?:gcc|g\+\+|cc|c\+\+|clang|ar|ld|ranlib|libtool|nvcc|emcc))/mu;

/** Maximum errors with an excerpt. Agents can read the other files at the lines in the errors. */
const maxExcerpts = 20;

/** Compilers and build tools. Keeps each error, warning and place, and the excerpts of the first errors. */
export const builds: Compressor = {
  runs: ([program = "", ...rest]) =>
    compilers.has(program) || makers.has(program) || beginsWith([program, ...rest], "go build", "go vet"),
  mark: ({ ends, lines }, marks) => {
    if (evidence.test(ends))
      lines.forEach((line, index) => {
        if (command.test(line)) marks.drop(index, steps);
        else if (buildStep.test(line)) marks.dropQuiet(index, steps);
      });
    if (/(?:^|: | - )(?:warning|error|note|fatal error)\b/mu.test(ends)) markExcerpts(lines, marks);
  },
};

/** The first line of a diagnostic of gcc, clang, tsc or rustc. */
const header =
  /^(?:(?<place>[^\s:][^:\n]{0,400}):\d+:(?:\d+(?::| -))? (?:(?<kind>warning|error|note|fatal error): |error TS\d)|[^\s(]{1,400}\(\d+,\d+\): error TS\d|(?<block>warning|error)(?:\[\w+\])?: )/u;
/** An excerpt with a margin, of gcc and rustc. */
const excerpt = /^(?:\s*(?:\d+ *)?\|| *\.\.\.$| +╭| +│)/u;
const underline = /^\s*[~^][~^ ]*$/u;
const ruleNote = /^ +(?:\||=) note: .*on by default$/u;
const included = /^(?:In file included| +) from \/usr\/.*[:,]$/u;
const inSystem = /^\/(?:usr|opt|nix|Library|Applications)\//u;
/** Maximum notes on one error, and maximum notes in the system's headers. */
const maxNotes = 8;
const maxSystemNotes = 3;

type Part = "warning" | "error" | "dropped" | "same";

function markExcerpts(lines: readonly string[], marks: Marks): void {
  const warned = new Set<string>();
  let part: Part | null = null;
  let errors = 0;
  let notes = 0;
  let systemNotes = 0;
  lines.forEach((line, index) => {
    const groups = header.exec(line)?.groups;
    if (groups !== undefined) {
      marks.recognize();
      const kind = groups["kind"] ?? groups["block"] ?? "error";
      if (kind === "note") {
        notes += 1;
        systemNotes += inSystem.test(line) ? 1 : 0;
        const isMore = notes > maxNotes || (inSystem.test(line) && systemNotes > maxSystemNotes);
        if (isMore || part === "same") marks.drop(index, moreNotes);
        if (isMore) part = "dropped";
        return;
      }
      const isSame = kind === "warning" && groups["place"] !== undefined && warned.has(line);
      if (isSame) marks.drop(index, sameWarnings);
      warned.add(line);
      part = isSame ? "same" : kind === "warning" ? "warning" : "error";
      errors += part === "error" ? 1 : 0;
      [notes, systemNotes] = [0, 0];
      return;
    }
    if (included.test(line)) marks.dropQuiet(index, moreNotes);
    if (part === null) return;
    const isPlain = excerpt.test(line) || underline.test(line);
    // clang and tsc print the line of the file unchanged, and mark it in the next line.
    const isMarked = !isPlain && /^\s*\S/u.test(line) && underline.test(lines[index + 1] ?? "");
    if (!isPlain && !isMarked) {
      if (ruleNote.test(line) && part === "warning") marks.drop(index, excerpts);
      else if (/^\S/u.test(line)) part = null;
      return;
    }
    const isLeftOut = part !== "error" || errors > maxExcerpts;
    const kind = part === "dropped" ? moreNotes : excerpts;
    if (isLeftOut && isPlain) marks.drop(index, kind);
    else if (isLeftOut) marks.dropQuiet(index, kind);
  });
}

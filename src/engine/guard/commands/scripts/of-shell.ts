import type { Input } from "../inner-scope.ts";
import { plainArgument, unknownText, type Argument } from "../invocation.ts";
import type { Scope } from "../scope.ts";
import { scriptFile, isUnreadText, unreadText } from "../script-sources.ts";
import { hookRuns } from "../stored/named-tasks.ts";
import { shellOptions, shells, sourcing } from "../wrappers.ts";
import { writtenFile, writtenTextsLike } from "../written-files.ts";

interface ShellScript {
  readonly text: string;
  readonly name: Argument;
  readonly parameters: readonly Argument[];
}

/** Programs that store their input for a shell. */
const keeping = new Set(["at", "batch"]);

/** Returns the script in a command's input, or in a file that the command line has written; null for none. */
export function shellScript(
  called: string,
  program: string,
  args: readonly Argument[],
  { input, scope }: { readonly input: Input; readonly scope: Scope },
): ShellScript | null {
  const name = plainArgument(called);
  const isShell = shells.has(program);
  if (!isShell && !sourcing.has(program)) {
    if (keeping.has(program)) return input.text === null ? null : { text: input.text, name, parameters: [] };
    const own = called.includes("/") ? writtenFile(scope, called)?.text : null;
    return own === null || own === undefined ? null : { text: own, name, parameters: args };
  }
  const at = args.findIndex(
    ({ text }, index) => !isOption(text) && !shellOptions.has(args[index - 1]?.text ?? ""),
  );
  const file = at === -1 ? undefined : args[at];
  const isRead = file === undefined ? isShell : file.text === "/dev/stdin" || file.text === "-";
  // After -s all words are parameters.
  const isParameters = isShell && args.some(({ text }) => /^-[a-z]*s$/u.test(text));
  const text = isRead || isParameters ? input.text : file === undefined ? null : scriptText(scope, file);
  if (text === null) return null;
  const parameters = file === undefined ? [] : args.slice(isParameters ? at : at + 1);
  return { text, name: file ?? name, parameters };
}

/** Returns the text of a script, or of all scripts that a pattern or a search may find. */
function scriptText(scope: Scope, file: Argument): string | null {
  const written = writtenFile(scope, file.text);
  if (written !== null) return written.text;
  const texts = writtenTextsLike(scope, file.text);
  return texts.length === 0 ? null : texts.join("\n");
}

const isOption = (text: string): boolean => /^[-+]./u.test(text);

/** Programs that only change the form of a text. */
const forming = new Set(["tr", "rev", "gunzip", "zcat", "openssl"]);

const downloading = new Set(["curl", "wget"]);

/** Returns the programs that wrote a command's script. */
export function writersOfScript(
  called: string,
  program: string,
  args: readonly Argument[],
  scope: Scope,
): readonly string[] {
  if (scope.files.size === 0) return [];
  const isShell = shells.has(program) || sourcing.has(program);
  const name = isShell ? args.find(({ text }) => !isOption(text))?.text : scriptFile(program, args)[0]?.text;
  const file = name ?? (called.includes("/") ? called : unknownText);
  const hooks = hookRuns(
    program,
    args.map(({ text }) => text),
  ).flatMap(({ names }) => names);
  return [file, ...hooks].flatMap((each) => {
    const written = writtenFile(scope, each);
    if (written === null) return [];
    const writers = written.from.filter((writer) => !forming.has(writer));
    // A substitution's output is not stored, and a download is labelled already.
    const isKnown = each.startsWith("/dev/") || writers.some((writer) => downloading.has(writer));
    return !isKnown && isUnreadText({ ...written, from: writers }) ? [...writers, unreadText] : writers;
  });
}

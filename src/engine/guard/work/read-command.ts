import { readOptions } from "../calls/read-options.ts";
import { readPowerShell } from "../commands.ts";
import { isUnknown, type Invocation, type ShellContext } from "../commands/invocation.ts";
import { readCommandLine } from "../commands/shell-reader.ts";
import type { CheckKind } from "../verification/check-outcome.ts";
import { checkOf } from "../verification/command-checks.ts";
import type { CommandFacts } from "./command-facts.ts";
import { asking, filters, isLooking, polledBy } from "./looking.ts";

/** Programs that only prepare the next one. */
const preparing = new Set(
  "cd pushd popd env export set source . true : echo printf unset sleep wait mkdir".split(" "),
);
const subcommanded = new Set(
  "git npm pnpm yarn bun deno cargo go docker podman kubectl gh glab make just pip pip3 uv poetry terraform aws gcloud az helm dotnet mvn gradle gradlew mix swift flutter apt apt-get brew systemctl composer bundle rails turbo nx".split(
    " ",
  ),
);
const sourceFile =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|pyi|rb|rs|go|java|kt|kts|scala|swift|cs|fs|c|h|cc|cpp|hpp|m|mm|php|pl|lua|ex|exs|erl|hs|ml|clj|dart|sh|bash|zsh|sql|css|scss|less|html|ya?ml|toml|tf|proto|graphql)$/iu;
const maxWords = 60;
const maxWrites = 20;

/** Reads a command line for the guards that compare calls. A bundle of its own, loaded with the first command of any session. */
export function readCommand(
  command: string,
  context: ShellContext,
  shell: "posix" | "powershell",
): CommandFacts {
  const all = shell === "powershell" ? readPowerShell(command, context) : readCommandLine(command, context);
  const ran = all.filter((each, at) => each.program !== "" && !isOpened(each, all[at + 1]));
  const main = ran.filter((each) => !preparing.has(each.program));
  const own = main.filter(({ program, from }) => !(from.length > 0 && filters.has(program)));
  const [first] = own;
  const checks = new Set<CheckKind>();
  for (const each of all) {
    const kind = checkOf(each);
    if (kind !== null) checks.add(kind);
  }
  const writes = writtenBy(all);
  const isWriting = all.some(({ redirections, program }) => program === "tee" || redirections.some(isWrite));
  const isQuiet =
    ran.every((each) => isLooking(each) || (checkOf(each) !== null && !isFixing(each))) && !isWriting;
  const effect = !isQuiet || writes.length > 0 ? "change" : checks.size > 0 ? "check" : "look";
  return {
    name: nameOf(first ?? ran[0]),
    words: own
      .flatMap(({ program, args, folder }) => [program, ...args.map(({ text }) => text), folder ?? ""])
      .slice(0, maxWords),
    effect,
    checks: [...checks],
    isQuestion: own.some(
      ({ program, args }) => asking.has(program) || (program === "git" && args[0]?.text === "grep"),
    ),
    ...waitOf(command, ran, own),
    writes,
  };
}

/** Tests whether a wrapper runs the next program. */
function isOpened({ program }: Invocation, next: Invocation | undefined): boolean {
  if (next === undefined || next.program === "") return false;
  return next.via.at(-1) === program || (program === "env" && next.via.length === 0);
}

/** Tests whether a check fixes its findings. */
function isFixing({ args }: Invocation): boolean {
  return args.some(({ text }) =>
    /^--(?:fix|write|autocorrect|fix-dry-run|unsafe-fixes|apply)(?:=.*)?$/u.test(text),
  );
}

function nameOf(invocation: Invocation | undefined): string {
  if (invocation === undefined) return "";
  const { program, args } = invocation;
  if (!subcommanded.has(program)) return program;
  const words = readOptions(program, args).operands.map(({ text }) => text);
  const own = words.slice(0, words[0] === "run" || words[0] === "compose" ? 2 : 1);
  return own.every((word) => /^[a-z][\w:-]*$/iu.test(word)) ? [program, ...own].join(" ") : program;
}

function hasLoop(command: string): boolean {
  const begin = command.search(/\b(?:until|while|for)\b/u);
  return begin !== -1 && /\bdo\b/u.test(command.slice(begin));
}

function waitOf(
  command: string,
  ran: readonly Invocation[],
  own: readonly Invocation[],
): Pick<CommandFacts, "polls" | "waits"> {
  // A shell's loop is the recommended way of waiting.
  if (hasLoop(command)) return { polls: null, waits: false };
  const sleeps = ran.some(({ program }) => program === "sleep");
  const polls = own.map((each) => polledBy(each));
  if (own.length === 0) return { polls: null, waits: sleeps };
  if (polls.includes(null)) return { polls: null, waits: false };
  // A request for another part of the answer is another request.
  const rest = ran.filter((each) => !own.includes(each) && !preparing.has(each.program));
  const shown = rest.map(({ program, args }) => [program, ...args.map(({ text }) => text)].join(" "));
  return { polls: [...polls, ...shown].join("; "), waits: sleeps };
}

function isWrite({ kind, target }: Invocation["redirections"][number]): boolean {
  return kind !== "read" && !/^(?:\/dev\/(?:null|stderr|stdout|tty)|nul|\$null)$/iu.test(target.text);
}

/** Returns the source files that a line writes by redirection, or edits in place. */
function writtenBy(all: readonly Invocation[]): string[] {
  const files = all.flatMap(({ program, args, redirections, place }) => {
    if (place !== "here") return [];
    const targets = redirections.filter(isWrite).map(({ target }) => target.text);
    const isInPlace =
      /^(?:sed|gsed|perl|ruby)$/u.test(program) &&
      args.some(({ text }) => /^(?:-i|--in-place|-[a-z]*i)/u.test(text));
    const operands = isInPlace || program === "tee" ? args.map(({ text }) => text) : [];
    return [...targets, ...operands];
  });
  const known = files.filter((file) => !isUnknown(file) && sourceFile.test(file) && !/\s/u.test(file));
  return [...new Set(known)].slice(0, maxWrites);
}

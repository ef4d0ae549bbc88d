import type { Effort } from "../effort.ts";
import { plainArgument, unknownText, type Argument } from "./invocation.ts";
import { isNarrowedAt, namesOf } from "./programs/find-tests.ts";
import type { Scope } from "./scope.ts";
import { wordsWithin } from "./programs/typical-words.ts";

/** A name that every file has. */
const anyName = /^[*.]*$/u;
/** Options of fd that take the next word. */
const valued = new Set(
  "-e --extension -d --max-depth --min-depth --exact-depth -t --type -E --exclude -S --size -o --owner -j --threads --changed-within --changed-before --base-directory --search-path".split(
    " ",
  ),
);

/** Folders that one search begins in; of more, those that stand for all. */
const mostStarts = { whole: 50, typical: 200 };

/** Returns the folders that find begins in, each once. */
function startPoints(args: readonly Argument[], effort: Effort): readonly string[] {
  const end = args.findIndex(
    ({ text }) => /^(?:-[a-zA-KM-OQ-Z]|[(!,])/u.test(text) && !/^-[HLP]+$/u.test(text),
  );
  const starts = (end === -1 ? args : args.slice(0, end))
    .map(({ text }) => text)
    .filter((text) => !/^-[HLP]+$/u.test(text));
  if (starts.length === 0) return ["."];
  return wordsWithin([...new Set(starts)].map(plainArgument), mostStarts, effort).map(({ text }) => text);
}

/** Folders of the machine, and homes: files of any name in them are too many. */
const broad =
  /^(?:\/|~|\/(?:home|Users)\/[^/]+|\/(?:bin|boot|etc|home|lib\w*|opt|root|sbin|srv|sys|usr(?:\/\w+)?|var|Users|Library))\/?$/u;

/**
 * Returns the paths that find, or fd, finds, as far as its words say it: `./\uFFFD` is everything below the folder.
 * @param at place of the word that says what is done with them
 */
export function foundFiles(
  program: string,
  args: readonly Argument[],
  { context: { home }, effort }: Pick<Scope, "context" | "effort">,
  at = args.length,
): readonly Argument[] {
  const { starts, name, isNarrowed } =
    program === "find" ? ofFind(args, at, effort) : ofFd(args.slice(0, at));
  return starts.flatMap((start) => {
    const below = `${start.replace(/(?<!\/)\/+$/u, "")}/${unknownText}`;
    const own =
      name === null ? [] : [{ ...plainArgument(`${below}/${name}`), isPattern: /[*?[]/u.test(name) }];
    // Files that only some names have are not all of a folder, unless it is the machine or a home.
    const isBroad = broad.test(start) || start.replace(/(?<!\/)\/+$/u, "") === home;
    const all = isNarrowed && !isBroad ? [] : [plainArgument(below)];
    const some = own.length + all.length === 0 ? [plainArgument(`${below}/${unknownText}`)] : [];
    return [...all, ...own, ...some];
  });
}

interface Search {
  readonly starts: readonly string[];
  /** The name that the files have; null where it is not known. */
  readonly name: string | null;
  readonly isNarrowed: boolean;
}

function ofFind(args: readonly Argument[], at: number, effort: Effort): Search {
  const texts = args.map(({ text }) => text);
  const isNarrowed = isNarrowedAt(texts, at);
  const [name, ...others] = namesOf(texts);
  const isOne = name !== undefined && others.length === 0 && !anyName.test(name) && isNarrowed;
  return { starts: startPoints(args, effort), name: isOne ? name : null, isNarrowed };
}
function ofFd(args: readonly Argument[]): Search {
  const operands: string[] = [];
  let isNarrowed = false;
  for (let at = 0; at < args.length; at += 1) {
    const text = args[at]?.text ?? "";
    if (/^(?:-[xX]|--exec(?:-batch)?)$/u.test(text)) break;
    if (valued.has(text)) {
      isNarrowed ||= !/^(?:-[tjE]|--type|--threads|--exclude)$/u.test(text);
      at += 1;
    } else if (!text.startsWith("-")) operands.push(text);
  }
  const [pattern = "", ...starts] = operands;
  const name = pattern.replaceAll(/^\^|\$$/gu, "").replaceAll("\\.", ".");
  const isName = /^[\w.-]+$/u.test(name) && !anyName.test(name);
  return {
    starts: starts.length === 0 ? ["."] : starts,
    name: isName ? name : null,
    isNarrowed: isNarrowed || !anyName.test(pattern),
  };
}

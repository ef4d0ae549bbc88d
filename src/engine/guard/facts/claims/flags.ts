import type { Invocation } from "../../commands/invocation.ts";
import type { Claim } from "./claim.ts";
import { gitCommandOf } from "./git-refs.ts";
import { isCertain } from "./operands.ts";

/** Commands of git that list all their options in their usage. */
const gitCommands = new Set(
  "add branch checkout switch commit merge push pull fetch clone tag status reset restore rebase".split(" "),
);

/** Programs that list all their long options in `--help`, and that shells do not replace. */
const helpedPrograms: ReadonlySet<string> = new Set(
  "cat chmod cp curl cut df diff du head jq ln ls make mkdir mv rm rsync sed sort stat tail tar tee touch tr uniq wc wget".split(
    " ",
  ),
);

/** Returns the long options of a program that describes them itself. */
export function flagClaims(invocation: Invocation): Claim[] {
  const { program } = invocation;
  const git = program === "git" ? gitCommandOf(invocation) : null;
  if (program === "git" ? git === null || !gitCommands.has(git.command) : !helpedPrograms.has(program))
    return [];
  const [words, folder] = git === null ? [invocation.args, invocation.folder] : [git.rest, git.folder];
  if (folder === null) return [];
  const end = words.findIndex(({ text }) => text === "--");
  const own = end === -1 ? words : words.slice(0, end);
  return own.flatMap((arg, index): Claim[] => {
    const flag = /^--[a-z][a-z\d-]+(?==|$)/u.exec(arg.text)?.[0];
    // It may be the value of the option before it.
    const isValue = /^-[^=]*$/u.test(own[index - 1]?.text ?? "");
    if (flag === undefined || isValue || !isCertain({ ...arg, text: flag })) return [];
    return [{ kind: "flag", program, subcommand: git?.command ?? null, flag, folder }];
  });
}

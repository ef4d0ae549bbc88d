import type { Argument, Invocation } from "../../commands/invocation.ts";
import { ownValue } from "../../own-value.ts";
import { type Claim, type RefClaim, placeOf } from "./claim.ts";
import { isCertain, readOperands, type OptionSpec, type ReadOperands } from "./operands.ts";

interface Named {
  readonly arg: Argument | undefined;
  readonly mayBePath?: boolean;
  readonly mayBeRemote?: boolean;
}

interface CommandSpec extends OptionSpec {
  readonly refs: (read: ReadOperands) => readonly Named[];
}

const each = ({ operands }: ReadOperands): readonly Named[] => operands.map((arg) => ({ arg }));

/** Commits come first. The first word that is not a commit is a path, like all words after it. */
const beforePaths = ({ operands, dashes }: ReadOperands): readonly Named[] =>
  operands.slice(0, dashes ?? operands.length).map((arg) => ({ arg, mayBePath: dashes === null }));

const diffFlags =
  "--stat --shortstat --numstat --name-only --name-status --cached --staged --summary --patch -p -u --no-patch -s --color --no-color --word-diff -w -b --ignore-all-space --ignore-space-change --exit-code --quiet --check --raw --binary -M -C --find-renames --no-renames --no-ext-diff --minimal --patience --histogram --text -a --merge-base --dirstat";
const diffValued =
  "-U --unified -G -S --diff-filter --color --format --pretty --word-diff --stat --find-renames --abbrev";
const log: CommandSpec = {
  flags: `${diffFlags} --oneline --graph --all --decorate --no-decorate --merges --no-merges --first-parent --reverse --follow --date-order --topo-order --abbrev-commit -i --left-right --cherry-pick --no-pager --name-status --show-signature --branches --tags --remotes`,
  valued: `${diffValued} -n --max-count --skip --since --after --until --before --author --committer --grep --date --decorate`,
  isNumbered: true,
  refs: beforePaths,
};
const picking: CommandSpec = {
  flags: "-n --no-commit -x -e --edit --no-edit -s --signoff --ff --allow-empty",
  valued: "-m --mainline -X --strategy-option --strategy",
  refs: each,
};

const commands: Readonly<Record<string, CommandSpec>> = {
  checkout: {
    flags: "-f --force -q --quiet -m --merge --detach --progress --no-progress --guess --no-track",
    valued: "-b -B --orphan",
    refs: ({ operands, values, flags, dashes }) => {
      if (dashes === 0) return [];
      const isNew = values.size > 0;
      const mayBePath = !isNew && dashes === null;
      return [{ arg: operands[0], mayBePath, mayBeRemote: !isNew && !flags.has("--detach") }];
    },
  },
  switch: {
    flags: "-f --force --discard-changes -q --quiet -m --merge -d --detach --guess --no-track",
    valued: "-c -C --create --force-create",
    refs: ({ operands, values, flags }) => [
      { arg: operands[0], mayBeRemote: values.size === 0 && !flags.has("--detach") && !flags.has("-d") },
    ],
  },
  merge: {
    flags:
      "--ff --no-ff --ff-only --squash --no-squash --commit --no-commit --edit --no-edit -e -q --quiet -v --stat --no-stat -n --no-verify --signoff --autostash --allow-unrelated-histories",
    valued: "-m -s --strategy -X --strategy-option --into-name",
    refs: each,
  },
  rebase: {
    flags:
      "-i --interactive --autosquash --no-autosquash --autostash --no-autostash --keep-base -r --rebase-merges -q --quiet -v --verbose --fork-point --no-fork-point -f --force-rebase --update-refs --signoff",
    valued: "--onto -s --strategy -X --strategy-option",
    refs: (read) => [{ arg: read.values.get("--onto") }, ...each(read)],
  },
  "cherry-pick": picking,
  revert: picking,
  reset: {
    flags: "--hard --soft --mixed --keep --merge -q --quiet",
    refs: ({ operands, flags, dashes }) => {
      if (dashes === 0) return [];
      const isWhole = ["--hard", "--soft", "--mixed", "--keep", "--merge"].some((flag) => flags.has(flag));
      return [{ arg: operands[0], mayBePath: !isWhole && dashes === null }];
    },
  },
  diff: { flags: diffFlags, valued: diffValued, refs: beforePaths },
  log,
  show: { ...log, refs: beforePaths },
  branch: {
    flags: "-d -D --delete -f --force -q --quiet",
    refs: (read) =>
      ["-d", "-D", "--delete"].some((flag) => read.flags.has(flag))
        ? each(read)
        : [{ arg: read.operands[1] }],
  },
  worktree: {
    flags: "-f --force --detach -d -q --quiet --lock --no-checkout",
    valued: "-b -B",
    refs: ({ operands, values }) =>
      operands[0]?.text === "add" ? [{ arg: operands[2], mayBeRemote: values.size === 0 }] : [],
  },
  push: {
    flags:
      "-u --set-upstream -f --force --force-with-lease --force-if-includes --no-verify --tags --follow-tags -q --quiet -v --verbose -n --dry-run --atomic --progress",
    valued: "-o --push-option",
    refs: ({ operands }) =>
      operands.some(({ text }) => text === "tag")
        ? []
        : operands
            .slice(1)
            .map((arg) => ({ arg: { ...arg, text: arg.text.replace(/^\+/u, "").split(":")[0] ?? "" } })),
  },
};

const ownOptions: OptionSpec = { flags: "--no-pager -P --no-optional-locks", valued: "-C -c" };

/** Returns git's command, the words behind it and the folder that it works in; null where that is not known. */
export function gitCommandOf({ args, folder }: Pick<Invocation, "args" | "folder">): {
  readonly command: string;
  readonly rest: readonly Argument[];
  readonly folder: string;
} | null {
  let at = 0;
  let place = folder;
  while (args[at]?.text.startsWith("-") === true) {
    const text = args[at]?.text ?? "";
    const size = text === "-C" || text === "-c" ? 2 : 1;
    const known = readOperands(ownOptions, args.slice(at, at + size));
    if (known === null) return null;
    const moved = known.values.get("-C");
    if (moved !== undefined) place = isCertain(moved) ? placeOf(moved.text, place) : null;
    at += size;
  }
  const command = args[at]?.text;
  return command === undefined || place === null
    ? null
    : { command, rest: args.slice(at + 1), folder: place };
}

/** Returns the branches, tags and commits that a git command names. */
export function refClaims(invocation: Invocation): Claim[] {
  const read = gitCommandOf(invocation);
  if (read === null) return [];
  const spec = ownValue(commands, read.command);
  if (spec === undefined) return [];
  const known = readOperands(spec, read.rest);
  if (known?.operands.every(({ isPattern }) => !isPattern) !== true) return [];
  return spec.refs(known).flatMap(({ arg, mayBePath = false, mayBeRemote = false }): RefClaim[] => {
    if (arg === undefined || !isCertain(arg)) return [];
    return namesIn(arg.text).map((name) => ({
      kind: "ref",
      name,
      folder: read.folder,
      // A range contains no paths.
      mayBePath: mayBePath && !arg.text.includes(".."),
      mayBeRemote,
    }));
  });
}

/** Names that git creates itself, and hashes, which a clone may have to fetch. */
const notLookedUp = /^(?:@|-|[A-Z_]*HEAD|stash|[\da-f]{4,64}|.*-g[\da-f]{4,64})$/u;

/** Returns the names in a revision or a range of them, without what follows them. */
function namesIn(text: string): string[] {
  // Pathspecs, and files in a commit.
  if (/[:*?[\]\\\s]|(?:^|\/)\.\.(?:\/|$)/u.test(text)) return [];
  return text
    .replace(/^\^/u, "")
    .split(/\.{2,3}/u)
    .map((part) => part.split(/[~^]|@\{/u)[0] ?? "")
    .filter(
      (name) => /^[A-Za-z\d_][\w./#+@-]*$/u.test(name) && name.length <= 200 && !notLookedUp.test(name),
    );
}

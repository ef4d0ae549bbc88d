import type { Argument, Invocation, ShellContext } from "../../commands/invocation.ts";
import { ownValue } from "../../own-value.ts";
import { type Claim, type PathClaim, isFleeting, placeOf } from "./claim.ts";
import { isCertain, isPlainName, readOperands, type OptionSpec } from "./operands.ts";

interface ReaderSpec extends OptionSpec {
  /** Operands before the files. */
  readonly skip?: number;
  /** With one of these options no operand is skipped. */
  readonly unless?: readonly string[];
  /** Maximum operands that are read; -1: all but the last. */
  readonly max?: number;
  /** The shell also searches a name without a slash in the `PATH`. */
  readonly isSearched?: boolean;
  /** Operands of other forms are not read. */
  readonly like?: RegExp;
}

const grep: ReaderSpec = {
  flags:
    "-E -F -G -P -i -v -w -x -c -l -L -n -H -h -o -q -r -R -a -b -z -U -I -Z --color --extended-regexp --fixed-strings --perl-regexp --ignore-case --invert-match --word-regexp --line-regexp --count --files-with-matches --files-without-match --line-number --with-filename --no-filename --only-matching --quiet --recursive --text",
  valued:
    "-e -f -m -A -B -C --regexp --file --max-count --after-context --before-context --context --include --exclude --exclude-dir --color --colour",
  skip: 1,
  unless: ["-e", "-f", "--regexp", "--file"],
};
const sums: ReaderSpec = { flags: "-b -t --binary --text --tag" };
const python: ReaderSpec = {
  flags: "-u -B -O -OO -s -S -I -E -q -v -i",
  valued: "-W -X",
  max: 1,
  isLeading: true,
  like: /\.py$/u,
};
const shell: ReaderSpec = {
  flags: "-e -u -x -v -l -i -eu -ex -eux",
  valued: "-o",
  max: 1,
  isLeading: true,
  isSearched: true,
  like: /[/.]/u,
};
const sourced: ReaderSpec = { max: 1, isLeading: true, isSearched: true };
const entered: ReaderSpec = { flags: "-P -L -e", max: 1 };

/** Programs that read the files and folders they are given. */
const readers: Readonly<Record<string, ReaderSpec>> = {
  cat: {
    flags:
      "-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting",
  },
  tac: { flags: "-b -r", valued: "-s" },
  nl: { valued: "-b -d -f -h -i -l -n -s -v -w", flags: "-p" },
  head: {
    flags: "-q -v -z --quiet --silent --verbose",
    valued: "-n -c --lines --bytes",
    isNumbered: true,
  },
  tail: {
    flags: "-q -v -z -f -r --quiet --silent --verbose --follow",
    valued: "-n -c --lines --bytes",
    isNumbered: true,
    like: /^[^+]/u,
  },
  wc: { flags: "-c -m -l -L -w --bytes --chars --lines --words --max-line-length" },
  less: { flags: "-R -S -N -F -X -r -i -E -e -M" },
  stat: { flags: "-L -t -x --dereference --terse", valued: "-c -f --format --printf" },
  file: { flags: "-b -i -L -h -z --brief --mime --mime-type --dereference" },
  sort: {
    flags: "-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z --reverse --unique --numeric-sort --stable",
    valued: "-k -t -S --key --field-separator",
  },
  md5sum: sums,
  sha1sum: sums,
  sha256sum: sums,
  sha512sum: sums,
  diff: {
    flags:
      "-q -s -c -u -e -n -y -p -t -T -r -N -i -E -Z -b -w -B -a -d --brief --unified --recursive --new-file --side-by-side --ignore-all-space --ignore-space-change --ignore-blank-lines --color --suppress-common-lines",
    valued: "-U -C -W -I -x --exclude --width --color",
  },
  cmp: { flags: "-b -l -s --print-bytes --verbose --quiet --silent", max: 2 },
  sed: {
    flags: "-n -E -r -s -u -z --quiet --silent --regexp-extended --separate",
    valued: "-e -f --expression --file",
    skip: 1,
    unless: ["-e", "-f", "--expression", "--file"],
  },
  awk: { valued: "-F -v -f", skip: 1, unless: ["-f"], like: /^[^=]+$/u },
  gawk: { valued: "-F -v -f", skip: 1, unless: ["-f"], like: /^[^=]+$/u },
  grep,
  egrep: grep,
  fgrep: grep,
  rg: {
    flags:
      "-i -S -s -v -w -x -c -l -n -N -H -I -o -q -a -F -P -U -L -u -uu -uuu -0 -. --ignore-case --smart-case --case-sensitive --invert-match --word-regexp --count --count-matches --files-with-matches --files-without-match --line-number --no-line-number --with-filename --no-filename --only-matching --quiet --hidden --no-ignore --no-ignore-vcs --fixed-strings --pcre2 --multiline --multiline-dotall --no-heading --heading --column --json --trim --stats --follow --no-messages --pretty --vimgrep",
    valued:
      "-e -f -g -t -T -m -A -B -C -r -j -M -d --regexp --file --glob --iglob --type --type-not --max-count --after-context --before-context --context --replace --threads --max-columns --max-depth --color --sort --sortr",
    skip: 1,
    unless: ["-e", "-f", "--regexp", "--file"],
  },
  jq: {
    flags:
      "-r -c -n -s -S -e -M -C -a -j -R --raw-output --compact-output --null-input --slurp --sort-keys --exit-status --monochrome-output --color-output --join-output --raw-input --tab",
    skip: 1,
  },
  ls: {
    flags:
      "-a -A -l -h -t -r -R -1 -d -F -G -S -i -p -s -n -o -g -c -u -U -v -X -L -H --all --almost-all --human-readable --recursive --reverse --directory --color --full-time --group-directories-first",
    valued: "--color --sort --time-style --format",
  },
  du: {
    flags: "-a -c -h -s -k -m -b -x -L --all --total --human-readable --summarize --apparent-size",
    valued: "-d --max-depth --exclude",
  },
  tree: { flags: "-a -d -f -h -s -C --dirsfirst --noreport --prune", valued: "-L -I -P" },
  cp: {
    flags: "-a -f -i -L -n -p -P -r -R -u -v --archive --force --recursive --verbose --update --no-clobber",
    max: -1,
  },
  mv: { flags: "-f -i -n -u -v --force --interactive --no-clobber --update --verbose", max: -1 },
  rm: { flags: "-r -R -d -i -v --recursive --dir --verbose" },
  chmod: { flags: "-R -v -c --recursive --verbose", skip: 1, like: /^[^+=-]/u },
  cd: entered,
  pushd: entered,
  source: sourced,
  ".": sourced,
  python,
  python3: python,
  node: {
    flags: "--enable-source-maps --no-warnings --trace-warnings",
    max: 1,
    isLeading: true,
    like: /\.[cm]?[jt]s$/u,
  },
  bash: shell,
  sh: shell,
  zsh: shell,
};

/** Returns the paths that a command reads. */
export function pathClaims(invocation: Invocation, context: ShellContext): Claim[] {
  const { program, args, redirections, folder } = invocation;
  const written = redirections
    .filter(({ kind }) => kind !== "read")
    .map(({ target }) => placeOf(target.text, folder));
  const read = redirections
    .filter(({ kind, target }) => kind === "read" && isCertain(target))
    .map(({ target }) => claimOf(target, folder, false));
  const own = operandClaims(program, args, folder);
  // The hook reports a shell's folder after the change.
  const entering =
    program === "cd" || program === "pushd" ? own.map((claim) => enteredClaim(claim, folder)) : own;
  return [...entering, ...read].filter(
    (claim): claim is PathClaim =>
      claim !== null && !written.includes(claim.path) && !isFleeting(claim.path, context),
  );
}

function enteredClaim(claim: PathClaim | null, folder: string | null): PathClaim | null {
  const path = folder === null ? null : placeOf(folder, null);
  return claim === null || path === null ? null : { ...claim, path, folder: null };
}

function operandClaims(
  program: string,
  args: readonly Argument[],
  folder: string | null,
): (PathClaim | null)[] {
  const spec = ownValue(readers, program);
  if (spec === undefined) return [];
  const known = readOperands(spec, args);
  if (known === null) return [];
  const { operands, values, dashes } = known;
  const skipped = spec.unless?.some((option) => values.has(option)) === true ? 0 : (spec.skip ?? 0);
  const { max, like } = spec;
  // A word that may become several, or none, moves those after it.
  if (!operands.slice(0, skipped + (max ?? 0)).every(isOne)) return [];
  if (max === -1 && operands.length < 2) return [];
  const files = operands.slice(skipped);
  const counted = max === undefined ? files : files.slice(0, max);
  return counted
    .filter((arg) => isCertain(arg) && arg.text !== "-" && (dashes !== null || !arg.text.startsWith("-")))
    .filter(({ text }) => like?.test(text) !== false)
    .map((arg) => claimOf(arg, folder, spec.isSearched === true && !/[\\/]/u.test(arg.text)));
}

/** Whether the shell passes on exactly one word. */
function isOne({ text, isPattern }: Argument): boolean {
  return !isPattern && !text.includes("\uFFFC");
}

function claimOf({ text }: Argument, folder: string | null, isSearched: boolean): PathClaim | null {
  // A tilde that is still there was quoted, or stands for an earlier folder.
  if (text.startsWith("~") || text.includes("://") || !isPlainName(text)) return null;
  const path = placeOf(text, folder);
  return path === null ? null : { kind: "path", path, shown: text, folder, isSearched };
}

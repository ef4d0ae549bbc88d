import { beginsWith, type Compressor, type OutputText } from "../compressor.ts";
import { kindOf, type Kind } from "../left-out.ts";
import type { Marks } from "../marks.ts";

interface Manager {
  readonly kind: Kind;
  readonly programs: readonly string[];
  /** A line that only this manager writes. */
  readonly evidence: RegExp;
  /** Lines about one step for one package. Its summary, and what it warns of, have other forms. */
  readonly steps: RegExp;
  /** A line that tells of no error, although the name of its package may. */
  readonly fine?: RegExp;
}

const step = (name: string) => kindOf(name, "step of packages", "steps of packages");

const managers: readonly Manager[] = [
  {
    kind: step("npm"),
    programs: ["npm"],
    evidence: /^npm (?:http|timing|verbose|verb|silly|sill|info) /mu,
    steps: /^npm (?:http|timing|verbose|verb|silly|sill|info) /u,
    fine: /^npm http (?:fetch [A-Z]{3,7} (?:20\d|304)|cache) /u,
  },
  {
    kind: step("yarn"),
    programs: ["yarn"],
    evidence: /^yarn (?:install|add|run) v\d|^➤ YN\d{4}: /mu,
    steps: /^(?:verbose [\d.]+ |(?:info )?[├└]─ \S|➤ YN00(?:13|19): )/u,
  },
  {
    kind: step("pnpm"),
    programs: ["pnpm"],
    evidence: /^(?:Progress: resolved \d|Packages: \+\d)/mu,
    steps: /^(?:Progress: resolved \d.*added \d+$|\++$|\S+ (?:pre|post)?install: )/u,
  },
  {
    kind: step("pip"),
    programs: ["pip", "pip3", "pipx", "uv", "python", "python3"],
    evidence: /^(?:Collecting \S|Requirement already satisfied: \S|Successfully installed \S)/mu,
    steps:
      /^(?:Collecting |Requirement already satisfied: .* \(from |Looking in |Processing |Downloading |Using cached |Building wheel|Installing collected packages: |Obtaining )|^ +(?:Downloading |Using cached |Preparing metadata |Installing build |Getting requirements |Created wheel |Stored in |Building wheel|Attempting uninstall|Found existing |Uninstalling |Successfully uninstalled |━|Running setup\.py )/u,
  },
  {
    kind: step("apt"),
    programs: ["apt", "apt-get", "aptitude", "dpkg"],
    evidence:
      /^(?:Get:\d+ \S|Hit:\d+ \S|Selecting previously unselected package |Setting up \S|Unpacking \S)/mu,
    steps:
      /^(?:Get:\d+ |Hit:\d+ |Ign:\d+ |Selecting previously |Preparing to unpack |Unpacking |Setting up |Processing triggers |\(Reading database |Reading package lists|Building dependency tree|Reading state information|Removing |Purging |Extracting templates|Adding )/u,
  },
];

const packageLists = /^The following .*:$|^(?:Suggested|Recommended) packages:$/u;
const listed = kindOf("apt", "line of packages", "lines of packages");
const dependencies = kindOf("npm", "dependency of dependencies", "dependencies of dependencies");

/** Package managers: one line for each step of each package is left out, and what was done at the end is kept. */
export const packages: Compressor = {
  runs: (words) => managers.some(({ programs }) => programs.includes(words[0] ?? "")),
  mark: ({ ends, lines }, marks) => {
    for (const manager of managers) if (manager.evidence.test(ends)) markSteps(lines, marks, manager);
    if (/^The following /mu.test(ends)) markLists(lines, marks);
  },
};

/** The tree of `npm ls --all`: its first level is kept. */
export const dependencyTree: Compressor = {
  runs: (words) => beginsWith(words, "npm ls", "npm list", "pnpm ls", "pnpm list", "yarn list"),
  mark: ({ lines }, marks, isExpected) => {
    if (!isExpected) return;
    lines.forEach((line, index) => {
      if (/^[│ ] {1,3}[│ ]*[├└][─┬]{1,3} \S+@\S+/u.test(line)) marks.dropQuiet(index, dependencies);
    });
  },
};

export function isPackageStep(line: string): boolean {
  return managers.some(({ steps }) => steps.test(line));
}

/** The last of several reports of progress has the sums. */
function markSteps(lines: OutputText["lines"], marks: Marks, { steps, fine, kind }: Manager): void {
  const lastProgress = lines.findLastIndex((line) => line.startsWith("Progress: "));
  lines.forEach((line, index) => {
    if (!steps.test(line) || index === lastProgress) return;
    if (fine?.test(line) === true) marks.drop(index, kind);
    else marks.dropQuiet(index, kind);
  });
}

function markLists(lines: OutputText["lines"], marks: Marks): void {
  let isList = false;
  lines.forEach((line, index) => {
    if (isList && /^ {2}\S/u.test(line)) marks.dropQuiet(index, listed);
    else isList = packageLists.test(line);
  });
}

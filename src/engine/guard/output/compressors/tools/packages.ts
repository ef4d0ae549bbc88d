import type { Compressor, OutputText } from "../compressor.ts";
import { kindOf, type Kind } from "../left-out.ts";
import type { Marks } from "../marks.ts";

interface Manager {
  readonly kind: Kind;
  readonly programs: readonly string[];
  /** A line that only this manager writes. */
  readonly evidence: RegExp;
  /** Lines about one step for one package. Its summary, and what it warns of, have other forms. */
  readonly steps: RegExp;
  /** Steps of these forms may report a failure: only those that also match `fine` are left out. */
  readonly answers?: { readonly form: RegExp; readonly fine: RegExp };
}

const step = (name: string) => kindOf(name, "step of packages", "steps of packages");

const managers: readonly Manager[] = [
  {
    kind: step("npm"),
    programs: ["npm"],
    evidence: /^npm (?:http|timing|verbose|verb|silly|sill|info) /mu,
    steps: /^npm (?:http|timing|verbose|verb|silly|sill|info) /u,
    answers: { form: /^npm http /u, fine: /^npm http (?:fetch [A-Z]{3,7} (?:20\d|304)|cache) /u },
  },
  {
    kind: step("yarn"),
    programs: ["yarn"],
    evidence: /^yarn (?:install|add|run) v\d|^➤ YN\d{4}: /mu,
    steps: /^(?:verbose [\d.]+ |➤ YN00(?:13|19): )/u,
  },
  {
    kind: step("pnpm"),
    programs: ["pnpm"],
    evidence: /^(?:Progress: resolved \d|Packages: \+\d)/mu,
    steps: /^(?:Progress: resolved \d.*added \d+$|\++$)/u,
  },
  {
    kind: step("pip"),
    programs: ["pip", "pip3", "pipx", "uv", "python", "python3"],
    evidence: /^(?:Collecting \S|Requirement already satisfied: \S|Successfully installed \S)/mu,
    steps:
      /^(?:Collecting |Requirement already satisfied: .* \(from |Looking in |Processing |Downloading |Using cached |Building wheel|Installing collected packages: |Obtaining )|^ +(?:Downloading |Using cached |Preparing metadata |Installing build |Getting requirements |Created wheel |Stored in |Building wheel|━|Running setup\.py )/u,
  },
  {
    kind: step("apt"),
    programs: ["apt", "apt-get", "aptitude", "dpkg"],
    evidence:
      /^(?:Get:\d+ \S|Hit:\d+ \S|Selecting previously unselected package |Setting up \S|Unpacking \S)/mu,
    steps:
      /^(?:Get:\d+ |Hit:\d+ |Selecting previously |Preparing to unpack |Unpacking |Setting up |Processing triggers |\(Reading database |Reading package lists|Building dependency tree|Reading state information|Extracting templates)/u,
  },
];

/** Package managers: one line for each step of each package is left out, and what was done at the end is kept. */
export const packages: Compressor = {
  runs: (words) => managers.some(({ programs }) => programs.includes(words[0] ?? "")),
  mark: ({ ends, lines }, marks) => {
    for (const manager of managers) if (manager.evidence.test(ends)) markSteps(lines, marks, manager);
  },
};

export function isPackageStep(line: string): boolean {
  return managers.some(({ steps }) => steps.test(line));
}

/** The last of several reports of progress has the sums. */
function markSteps(lines: OutputText["lines"], marks: Marks, { steps, answers, kind }: Manager): void {
  const lastProgress = lines.findLastIndex((line) => line.startsWith("Progress: "));
  lines.forEach((line, index) => {
    if (!steps.test(line) || index === lastProgress) return;
    if (answers?.form.test(line) !== true) marks.dropQuiet(index, kind);
    else if (answers.fine.test(line)) marks.drop(index, kind);
  });
}

import { type Compressor, type OutputText, beginsWith } from "../compressor.ts";
import { kindOf, type Kind, type Marks } from "../marks.ts";

interface Manager {
  readonly kind: Kind;
  readonly programs: readonly string[];
  /** A line that only this manager writes. */
  readonly evidence: RegExp;
  /** Lines about one step for one package. Summaries and warnings have other formats. */
  readonly steps: RegExp;
  /** Steps that may report a failure. They are left out only if they also match `fine`. */
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
      /^(?:Get:\d+ |Hit:\d+ |Selecting previously |Preparing to unpack |Unpacking |Setting up |Processing triggers |\(Reading database |(?:Reading package lists|Building dependency tree|Reading state information|Extracting templates from packages)(?:\.\.\.|: \d+%)?(?: Done)?$)/u,
  },
];

/** Package managers. Leaves out the steps of each package, and keeps the summary at the end. */
export const packages: Compressor = {
  runs: (words) => managers.some(({ programs }) => programs.includes(words[0] ?? "")),
  mark: ({ ends, lines }, marks) => {
    for (const manager of managers) if (manager.evidence.test(ends)) markSteps(lines, marks, manager);
  },
};

function isPackageStep(line: string): boolean {
  return managers.some(({ steps }) => steps.test(line));
}

/** The last progress line is kept: it has the sums. */
function markSteps(lines: OutputText["lines"], marks: Marks, { steps, answers, kind }: Manager): void {
  const lastProgress = lines.findLastIndex((line) => line.startsWith("Progress: "));
  lines.forEach((line, index) => {
    if (!steps.test(line) || index === lastProgress) return;
    if (answers?.form.test(line) !== true) marks.dropQuiet(index, kind);
    else if (answers.fine.test(line)) marks.drop(index, kind);
  });
}

const layers = kindOf("docker", "step of layers", "steps of layers");
const inner = kindOf("docker", "step of packages", "steps of packages");

const evidence =
  /^#\d+ (?:\[|DONE |CACHED|sha256:)|^Step \d+\/\d+ : |^STEP \d+\/\d+: |^[0-9a-f]{12}: (?:Pulling|Pull|Already|Download)/mu;
const layerStep =
  /^(?:#\d+ (?:sha256:|extracting |transferring |resolve |DONE |CACHED$|\.\.\.$|exporting |\[internal\] )|[0-9a-f]{12}: (?:Pulling|Pull |Already|Download|Verifying|Waiting|Extracting|Pushed|Preparing|Layer|Mounted)| ---> (?:[0-9a-f]{12}$|Running in |Using cache$)|Removing intermediate container |Getting image source|Copying (?:blob|config) )/u;
/** A line that a build step has written, with its time. */
const written = /^#\d+ \d+\.\d+ /u;

/** Builds and pulls of images. Leaves out the steps of layers, and of packages within them. */
export const images: Compressor = {
  runs: (words) => beginsWith(words, "docker", "podman", "buildah", "docker-compose", "nerdctl"),
  mark: ({ ends, lines }, marks) => {
    if (!evidence.test(ends)) return;
    lines.forEach((line, index) => {
      const prefix = written.exec(line)?.[0];
      if (layerStep.test(line)) marks.dropQuiet(index, layers);
      else if (prefix !== undefined && isPackageStep(line.slice(prefix.length)))
        marks.dropQuiet(index, inner);
    });
  },
};

const transfer = kindOf("git-fetch", "line of progress", "lines of progress");

const progress =
  /^(?:remote: )?(?:Enumerating|Counting|Compressing|Receiving|Resolving|Unpacking|Writing|Updating) (?:objects|deltas|files): +\d+%/u;

/** The progress of git's transfers. Keeps commits, files and branches. */
export const git: Compressor = {
  runs: (words) => words[0] === "git",
  mark: ({ ends, lines }, marks) => {
    if (!/: +\d+%/u.test(ends)) return;
    lines.forEach((line, index) => {
      if (progress.test(line)) marks.dropQuiet(index, transfer);
    });
  },
};

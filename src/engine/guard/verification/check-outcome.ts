/** Maximum part that is read, from the end of an output. Checks report their result there. Characters. */
const maxPart = 3000;

/** Words at the end of outputs of failed checks: of `npm test | tail`, only the exit code of `tail` is known. */
const failures: readonly RegExp[] = [
  /\b[1-9]\d{0,5} (?:tests? |specs? |examples? |suites? )?(?:failed|failing|failures?|errors?)\b/iu,
  /^# fail [1-9]/mu,
  /^ℹ fail [1-9]/mu,
  /^[ \t]*(?:FAIL|FAILED|--- FAIL|not ok)\b/mu,
  /\bFAILED\b|\bBUILD FAILURE\b/u,
  /\berror (?:TS\d+|CS\d+|C\d+):/u,
  /^error(?:\[E\d+\])?:/mu,
  /^npm (?:ERR!|error)/mu,
  /\b(?:ELIFECYCLE|Command failed)\b/u,
  /^make: \*\*\*/mu,
  /^Traceback \(most recent call last\)/mu,
  /command not found$/mu,
];

/** Tests whether the output of a check without an error reports a failure. */
export function reportsFailure(response: unknown): boolean {
  const end = textIn(response).slice(-maxPart);
  return failures.some((pattern) => pattern.test(end));
}

/** Returns the text of a tool's response, which is a text or Claude Code's object. */
function textIn(response: unknown): string {
  if (typeof response === "string") return response;
  if (typeof response !== "object" || response === null) return "";
  return ["stdout", "stderr"]
    .map((name): unknown => Reflect.get(response, name))
    .filter((text) => typeof text === "string")
    .join("\n");
}

/** Ways to see whether edited files work. The first four are checks of a project; `run` runs the project's code. */
export const checkKinds = ["test", "types", "lint", "build", "run"] as const;
export type CheckKind = (typeof checkKinds)[number];

const words: Readonly<Record<Exclude<CheckKind, "run">, ReadonlySet<string>>> = {
  types: new Set("types type typecheck typechecks tsc typescript mypy pyright typing".split(" ")),
  lint: new Set("lint lints linter eslint clippy vet stylelint ruff rubocop prettier style".split(" ")),
  test: new Set(
    "test tests testing spec specs e2e unit integration jest vitest pytest coverage smoke check checks verify validate ci".split(
      " ",
    ),
  ),
  build: new Set("build builds compile bundle dist".split(" ")),
};
/** The most precise first: `check-types` is about types, and `test:lint` about style. */
const byPrecision = ["types", "lint", "test", "build"] as const;

/** Returns the kind of check by the name of a script, target or program: `test:unit`, `check-types.sh`. */
export function kindOfName(name: string): CheckKind | null {
  const parts = name
    .slice(0, 200)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, "-")
    .toLowerCase()
    .split(/[^a-z\d]+/u);
  // A formatter changes files, unless it only compares them.
  if (parts.includes("format") || parts.includes("fmt")) return parts.includes("check") ? "lint" : null;
  return byPrecision.find((kind) => parts.some((part) => words[kind].has(part))) ?? null;
}

/**
 * Ways to see whether edited files work. The first four are checks that projects have; `run` is the project's own code at work, which shows
 * something too.
 */
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
/** In this order, as `check-types` is about types, and `test:lint` about style. */
const byPrecision = ["types", "lint", "test", "build"] as const;

/** Returns the kind of check that a script, a target or a program is by its name: `test:unit`, `check-types.sh`. */
export function kindOfName(name: string): CheckKind | null {
  const parts = name
    .slice(0, 200)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, "-")
    .toLowerCase()
    .split(/[^a-z\d]+/u);
  // A formatter changes files, unless it is only to compare them.
  if (parts.includes("format") || parts.includes("fmt")) return parts.includes("check") ? "lint" : null;
  return byPrecision.find((kind) => parts.some((part) => words[kind].has(part))) ?? null;
}

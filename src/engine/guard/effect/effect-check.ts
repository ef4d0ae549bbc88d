/** Programs that do nothing but check. */
const checkers = new Set(
  (
    "tsc vitest jest mocha ava eslint biome oxlint pytest tox nox ruff mypy pyright flake8 pylint phpunit phpstan rspec rubocop " +
    "ctest shellcheck golangci-lint staticcheck clippy-driver"
  ).split(" "),
);
/** Programs that check by one of their words. */
const runners = new Set(
  (
    "npm pnpm yarn bun deno npx make just task cargo go gradle gradlew mvn mvnw dotnet mix rake bundle composer swift bazel " +
    "python python3 node uv poetry hatch sbt zig"
  ).split(" "),
);
const checking =
  /(?:^|[:/_-])(?:tests?|spec|lint|check|checks|verify|types?|typecheck|tsc|build|vet|clippy|compile|ci)(?:$|[:/_.-])/iu;

/** Whether a command, given as its words, runs tests, a linter, a compiler or a type check. */
export function isCheck([program = "", ...rest]: readonly string[]): boolean {
  if (checkers.has(program)) return true;
  if (!runners.has(program)) return false;
  return rest.some((word) => checkers.has(word) || checking.test(word));
}

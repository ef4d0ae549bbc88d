/** The role of a changed file in a task. `support` is what tests need, `dependencies` what npm and others install from. */
export type FileRole = "test" | "support" | "dependencies" | "work" | "text";

const testFolders = /(?:^|\/)(?:tests?|__tests__|specs?|testing)\//iu;
const supportParts =
  /(?:^|\/)(?:__snapshots__|__fixtures__|__mocks__|fixtures?|helpers?|support|utils?|mocks?|snapshots?|data|resources?|testdata)\/|(?:^|\/)(?:_|helpers?\.|setup\.|utils?\.|support\.|conftest\.py|__init__\.py|global)|\.d\.[cm]?ts$/iu;
const namedTest =
  /(?:[._-](?:test|tests|spec)\.[cm]?[jt]sx?|(?:^|\/)test_[^/]+\.py|_test\.(?:py|go|rb)|_spec\.rb|Tests?\.(?:php|java|kt|cs))$/u;
/** Languages with test programs that run any file in a folder of tests. Those of other languages run only files with a test's name. */
const ofTestFolder = /\.(?:[cm]?[jt]sx?|rs)$/u;
const dependencyFiles =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|go\.(?:mod|sum)|Cargo\.(?:toml|lock)|requirements[^/]*\.txt|poetry\.lock|uv\.lock|Pipfile(?:\.lock)?|Gemfile(?:\.lock)?|composer\.(?:json|lock))$/u;
const texts =
  /(?:^|\/)(?:\.github|docs?|\.changeset|changelog\.d|newsfragments)\/|\.(?:md|mdx|rst|adoc)$|(?:^|\/)(?:CHANGES|CHANGELOG|HISTORY|LICENSE|AUTHORS|History)(?:\.[a-z]+)?$/iu;

/** The files that a test program runs. Where tests have a test's name, other code in a folder of tests only helps them. */
export function testsToRun(paths: readonly string[]): readonly string[] {
  const tests = paths.filter((path) => roleOf(path) === "test");
  const named = tests.filter((path) => namedTest.test(path));
  return named.length > 0 ? named : tests;
}

/** Decides by the path alone, as the test programs do. */
export function roleOf(path: string): FileRole {
  if (dependencyFiles.test(path)) return "dependencies";
  if (namedTest.test(path)) return "test";
  if (testFolders.test(path)) return ofTestFolder.test(path) && !supportParts.test(path) ? "test" : "support";
  if (/(?:^|\/)(?:__snapshots__|testdata)\//u.test(path)) return "support";
  return texts.test(path) ? "text" : "work";
}

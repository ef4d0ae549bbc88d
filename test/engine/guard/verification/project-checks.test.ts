import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { projectChecks } from "../../../../src/engine/guard/verification/project-checks.ts";
import { readCommand } from "../../../../src/engine/guard/work/read-command.ts";
import { testContext } from "../support/shell-context.ts";

type Files = Readonly<Record<string, string>>;

function found(files: Files): string[] {
  return projectChecks(new Map(Object.entries(files))).map(({ kind, command }) => `${kind}: ${command}`);
}

const scripts = (all: Files, more: object = {}) => JSON.stringify({ ...more, scripts: all });

const projects: readonly (readonly [Files, readonly string[]])[] = [
  [
    {
      "package.json": scripts({
        test: "vitest",
        "test:unit": "vitest unit",
        "test:watch": "vitest --watch",
        lint: "eslint .",
        "lint:fix": "eslint --fix .",
        typecheck: "tsc",
        build: "vite build",
        start: "node .",
        pretest: "npm run build",
      }),
      "tsconfig.json": "",
    },
    [
      "test: npm test",
      "lint: npm run lint",
      "build: npm run build",
      "test: npm run test:unit",
      "types: npm run typecheck",
    ],
  ],
  [
    { "package.json": scripts({ test: 'echo "Error: no test specified" && exit 1' }), "tsconfig.json": "" },
    ["types: npx tsc --noEmit"],
  ],
  [{ "package.json": scripts({ test: "x" }), "pnpm-lock.yaml": "" }, ["test: pnpm test"]],
  [{ "package.json": scripts({ test: "x" }, { packageManager: "yarn@4.1.0" }) }, ["test: yarn test"]],
  [{ "package.json": scripts({ test: "x" }), "bun.lock": "" }, ["test: bun run test"]],
  [
    {
      Makefile:
        "CC := gcc\n.PHONY: test\ntest: build\n\tgo test ./...\nlint:\n\tx\nbuild:\n\ty\nclean:\n\tz\n",
      "go.mod": "",
    },
    ["test: make test", "lint: make lint", "build: make build", "test: go test ./...", "lint: go vet ./..."],
  ],
  [
    { justfile: "set shell := ['bash']\ntest filter='':\n  cargo test\n@lint:\n  x\n", "Cargo.toml": "" },
    ["test: just test", "lint: just lint", "test: cargo test"],
  ],
  [
    { "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\n[tool.mypy]\n", "uv.lock": "" },
    ["test: uv run pytest", "types: uv run mypy .", "lint: uv run ruff check"],
  ],
  [{ "tox.ini": "[tox]\nenvlist = py3\n" }, ["test: tox"]],
  [{ "pom.xml": "" }, ["test: mvn test"]],
  [{ "build.gradle.kts": "", gradlew: "" }, ["test: ./gradlew test"]],
  [{ Gemfile: "gem 'rspec'\n", Rakefile: "" }, ["test: bundle exec rspec"]],
  [{ "composer.json": scripts({ test: "phpunit" }) }, ["test: composer test"]],
  [{ "package.json": "{ broken", Makefile: "" }, []],
  [{ "package.json": scripts({ "test; rm -rf /": "x", "te`st": "y" }) }, []],
  [{}, []],
];

test("finds a project's checks by its files", () => {
  for (const [files, expected] of projects) assert.deepEqual(found(files), expected);
});

test("each check that is found counts as a check when it runs", () => {
  const commands = projects.flatMap(([files]) => projectChecks(new Map(Object.entries(files))));
  for (const { kind, command } of commands) {
    const facts = readCommand(command, testContext, "posix");
    assert.ok(facts.checks.includes(kind), `${command} is ${facts.checks.join()}`);
  }
});

test("any file gives names that a shell reads unchanged, and at most two of a kind", () => {
  const file = fc.constantFrom(
    "package.json",
    "Makefile",
    "justfile",
    "pyproject.toml",
    "composer.json",
    "deno.json",
  );
  const text = fc.oneof(
    fc.string(),
    fc.dictionary(fc.string(), fc.string()).map((all) => JSON.stringify({ scripts: all, tasks: all })),
    fc.json(),
  );
  fc.assert(
    fc.property(fc.dictionary(file, text), (files) => {
      const all = projectChecks(new Map(Object.entries(files)));
      for (const { command, kind } of all) {
        assert.match(command, /^[\w:./ -]+$/u);
        assert.ok(all.filter((each) => each.kind === kind).length <= 2);
      }
    }),
  );
});

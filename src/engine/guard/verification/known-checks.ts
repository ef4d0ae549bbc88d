import type { CheckKind } from "./check-kind.ts";

/** Programs that are a check of one kind, whatever they are given. */
const programs: Readonly<Record<CheckKind, string>> = {
  test: "jest vitest mocha ava tap karma cypress testcafe wdio c8 nyc pytest py.test tox nox nosetests nose2 unittest doctest behave stestr rspec phpunit pest codecept ctest bats busted prove gotestsum ginkgo cargo-nextest molecule minitest cucumber jasmine uvu tape",
  types:
    "tsc vue-tsc tsgo svelte-check mypy dmypy pyright basedpyright pyre pytype srb phpstan psalm flow ty tsd",
  lint: "eslint eslint_d oxlint standard xo stylelint flake8 pylint pycodestyle pydocstyle bandit vulture rubocop golangci-lint staticcheck revive golint shellcheck yamllint markdownlint markdownlint-cli2 hadolint actionlint zizmor sqlfluff clang-tidy cppcheck cpplint ktlint detekt swiftlint luacheck selene tflint tfsec checkov pre-commit lefthook lint-staged knip depcheck kubeconform kubeval conftest ansible-lint djlint jshint jsonlint",
  build:
    "tsup esbuild webpack rollup swc gcc g++ cc c++ clang clang++ rustc javac kotlinc scalac ghc msbuild ninja wasm-pack",
  run: "uvicorn gunicorn streamlit",
};

export const kindsByProgram: ReadonlyMap<string, CheckKind> = new Map(
  Object.entries(programs).flatMap(([kind, names]) => names.split(" ").map((name) => [name, asKind(kind)])),
);

/** Programs whose subcommand tells the kind. The word `NAME:KIND` gives a subcommand the kind of another name. */
const subcommands: Readonly<Record<string, string>> = {
  cargo:
    "test:test nextest:test bench:test check:types clippy:lint build:build run:run doc:build b:build c:types t:test r:run",
  go: "test:test vet:lint build:build run:run install:build",
  dotnet: "test:test build:build run:run publish:build",
  mvn: "test:test verify:test package:build compile:build install:build test-compile:build",
  mvnw: "test:test verify:test package:build compile:build install:build test-compile:build",
  gradle:
    "test:test check:test build:build assemble:build lint:lint compileJava:build compileKotlin:build run:run bootRun:run connectedCheck:test",
  gradlew:
    "test:test check:test build:build assemble:build lint:lint compileJava:build compileKotlin:build run:run bootRun:run connectedCheck:test",
  bazel: "test:test build:build run:run",
  bazelisk: "test:test build:build run:run",
  buck2: "test:test build:build run:run",
  turbo: "test:test lint:lint build:build typecheck:types check:test check-types:types dev:run",
  nx: "test:test lint:lint build:build typecheck:types e2e:test affected:test serve:run",
  lerna: "test:test lint:lint build:build",
  ng: "test:test lint:lint build:build e2e:test serve:run",
  next: "build:build lint:lint dev:run start:run",
  nuxt: "build:build typecheck:types dev:run",
  astro: "check:types build:build dev:run",
  vite: "build:build preview:run dev:run",
  parcel: "build:build",
  playwright: "test:test",
  biome: "check:lint lint:lint ci:lint",
  mix: "test:test compile:build credo:lint dialyzer:types run:run",
  rails: "test:test server:run s:run runner:run spec:test",
  sbt: "test:test compile:build run:run testOnly:test",
  lein: "test:test compile:build run:run",
  stack: "test:test build:build run:run",
  cabal: "test:test build:build run:run",
  dune: "test:test runtest:test build:build exec:run",
  swift: "test:test build:build run:run",
  xcodebuild: "test:test build:build",
  flutter: "test:test analyze:lint build:build run:run",
  dart: "test:test analyze:lint compile:build run:run",
  zig: "test:test build:build run:run",
  crystal: "spec:test build:build run:run",
  meson: "test:test compile:build",
  helm: "lint:lint template:lint",
  terraform: "validate:lint plan:lint",
  tofu: "validate:lint plan:lint",
  packer: "validate:lint",
  buf: "lint:lint build:build",
  forge: "test:test build:build",
  hardhat: "test:test compile:build",
  hatch: "test:test fmt:lint",
  flask: "run:run",
  artisan: "test:test serve:run",
  "manage.py": "test:test check:test runserver:run",
  docker: "build:build up:run run:run",
  podman: "build:build up:run run:run",
  "docker-compose": "build:build up:run",
};

/** The kinds of check by a program's name and subcommand. */
export const subcommandKinds: ReadonlyMap<string, ReadonlyMap<string, CheckKind>> = new Map(
  Object.entries(subcommands).map(([program, listed]) => [
    program,
    new Map(
      listed.split(" ").map((each) => {
        const at = each.lastIndexOf(":");
        return [each.slice(0, at), asKind(each.slice(at + 1))];
      }),
    ),
  ]),
);

function asKind(text: string): CheckKind {
  return text === "test" || text === "types" || text === "lint" || text === "build" ? text : "run";
}

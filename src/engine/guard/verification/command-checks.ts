import { readOptions, type Options } from "../calls/read-options.ts";
import type { Invocation } from "../commands/invocation.ts";
import { ownValue } from "../own-value.ts";
import { kindOfName, type CheckKind } from "./check-outcome.ts";

/** Programs that are a check with any arguments. */
const programs: Readonly<Record<CheckKind, string>> = {
  test: "jest vitest mocha ava tap karma cypress testcafe wdio c8 nyc pytest py.test tox nox nosetests nose2 unittest doctest behave stestr rspec phpunit pest codecept ctest bats busted prove gotestsum ginkgo cargo-nextest molecule minitest cucumber jasmine uvu tape",
  types:
    "tsc vue-tsc tsgo svelte-check mypy dmypy pyright basedpyright pyre pytype srb phpstan psalm flow ty tsd",
  lint: "eslint eslint_d oxlint standard xo stylelint flake8 pylint pycodestyle pydocstyle bandit vulture rubocop golangci-lint staticcheck revive golint shellcheck yamllint markdownlint markdownlint-cli2 hadolint actionlint zizmor sqlfluff clang-tidy cppcheck cpplint ktlint detekt swiftlint luacheck selene tflint tfsec checkov pre-commit lefthook lint-staged knip depcheck kubeconform kubeval conftest ansible-lint djlint jshint jsonlint",
  build:
    "tsup esbuild webpack rollup swc gcc g++ cc c++ clang clang++ rustc javac kotlinc scalac ghc msbuild ninja wasm-pack",
  run: "uvicorn gunicorn streamlit",
};

const kindsByProgram: ReadonlyMap<string, CheckKind> = new Map(
  Object.entries(programs).flatMap(([kind, names]) => names.split(" ").map((name) => [name, asKind(kind)])),
);

/** Subcommands as `NAME:KIND`, by program. */
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

/** Kinds of checks by program and subcommand. */
const subcommandKinds: ReadonlyMap<string, ReadonlyMap<string, CheckKind>> = new Map(
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

/** Options that make a program only describe itself. */
const informationOptions =
  /^(?:--help|--version|-h|--collect-only|--co|--listTests|--list-tests|--showConfig|--print-config|--init|--dry-run|--setupFiles-only)$/u;

/** Returns the kind of check that an invocation is; null for none. */
export function checkOf({ program, args, place, input, from }: Invocation): CheckKind | null {
  if (place === "remote" || program === "") return null;
  const options = readOptions(program, args);
  if (options.flags.some((flag) => informationOptions.test(flag))) return null;
  const words = options.operands.map(({ text }) => text);
  const special = ownValue(specials, program);
  if (special !== undefined) return special(words, options);
  const known = kindsByProgram.get(program);
  if (known !== undefined) return known;
  const subcommands = subcommandKinds.get(program);
  if (subcommands !== undefined)
    return words[0] === "fmt" && options.flags.includes("--check") ? "lint" : byWords(words, subcommands);
  // A filter only reads another program's output. A script's name shows its kind.
  if (from.length > 0 || input !== null) return null;
  if (/\.(?:sh|bash|zsh|py|js|mjs|cjs|ts|rb|pl|php|ps1|bat|cmd)$/u.test(program))
    return kindOfName(program) ?? "run";
  return notChecks.has(program) ? null : kindOfName(program);
}

/** Commands of the shell, and names that are too general. */
const notChecks = new Set("test type style unit ci dist bundle".split(" "));

function byWords(words: readonly string[], kinds: ReadonlyMap<string, CheckKind>): CheckKind | null {
  for (const word of words.slice(0, 6)) {
    const kind = kinds.get(word) ?? kinds.get(word.split(":").at(-1) ?? "");
    if (kind !== undefined) return kind;
  }
  return null;
}

type Special = (words: readonly string[], options: Options) => CheckKind | null;

/** npm, pnpm, yarn and bun: their commands, or a script. */
const scripts: Special = (all) => {
  const words = all.filter((word) => !["recursive", "m", "multi", "workspaces", "foreach"].includes(word));
  const [first = "", second = ""] = words[0] === "workspace" ? words.slice(2) : words;
  if (first === "run" || first === "run-script") return second === "" ? null : (kindOfName(second) ?? "run");
  if (first === "test" || first === "t" || first === "tst") return "test";
  if (first === "start") return "run";
  return first === "ci" ||
    /^(?:install|i|add|remove|exec|dlx|x|create|init|audit|pack|publish|view|ls|list)$/u.test(first)
    ? null
    : kindOfName(first);
};

/** Runners of a project's targets. */
const targets: Special = (words, { flags }) => {
  if (flags.some((flag) => /^(?:-n|-q|-l|--list|--just-print|--summary|-p)$/u.test(flag))) return null;
  const named = words.filter((word) => !word.includes("="));
  if (named.length === 0) return "build";
  const kinds = named.map((word) => kindOfName(word));
  return kinds.find((kind) => kind !== null) ?? null;
};

/** An interpreter: its own check, or a file that it runs. Code in an option is not a file of the project. */
const interpreter =
  (checks: Readonly<Record<string, CheckKind>>): Special =>
  (words, { flags, values }) => {
    for (const flag of flags) {
      const kind = ownValue(checks, flag);
      if (kind !== undefined) return kind;
    }
    const isInline =
      flags.some((flag) => /^(?:-e|-c|-r|--eval|-p|--print|-m|-)$/u.test(flag)) || values.has("-c");
    if (isInline)
      return values.get("-m") === undefined ? null : moduleKind(values.get("-m")?.[0]?.text ?? "");
    const [file = "", word = ""] = words;
    if (file === "" || file === "-") return null;
    if (/(?:^|[\\/])(?:manage\.py|artisan|console|rails)$/u.test(file)) return kindOfName(word) ?? "run";
    return kindOfName(file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1)) ?? "run";
  };

function moduleKind(module: string): CheckKind | null {
  return kindsByProgram.get(module) ?? (/^(?:py_compile|compileall)$/u.test(module) ? "types" : null);
}

const python = interpreter({});
const shell = interpreter({ "-n": "types" });
const onlyWith =
  (kind: CheckKind, flag: RegExp): Special =>
  (_, { flags }) =>
    flags.some((each) => flag.test(each)) ? kind : null;

/** A request to this machine runs the project. */
const request: Special = (words) =>
  words.some((word) => /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?:[:/]|$)/u.test(word))
    ? "run"
    : null;

const specials: Readonly<Record<string, Special>> = {
  npm: scripts,
  pnpm: scripts,
  yarn: scripts,
  bun: (words, options) => (words[0]?.includes(".") === true ? "run" : scripts(words, options)),
  corepack: (words, options) => scripts(words.slice(1), options),
  composer: (words) => (words[0] === "install" || words[0] === "validate" ? null : byName(words)),
  make: targets,
  gmake: targets,
  just: targets,
  task: targets,
  mage: targets,
  rake: targets,
  invoke: targets,
  poe: targets,
  earthly: targets,
  ninja: targets,
  node: interpreter({ "--test": "test", "--check": "types" }),
  tsx: interpreter({ "--test": "test" }),
  "ts-node": interpreter({}),
  python,
  python3: python,
  py: python,
  ruby: interpreter({ "-c": "types" }),
  php: interpreter({ "-l": "types" }),
  perl: interpreter({ "-c": "types" }),
  bash: shell,
  sh: shell,
  zsh: shell,
  prettier: onlyWith("lint", /^(?:--check|-c|--list-different|-l)$/u),
  black: onlyWith("lint", /^(?:--check|--diff)$/u),
  isort: onlyWith("lint", /^(?:--check|--check-only|-c|--diff)$/u),
  stylua: onlyWith("lint", /^(?:--check|-c)$/u),
  swiftformat: onlyWith("lint", /^--lint$/u),
  gofmt: onlyWith("lint", /^-[ld]$/u),
  "clang-format": onlyWith("lint", /^(?:--dry-run|-n|--Werror)$/u),
  "ansible-playbook": onlyWith("lint", /^(?:--check|--syntax-check|-C)$/u),
  cmake: onlyWith("build", /^--build$/u),
  ruff: (words, { flags }) => (words[0] === "check" || flags.includes("--check") ? "lint" : null),
  deno: (words, { flags }) => {
    const [first = "", second = ""] = words;
    if (first === "task") return kindOfName(second) ?? "run";
    if (first === "fmt") return flags.includes("--check") ? "lint" : null;
    return byWords([first], denoKinds);
  },
  curl: request,
  wget: request,
  http: request,
};

const denoKinds = new Map<string, CheckKind>([
  ["test", "test"],
  ["lint", "lint"],
  ["check", "types"],
  ["run", "run"],
  ["serve", "run"],
]);

function byName(words: readonly string[]): CheckKind | null {
  const named = words.filter((word) => word !== "run" && word !== "run-script");
  return named[0] === undefined ? null : kindOfName(named[0]);
}

import path from "node:path";
import { parseJson } from "../../base/parse.ts";
import { memberOf } from "../own-value.ts";
import { kindOfName, type CheckKind } from "./check-outcome.ts";
import { cleanText } from "../../base/text.ts";

/** A check of a project, with the command that a person would run. */
export interface ProjectCheck {
  readonly kind: Exclude<CheckKind, "run">;
  readonly command: string;
}

/** Files in a project's folder that define its checks. Those marked `text` are read. */
export const projectFiles: Readonly<Record<string, "text" | "presence">> = {
  "package.json": "text",
  "pnpm-lock.yaml": "presence",
  "yarn.lock": "presence",
  "bun.lock": "presence",
  "bun.lockb": "presence",
  "tsconfig.json": "presence",
  "deno.json": "text",
  "deno.jsonc": "presence",
  Makefile: "text",
  makefile: "text",
  GNUmakefile: "text",
  justfile: "text",
  Justfile: "text",
  "pyproject.toml": "text",
  "setup.cfg": "text",
  "tox.ini": "text",
  "noxfile.py": "presence",
  "pytest.ini": "presence",
  "mypy.ini": "presence",
  "ruff.toml": "presence",
  "uv.lock": "presence",
  "poetry.lock": "presence",
  "Cargo.toml": "presence",
  "go.mod": "presence",
  "pom.xml": "presence",
  "build.gradle": "presence",
  "build.gradle.kts": "presence",
  gradlew: "presence",
  "mix.exs": "presence",
  Gemfile: "text",
  Rakefile: "presence",
  "composer.json": "text",
  "Package.swift": "presence",
  "pubspec.yaml": "presence",
  "build.zig": "presence",
  "manage.py": "presence",
};

/** Texts of a project's files by name; empty for files that are not read. */
export type ProjectTexts = ReadonlyMap<string, string>;

const maxOfKind = 2;

/** Returns a project's checks by its files: at most two of a kind, first those of its scripts. */
export function projectChecks(files: ProjectTexts): ProjectCheck[] {
  const found = [
    ...packageChecks(files),
    ...targetChecks(files),
    ...pythonChecks(files),
    ...toolChecks(files),
  ];
  const counts = new Map<string, number>();
  return found.filter(({ kind, command }, at) => {
    const count = counts.get(kind) ?? 0;
    if (count >= maxOfKind || found.findIndex((each) => each.command === command) !== at) return false;
    counts.set(kind, count + 1);
    return true;
  });
}

function packageChecks(files: ProjectTexts): ProjectCheck[] {
  const manager = managerOf(files);
  const scripts = namesIn(files, "package.json", "scripts");
  const tasks = namesIn(files, "deno.json", "tasks");
  const checks = checksNamed(scripts, (name) =>
    name === "test" && manager !== "bun" ? `${manager} test` : `${manager} run ${name}`,
  );
  const types: ProjectCheck[] =
    files.has("tsconfig.json") && files.has("package.json") && !checks.some(({ kind }) => kind === "types")
      ? [{ kind: "types", command: "npx tsc --noEmit" }]
      : [];
  const composer = checksNamed(namesIn(files, "composer.json", "scripts"), (name) => `composer ${name}`);
  return [...checks, ...types, ...checksNamed(tasks, (name) => `deno task ${name}`), ...composer];
}

function managerOf(files: ProjectTexts): string {
  const manager = jsonMember(files, "package.json", "packageManager");
  if (typeof manager === "string") return /^(?:npm|pnpm|yarn|bun)(?=@|$)/u.exec(manager)?.[0] ?? "npm";
  if (files.has("pnpm-lock.yaml")) return "pnpm";
  if (files.has("yarn.lock")) return "yarn";
  return files.has("bun.lock") || files.has("bun.lockb") ? "bun" : "npm";
}

function targetChecks(files: ProjectTexts): ProjectCheck[] {
  const made = ["GNUmakefile", "makefile", "Makefile"]
    .map((name) => files.get(name))
    .find((text) => text !== undefined);
  const just = files.get("justfile") ?? files.get("Justfile");
  return [
    ...checksNamed(
      targetsIn(made ?? "", /^(?<name>[A-Za-z][\w.-]{0,60})\s*:(?!=)/gmu),
      (name) => `make ${name}`,
    ),
    ...checksNamed(
      targetsIn(just ?? "", /^@?(?<name>[A-Za-z][\w-]{0,60})\b[^:\n]{0,200}:(?!=)/gmu),
      (name) => `just ${name}`,
    ),
  ];
}

function pythonChecks(files: ProjectTexts): ProjectCheck[] {
  const settings = `${files.get("pyproject.toml") ?? ""}\n${files.get("setup.cfg") ?? ""}\n${files.get("tox.ini") ?? ""}`;
  const before = files.has("uv.lock") ? "uv run " : files.has("poetry.lock") ? "poetry run " : "";
  const all: ProjectCheck[] = [];
  const add = (kind: ProjectCheck["kind"], command: string, isThere: boolean) => {
    if (isThere) all.push({ kind, command });
  };
  add("test", "tox", (files.get("tox.ini") ?? "").includes("[tox"));
  add("test", "nox", files.has("noxfile.py"));
  const hasPytest = files.has("pytest.ini") || /\[(?:tool[.:])?pytest|["']?pytest\b/u.test(settings);
  add("test", `${before}pytest`, hasPytest);
  add("test", `${before}python manage.py test`, files.has("manage.py") && !hasPytest);
  add("types", `${before}mypy .`, files.has("mypy.ini") || /\[(?:tool\.)?mypy\b/u.test(settings));
  add("types", `${before}pyright`, settings.includes("[tool.pyright"));
  add("lint", `${before}ruff check`, files.has("ruff.toml") || settings.includes("[tool.ruff"));
  return all;
}

function toolChecks(files: ProjectTexts): ProjectCheck[] {
  const gradle = files.has("gradlew") ? "./gradlew" : "gradle";
  const hasRspec = (files.get("Gemfile") ?? "").includes("rspec");
  const known: readonly (readonly [isThere: boolean, kind: ProjectCheck["kind"], command: string])[] = [
    [files.has("Cargo.toml"), "test", "cargo test"],
    [files.has("go.mod"), "test", "go test ./..."],
    [files.has("go.mod"), "lint", "go vet ./..."],
    [files.has("pom.xml"), "test", "mvn test"],
    [files.has("build.gradle") || files.has("build.gradle.kts"), "test", `${gradle} test`],
    [files.has("mix.exs"), "test", "mix test"],
    [hasRspec, "test", "bundle exec rspec"],
    [files.has("Package.swift"), "test", "swift test"],
    [files.has("pubspec.yaml"), "test", "dart test"],
    [files.has("build.zig"), "test", "zig build test"],
    [files.has("Rakefile") && !hasRspec, "test", "rake test"],
  ];
  return known.flatMap(([isThere, kind, command]) => (isThere ? [{ kind, command }] : []));
}

/** Returns the checks among names, short names first: `test` before `test:unit`. */
function checksNamed(names: readonly string[], commandOf: (name: string) => string): ProjectCheck[] {
  return names
    .filter(
      (name) =>
        !/fix|watch|update|clean|debug|^(?:pre|post)(?=test|build|lint|check)|:(?:ui|open)$/u.test(name),
    )
    .flatMap((name) => {
      const kind = kindOfName(name);
      return kind === null || kind === "run" ? [] : [{ kind, name }];
    })
    .sort((one, other) => one.name.length - other.name.length)
    .map(({ kind, name }) => ({ kind, command: commandOf(name) }));
}

/** Maximum part of a file of targets that is read. Characters. */
const maxTargetsLength = 200_000;

function targetsIn(text: string, pattern: RegExp): string[] {
  const names = [...text.slice(0, maxTargetsLength).matchAll(pattern)].map(
    ({ groups }) => groups?.["name"] ?? "",
  );
  return [...new Set(names.filter((name) => name !== ""))];
}

/** A name that a shell reads as one word. Other names cannot be shown as a command. */
const plainName = /^[\w:.-]{1,60}$/u;

function namesIn(files: ProjectTexts, file: string, member: string): string[] {
  const scripts = jsonMember(files, file, member);
  if (typeof scripts !== "object" || scripts === null) return [];
  return Object.entries(scripts)
    .filter(
      ([name, body]) =>
        plainName.test(name) && !(typeof body === "string" && body.includes("no test specified")),
    )
    .map(([name]) => name);
}

function jsonMember(files: ProjectTexts, file: string, member: string): unknown {
  return memberOf(parseJson(files.get(file) ?? ""), member);
}

const [maxNamed, maxChecks] = [3, 3];

/** Names files as a person in a folder would: `mast.ts, sail.ts and 2 more`. */
export function namedFiles(files: readonly string[], cwd: string | undefined): string {
  const named = files.slice(0, maxNamed).map((file) => nameOf(file, cwd));
  const more = files.length > maxNamed ? ` and ${files.length - maxNamed} more` : "";
  return `${named.join(", ")}${more}`;
}

function nameOf(file: string, cwd: string | undefined): string {
  // An agent on Windows may run in a POSIX shell.
  const rules = /^[A-Za-z]:[\\/]|\\/u.test(file) ? path.win32 : path.posix;
  const near = cwd === undefined ? file : rules.relative(cwd, file);
  return cleanText(
    (near.startsWith("..") || rules.isAbsolute(near) ? rules.basename(file) : near).slice(0, 120),
  );
}

/** Names checks of a project: a test before a linter, and a build last. */
export function namedChecks(checks: readonly ProjectCheck[]): string {
  const order = ["test", "types", "lint", "build"];
  const names = checks
    .toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
    .slice(0, maxChecks)
    .map(({ command }) => `\`${cleanText(command)}\``);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

export function describeUnchecked(
  { edits, files }: { readonly edits: number; readonly files: readonly string[] },
  checks: readonly ProjectCheck[],
  cwd: string | undefined,
): string {
  const fact = `${edits} edits of code (${namedFiles(files, cwd)}), and nothing has been checked since.`;
  const known = namedChecks(checks);
  return known === ""
    ? `${fact} Run a test, a build or the program itself before you edit on.`
    : `${fact} This project has ${known}: run what tells most about these edits before you edit on.`;
}

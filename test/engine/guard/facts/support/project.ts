import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { test, type TestContext } from "node:test";
import type { ShellContext } from "../../../../../src/engine/guard/commands/invocation.ts";
import { callClaims, findMissing } from "../../../../../src/engine/guard/facts/look-up.ts";
import { toolCallOf } from "../../../../../src/engine/hooks/event/tool-call.ts";
import { createFacts } from "../../../../../src/engine/guard/host/create-facts.ts";
import { scratchFolder } from "../../../support/scratch.ts";
import { writeTree } from "../../../support/write-tree.ts";

export type Tree = Readonly<Record<string, string>>;

export interface Project {
  readonly root: string;
  /** The report to an agent before a command, in a folder below the root. */
  readonly before: (command: string, below?: string) => Promise<string>;
  /** The report to an agent before a call of a tool. */
  readonly beforeTool: (tool: string, input: Readonly<Record<string, unknown>>) => Promise<string>;
  readonly git: (...args: readonly string[]) => string;
}

/** Makes a folder with files, in which nothing but they is known. */
export function projectOf(t: Pick<TestContext, "after">, tree: Tree): Project {
  const root = scratchFolder(t);
  writeTree(root, tree);
  const contextOf = (folder: string | null): ShellContext => ({
    folder,
    home: path.join(root, "home"),
    project: folder === null ? null : root,
    temporary: path.join(path.dirname(root), "nowhere"),
  });
  const { facts } = createFacts({ env: process.env, contextOf, time: 60_000 });
  const reportFor = async (tool: string, input: unknown, folder: string) => {
    const claims = callClaims(toolCallOf({ tool_name: tool, tool_input: input }), input, contextOf(folder));
    return (await findMissing(claims, facts)).map(({ rule, text }) => `${rule}: ${text}`).join("\n");
  };
  return {
    root,
    before: (command, below = "") => reportFor("Bash", { command }, path.join(root, below)),
    beforeTool: (tool, input) => reportFor(tool, input, root),
    git: (...args) => gitIn(root, args),
  };
}

export function gitIn(folder: string, args: readonly string[]): string {
  const own = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "init.defaultBranch=main"];
  const options = { cwd: folder, encoding: "utf8", stdio: "pipe" } as const;
  return execFileSync("git", [...own, "-c", "protocol.file.allow=always", ...args], options);
}

/** Makes a repository with one commit. */
export function repositoryOf(t: Pick<TestContext, "after">, tree: Tree): Project {
  const project = projectOf(t, tree);
  project.git("init", "-q");
  project.git("add", "-A");
  project.git("commit", "-q", "-m", "Begin", "--allow-empty");
  return project;
}

/** Commands, and a part of the report before each; with the folder below the root where it is another. */
export type Firing = readonly (readonly [command: string, report: string, below?: string])[];
export type Silent = readonly (string | readonly [command: string, below: string])[];

/** Tests commands with a report, and others without one. */
export function testTable(
  name: string,
  make: (t: Pick<TestContext, "after">) => Project,
  { fires, silent }: { readonly fires: Firing; readonly silent: Silent },
): void {
  test(`${name}: reports what is missing, with the nearest match`, async (t) => {
    const project = make(t);
    for (const [command, part, below] of fires) {
      const report = await project.before(command.replaceAll("ROOT", project.root), below);
      assert.ok(report.includes(part), `${command}: ${report === "" ? "nothing" : report}`);
    }
  });
  test(`${name}: reports nothing that exists or may exist`, async (t) => {
    const project = make(t);
    for (const each of silent) {
      const [command, below] = typeof each === "string" ? [each] : each;
      assert.equal(await project.before(command.replaceAll("ROOT", project.root), below), "", command);
    }
  });
}

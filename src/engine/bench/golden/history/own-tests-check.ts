import { checkFolder } from "../../execute/run-check.ts";
import type { CheckFile } from "../../suite/suite.ts";
import type { TestCommands } from "./test-command.ts";

const runnerName = "shared/run-own-tests.mjs";

/** The tests of a check. They are stored in a file beside it. */
export interface OwnTests {
  readonly commands: TestCommands;
  /** The tests' texts, by path; null for one that the commit removed. */
  readonly files: Readonly<Record<string, string | null>>;
}

/**
 * Puts a task's tests in their places and runs them. The tests come from its own file, so that nothing an agent did to
 * them counts. No shell reads a name, and no link leads out of the project.
 */
const runnerText = `import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const { commands, files } = JSON.parse(readFileSync(new URL("../" + process.argv[2], import.meta.url), "utf8"));
const project = realpathSync(".");
for (const [name, text] of Object.entries(files)) {
  const file = path.join(project, name);
  mkdirSync(path.dirname(file), { recursive: true });
  const folder = realpathSync(path.dirname(file));
  if (folder !== project && !folder.startsWith(project + path.sep)) throw new Error(name + " leads out of the project");
  rmSync(file, { force: true, recursive: true });
  if (text !== null) writeFileSync(file, text);
}
const bin = path.join(project, "node_modules", ".bin");
const env = {
  ...process.env,
  PATH: bin + path.delimiter + process.env.PATH,
  PYTHONPATH: ["src", "."].map((each) => path.join(project, each)).join(path.delimiter),
  PYTHONDONTWRITEBYTECODE: "1",
};
for (const [program, ...args] of commands) {
  const { status, error } = spawnSync(program, args, { stdio: "inherit", env });
  if (error) console.error(String(error));
  // As a shell says that a program is missing.
  if (error?.code === "ENOENT") process.exit(127);
  if (status !== 0) process.exit(1);
}
`;

/** @param name `AGENT/TASK`, the check's file below the suite's checks, without its ending */
export function ownTestsCheck(name: string, tests: OwnTests): { check: string; files: readonly CheckFile[] } {
  return {
    check: `node ${checkFolder}/${runnerName} ${name}.json`,
    files: [
      { path: runnerName, text: runnerText },
      { path: `${name}.json`, text: `${JSON.stringify(tests, null, 1)}\n` },
    ],
  };
}

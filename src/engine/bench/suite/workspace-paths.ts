import { sentence } from "../../base/language.ts";
import { realpath } from "node:fs/promises";
import path from "node:path";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { suiteFile } from "../golden/golden-schema.ts";
import { readSuiteFile, type SuitePaths } from "./load-suite.ts";
import { suiteName, workspaceSuiteFolder } from "./folders.ts";

export type WorkspaceSuiteFault = "untrusted" | "no_suite" | "bad_suite";

/**
 * Locates a workspace's own suite: agents, tasks and checks in `.purser/golden`, and the fixture named by `suite.json`, by default
 * `fixture` beside it. Its checks are programs that will be run, so an untrusted workspace has no suite.
 */
export async function workspaceSuite(
  workspace: string,
  isTrusted: boolean,
): Promise<Result<SuitePaths, WorkspaceSuiteFault>> {
  if (!isTrusted)
    return fail(
      "untrusted",
      sentence("{0} is not trusted, and its golden tasks contain programs", workspace),
    );
  const folder = workspaceSuiteFolder(workspace);
  const read = await readSuiteFile(path.join(folder, suiteName), suiteFile);
  if (!read.ok) return fail(read.reason === "missing" ? "no_suite" : "bad_suite", read.detail);
  const fixture = path.resolve(folder, read.value.fixture);
  if (!(await isWithin(workspace, fixture)))
    return fail(
      "bad_suite",
      sentence("{0}: the fixture is not a folder of the workspace", path.join(folder, suiteName)),
    );
  return succeed({ folder, fixture, origin: "workspace", installScripts: read.value.installScripts });
}

/** Whether `inner` is strictly inside `outer`, with links resolved: a fixture that holds its own suite would be copied into itself. */
async function isWithin(outer: string, inner: string): Promise<boolean> {
  try {
    const way = path.relative(await realpath(outer), await realpath(inner));
    return way !== "" && !path.isAbsolute(way) && way.split(path.sep)[0] !== "..";
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

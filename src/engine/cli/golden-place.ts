import { existsSync } from "node:fs";
import path from "node:path";
import { fail, type Result } from "../base/result.ts";
import { loadSuite, type SuiteFault, type SuitePlaces } from "../bench/load-suite.ts";
import type { Suite } from "../bench/suite.ts";
import { workspaceSuite, workspaceSuiteFolder, type WorkspaceSuiteFault } from "../bench/suite-places.ts";
import type { ParsedOptions } from "./args.ts";
import type { CliHost } from "./cli-host.ts";

export const suiteOptions = { suite: { value: "built-in or workspace" }, cwd: { value: "a folder" } };

export type GoldenFault = SuiteFault | WorkspaceSuiteFault | "bad-argument";

/** The workspace that the working folder, or the one that is told, is of: the nearest with a suite, else the repository, else itself. */
export function goldenWorkspace(options: ParsedOptions, host: Pick<CliHost, "cwd">): string {
  const folder = path.resolve(host.cwd, options.value("cwd") ?? "");
  const marks = [path.join(".purser", "golden"), ".git"];
  for (const mark of marks)
    for (let each = folder; ; each = path.dirname(each)) {
      if (existsSync(path.join(each, mark))) return each;
      if (each === path.dirname(each)) break;
    }
  return folder;
}

/** The suite that is asked for: the workspace's own where it has one, else the one that comes with purser. */
export async function goldenSuite(
  options: ParsedOptions,
  host: Pick<CliHost, "cwd" | "suite">,
): Promise<Result<Suite, GoldenFault>> {
  const places = await suitePlaces(options, host);
  return places.ok ? await loadSuite(places.value) : places;
}

async function suitePlaces(
  options: ParsedOptions,
  host: Pick<CliHost, "cwd" | "suite">,
): Promise<Result<SuitePlaces, GoldenFault>> {
  const wanted = options.value("suite");
  if (wanted !== undefined && wanted !== "built-in" && wanted !== "workspace")
    return fail("bad-argument", `--suite is one of ${suiteOptions.suite.value}`);
  const workspace = goldenWorkspace(options, host);
  const isOwn =
    wanted === "workspace" || (wanted === undefined && existsSync(workspaceSuiteFolder(workspace)));
  // Who types the command in a workspace means it, as with its tests.
  return isOwn ? await workspaceSuite(workspace, true) : { ok: true, value: host.suite };
}

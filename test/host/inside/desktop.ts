/**
 * `npm test -- desktop`: runs the tests inside VS Code again on the desktop build, where it can be downloaded and has a
 * display. The check itself runs them on the server build, which needs neither.
 */
import { homedir } from "node:os";
import { join } from "node:path";
import { downloadAndUnzipVSCode, runTests } from "@vscode/test-electron";
import { hostCache } from "../cache-folder.ts";
import { bundleExtensionTests, readResults } from "./extension-tests.ts";
import { repository } from "../repository.ts";
import { makeScratch } from "../scratch.ts";

const oldest = "1.100.3";

process.exitCode = await main();

async function main(): Promise<number> {
  const screen = process.platform !== "linux" || (process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"]);
  if (screen === undefined) return skip("there is no screen; use xvfb-run npm test -- desktop");
  const tests = await bundleExtensionTests("desktop");
  let failed = 0;
  for (const version of ["stable", oldest]) {
    let vscode: string;
    try {
      vscode = await downloadAndUnzipVSCode({
        version,
        cachePath: join(hostCache(process.env, homedir()), "desktop"),
      });
    } catch (error) {
      return skip(`VS Code ${version} cannot be downloaded: ${String(error)}`);
    }
    failed += await runOn(vscode, tests, version);
  }
  return failed === 0 ? 0 : 1;
}

function skip(reason: string): number {
  console.log(`SKIPPED the tests inside a desktop VS Code: ${reason}`);
  return 0;
}

/** Returns how many tests failed. */
async function runOn(vscode: string, tests: string, version: string): Promise<number> {
  const scratch = await makeScratch();
  const file = join(scratch.root, "results.json");
  try {
    const code = await runTests({
      vscodeExecutablePath: vscode,
      extensionDevelopmentPath: repository,
      extensionTestsPath: tests,
      extensionTestsEnv: { ...scratch.env, PURSER_TEST_RESULTS: file },
      launchArgs: [
        scratch.workspace,
        "--disable-extensions",
        "--disable-workspace-trust",
        "--skip-welcome",
        "--user-data-dir",
        join(scratch.root, "user-data"),
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), // VS Code refuses to start as root with a sandbox
      ],
    }).catch(() => 1); // rejects when a test failed; the results show which
    const results = await readResults(file);
    if (results === undefined) throw new Error(`VS Code ${version} ended with ${code} before the tests did.`);
    for (const { name, ms, failure } of results) {
      console.log(`${failure === undefined ? "ok  " : "FAIL"} ${version}: ${name} (${ms} ms)`);
      if (failure !== undefined) console.log(failure);
    }
    return results.filter(({ failure }) => failure !== undefined).length;
  } finally {
    await scratch.remove();
  }
}

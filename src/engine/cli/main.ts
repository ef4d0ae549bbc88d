import "./load-language.ts";
import os from "node:os";
import path from "node:path";
import { existsSync } from "node:fs";
import { purserPaths } from "../base/paths.ts";
import { compileCacheFolder, packageVersion, useCompileCache } from "../base/process.ts";
import { systemNow } from "../base/timing.ts";
import { readBuildStamp } from "../service/build-stamp.ts";
import { bundledSuite, sourceSuite } from "../bench/suite.ts";
import { bundledPrograms, sourcePrograms } from "../service/launch.ts";
import { run } from "./run-cli.ts";
import { StandardOutput } from "./standard-output.ts";

const folder = path.dirname(import.meta.filename);
// Bundled, it is in `dist`, beside the threads' programs; from source, Node runs it in place.
const isBundled = !import.meta.filename.endsWith(".ts");
const root = path.join(folder, isBundled ? ".." : "../../..");
const packageFile = path.join(root, "package.json");

const interrupt = new AbortController();
process.once("SIGINT", () => {
  interrupt.abort();
});

/** `usage` loads too little to gain from it. */
if (isBundled && process.argv[2] !== "usage") readCompiledCode();

void main();

function readCompiledCode(): void {
  const { folder: home, compiled } = purserPaths({ env: process.env, home: os.homedir() });
  const build = readBuildStamp(folder);
  // Node would create the home folder too, readable for all.
  if (build !== null && existsSync(home)) useCompileCache(compileCacheFolder(compiled, build.hash));
}

async function main(): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2), {
      env: process.env,
      home: os.homedir(),
      cwd: process.cwd(),
      now: systemNow,
      stdout: new StandardOutput(1, () => process.stdout, process.platform),
      stderr: new StandardOutput(2, () => process.stderr, process.platform),
      stdin: () => process.stdin,
      signal: interrupt.signal,
      program: import.meta.filename,
      version: () => packageVersion(packageFile),
      scanWorker: isBundled
        ? path.join(folder, "scan-worker.cjs")
        : path.join(folder, "../transcripts/scan/scan-worker.ts"),
      service: {
        program: path.join(folder, isBundled ? "service.cjs" : "../service/main.ts"),
        execPath: process.execPath,
        isElectron: process.versions["electron"] !== undefined,
      },
      ledgerPrograms: (isBundled ? bundledPrograms(folder) : sourcePrograms(path.join(folder, "..")))
        .ledgerPrograms,
      pid: process.pid,
      suite: isBundled ? bundledSuite(folder) : sourceSuite(path.join(folder, "..")),
      guide: path.join(root, "media/guide"),
      scratch: os.tmpdir(),
    });
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    // The exit code that shells report for an interrupted program.
    process.exitCode = 130;
  }
}

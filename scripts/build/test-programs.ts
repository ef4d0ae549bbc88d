/** Bundles the programs that tests start, before the tests: see `test/repo/built-programs.ts`. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { bundledPrograms, sourcePrograms } from "../../src/engine/service/launch/programs.ts";
import { builtPrograms } from "../../test/repo/built-programs.ts";
import { writtenRules } from "./written-rules.ts";

const root = resolve(import.meta.dirname, "../..");
const engine = join(root, "src", "engine");
const [from, to] = [sourcePrograms(engine), bundledPrograms(builtPrograms)];

/** Source and bundle of each program. */
const programs: readonly (readonly [string, string])[] = [
  [join(engine, "service", "main.ts"), join(builtPrograms, "service.cjs")],
  [join(engine, "service", "hook-shim.ts"), join(builtPrograms, "hook.cjs")],
  [join(engine, "guard", "host/call-worker.ts"), join(builtPrograms, "call-worker.cjs")],
  [join(engine, "service", "status-line.ts"), join(builtPrograms, "status-line.cjs")],
  [join(root, "test/engine/service/support/test-service.ts"), join(builtPrograms, "test-service.cjs")],
  [from.learnWorker, to.learnWorker],
  [from.hooksRepair, to.hooksRepair],
  [from.guardReplayWorker, to.guardReplayWorker],
  [from.learningWorker, to.learningWorker],
  [from.benchWorker, to.benchWorker],
  [from.ledgerPrograms.ledger, to.ledgerPrograms.ledger],
];

const { outputFiles } = await build({
  entryPoints: programs.map(([source, bundle]) => ({
    in: source,
    out: relative(builtPrograms, bundle).slice(0, -".cjs".length),
  })),
  outdir: builtPrograms,
  outExtension: { ".js": ".cjs" },
  write: false,
  bundle: true,
  platform: "node",
  format: "cjs",
  target: `node${process.versions.node}`,
  sourcemap: "linked",
  logLevel: "warning",
  define: { "import.meta.filename": "__filename", "import.meta.dirname": "__dirname" },
  plugins: [writtenRules],
  // Its other build loads its parts in a way that bundlers cannot follow.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
});
for (const { path, contents } of outputFiles) put(path, contents);
put(to.ledgerPrograms.sqlWasm, brotliCompressSync(readFileSync(from.ledgerPrograms.sqlWasm)));
// Programs read their version from it.
put(join(builtPrograms, "..", "package.json"), readFileSync(join(root, "package.json")));

/** Leaves alone what is there already, and replaces a file as a whole: other tests of the same sources may be running it. */
function put(file: string, contents: Uint8Array): void {
  if (existsSync(file) && readFileSync(file).equals(contents)) return;
  mkdirSync(dirname(file), { recursive: true });
  const whole = `${file}.${process.pid}`;
  writeFileSync(whole, contents);
  renameSync(whole, file);
}

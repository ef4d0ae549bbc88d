/** `npm run package`: builds for production, packs the extension as `out/context-purser-VERSION.vsix` and the CLI as `.tgz`, and checks them. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { createVSIX } from "@vscode/vsce";
import { packForNpm } from "./npm-package.ts";
import { zipListing } from "./zip-listing.ts";

/** Bytes. SQLite takes 290,000 of them, guard rules 170,000, the texts of all languages 230,000, the golden suite with its fixture 200,000, pictures and guide 160,000. */
const sizeLimit = 3_000_000;

/** Bytes. */
const tarballLimit = 2_150_000;

/** Allowed paths in the package. vsce itself writes the two without a folder. */
const allowed = [
  /^extension\/(?:package\.json|package\.nls(?:\.[\w-]+)?\.json|readme\.md|changelog\.md|LICENSE\.txt)$/iu,
  /^extension\/dist\/(?:[\w-]+\.cjs|[\w-]+-panel\.js|panels-[\w-]+\.js|sql-wasm\.wasm\.br|texts(?:\.[\w-]+)?\.br|build\.json|ThirdPartyNotices\.txt)$/u,
  /^extension\/media\/[\w/.-]+\.(?:png|svg|md|json|json\.br)$/u,
  /^extension\/media\/tasks\/[\w-]+\.mjs$/u,
  /^extension\/golden\/(?:(?:agents|tasks|checks|recordings)\/)?[\w/.-]+\.(?:md|patch|tsx?|json|jsonl)$/u,
  /^extension\/fixture\/(?!BUGS\.md|node_modules\/)[\w/.-]+$/u,
  /^extension\.vsixmanifest$/u,
  /^\[Content_Types\]\.xml$/u,
];
const manifestOfFixture = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, "../../golden/fixture.json"), "utf8"),
);
const needed = [
  // An incomplete fixture is rejected.
  ...Object.keys(manifestOfFixture.files).map((name) => `fixture/${name}`),
  "golden/fixture.json",
  "package.json",
  "dist/extension.cjs",
  "dist/service-access.cjs",
  "dist/cli.cjs",
  "dist/cli-slow-parts.cjs",
  "dist/cli-bench-parts.cjs",
  "dist/service.cjs",
  "dist/hook.cjs",
  "dist/build.json",
  "dist/ThirdPartyNotices.txt",
  "dist/hooks-repair.cjs",
  "dist/uninstall.cjs",
  "dist/hooks-upkeep.cjs",
  "dist/ledger-worker.cjs",
  "dist/sql-wasm.wasm.br",
  "dist/texts.br",
  "dist/texts.de.br",
  "dist/texts.ja.br",
  "dist/ledger-host.cjs",
  "dist/sample-host.cjs",
  "media/sample.json.br",
  "dist/ledger-panel.js",
].map((name) => `extension/${name}`);

const root = path.resolve(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const vsix = path.join(root, "out", `${manifest.name}-${manifest.version}.vsix`);

const build = spawnSync(process.execPath, ["esbuild.mjs", "--production"], { cwd: root, stdio: "inherit" });
if (build.status !== 0) {
  console.error("Nothing was packed, as the build failed.");
  process.exit(1);
}
mkdirSync(path.dirname(vsix), { recursive: true });
await createVSIX({
  cwd: root,
  packagePath: vsix,
  dependencies: false,
  // Before a release there is no public address to point relative links at.
  rewriteRelativeLinks: process.argv.includes("--release"),
});

const archive = readFileSync(vsix);
const files = zipListing(archive);
const names = new Set(files.map(({ name }) => name));
const faults = [
  ...files
    .filter(({ name }) => !allowed.some((pattern) => pattern.test(name)))
    .map(
      ({ name }) =>
        `${name} does not belong in the package; see .vscodeignore and scripts/build/package.mjs.`,
    ),
  ...needed.filter((name) => !names.has(name)).map((name) => `${name} is missing from the package.`),
  ...(archive.length > sizeLimit
    ? [`The package weighs ${archive.length} bytes; the limit is ${sizeLimit}.`]
    : []),
];
const tarball = packForNpm(root, Object.keys(manifestOfFixture.files), path.join(root, "out"));
const { size: tarballSize } = statSync(tarball);
if (tarballSize > tarballLimit)
  faults.push(`The npm package weighs ${tarballSize} bytes; the limit is ${tarballLimit}.`);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else {
  console.log(`${path.relative(root, vsix)}: ${files.length} files, ${archive.length} bytes`);
  console.log(`${path.relative(root, tarball)}: ${tarballSize} bytes`);
}

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { execa } from "execa";
import { packTexts } from "../../../scripts/build/packed-texts.ts";
import { translationKey } from "../../../src/engine/base/text/l10n.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(path.join(os.tmpdir(), "purser-load-"));
const program = path.join(folder, "dist", "cli.cjs");

/** A program with a sentence as a constant of a module, bundled as `purser` is, with its texts beside it. */
before(async () => {
  const load = path.join(root, "src/engine/cli/load-language.ts");
  const l10n = path.join(root, "src/engine/base/text/l10n.ts");
  mkdirSync(path.join(folder, "l10n"));
  mkdirSync(path.dirname(program));
  const put = (name: string, texts: object) =>
    writeFileSync(path.join(folder, "l10n", name), JSON.stringify(texts));
  put("bundle.l10n.json", { Load: "Load", Saved: "Saved" });
  put("bundle.l10n.de.json", { Saved: "Gespeichert" });
  packTexts(path.join(folder, "l10n"), path.dirname(program), 4);
  writeFileSync(
    path.join(folder, "constant.ts"),
    `import { t } from ${JSON.stringify(l10n)};\nexport const sentence = t("Saved");`,
  );
  writeFileSync(
    path.join(folder, "main.ts"),
    `import ${JSON.stringify(load)};\nimport { sentence } from "./constant.ts";\nconsole.log(sentence, globalThis.${translationKey}?.language);`,
  );
  await build({
    entryPoints: [path.join(folder, "main.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "cjs",
    define: { "import.meta.filename": "__filename" },
    logLevel: "error",
  });
});
after(() => rmSync(folder, { recursive: true, force: true }));

async function printed(env: Readonly<Record<string, string>>, argv: readonly string[] = []): Promise<string> {
  // Not by the options of this process: it may run tests.
  const { stdout } = await execa(process.execPath, [program, ...argv], { env, extendEnv: false });
  return stdout;
}

test("a program speaks its language from its first constant on; to another program, or in an unknown one, English", async () => {
  assert.equal(await printed({ PURSER_LANG: "de_AT.UTF-8" }), "Gespeichert de");
  assert.equal(await printed({ LANG: "de_DE.UTF-8" }), "Saved undefined");
  assert.equal(await printed({ PURSER_LANG: "de" }, ["--json"]), "Saved undefined");
  assert.equal(await printed({ PURSER_LANG: "xx" }), "Saved undefined");
});

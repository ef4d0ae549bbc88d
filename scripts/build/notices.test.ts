import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { scratchFolder } from "../../test/engine/support/scratch.ts";
import { noticesOf } from "./notices.ts";

function install(root: string, name: string, files: Readonly<Record<string, string>>): void {
  const folder = path.join(root, "node_modules", name);
  mkdirSync(folder, { recursive: true });
  const manifest = JSON.stringify({ name, version: "1.2.3", license: "MIT" });
  for (const [file, text] of Object.entries({ "package.json": manifest, ...files }))
    writeFileSync(path.join(folder, file), text);
}

describe("notices of libraries", () => {
  it("give each library's licence once, by name, and nothing of the project's own", (t) => {
    const root = scratchFolder(t);
    install(root, "zebra", { LICENSE: "Zebra's terms\r\n" });
    install(root, "@scope/ant", { "license.md": "Ant's terms" });
    const inputs = ["node_modules/zebra/a.js", "node_modules/zebra/lib/b.js", "src/node_modules.ts"];
    const text = noticesOf([...inputs, "node_modules/@scope/ant/index.js"], root);
    assert.deepEqual(text.match(/^(?:zebra|@scope\/ant|Zebra|Ant).*$/gmu), [
      "@scope/ant 1.2.3 (MIT)",
      "Ant's terms",
      "zebra 1.2.3 (MIT)",
      "Zebra's terms",
    ]);
    assert.equal(text.includes("\r"), false);
  });

  it("are refused for a library without a licence", (t) => {
    const root = scratchFolder(t);
    install(root, "bare", {});
    assert.throws(
      () => noticesOf(["node_modules/bare/index.js"], root),
      /bare has no file with its licence/u,
    );
  });
});

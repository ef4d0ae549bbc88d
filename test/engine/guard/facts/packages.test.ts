import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { repositoryOf, testTable, type Tree } from "./support/project.ts";

const tree: Tree = {
  "package.json": JSON.stringify({
    name: "shop",
    dependencies: { lodash: "1", "@shop/cart": "1", "date-fns": "1" },
    devDependencies: { vitest: "1" },
  }),
  "package-lock.json": JSON.stringify({ packages: { "node_modules/nanoid": {} } }),
  "node_modules/installed/package.json": "{}",
  "src/index.ts": 'import known from "already";\n',
  "src/shared/money.ts": "export {};\n",
  "types/global.d.ts": 'declare module "declared-thing";\n',
  "packages/cart/package.json": JSON.stringify({ name: "@shop/cart", dependencies: { zod: "1" } }),
  "rust/Cargo.toml": '[workspace]\nmembers = ["core"]\n',
  "rust/core/Cargo.toml": '[package]\nname = "shop-core"\n',
  "rust/Cargo.lock": '[[package]]\nname = "serde"\nversion = "1"\n\n[[package]]\nname = "shop-core"\n',
};

testTable("packages of commands", (t) => repositoryOf(t, tree), {
  fires: [
    ["npm uninstall lodahs", "has the package `lodahs`. The nearest that it has: `lodash`."],
    ["pnpm remove datefns", "`date-fns`"],
    ["yarn remove vitests", "`vitest`"],
    ["cargo test -p shop-cor", "The nearest that it has: `shop-core`.", "rust"],
    ["cargo build --package=sered", "`serde`", "rust/core"],
    ["npm rm -D vitset", "`vitest`"],
  ],
  silent: [
    "npm uninstall lodash",
    "npm uninstall nanoid",
    "npm uninstall -g lodahs",
    "npm install lodahs",
    "npm install x && npm uninstall lodahs",
    "npx lodahs",
    "npm uninstall $NAME",
    ["cargo test -p shop-core", "rust"],
    ["cargo test -p serde -- shop-cor", "rust"],
    "cargo test -p shop-cor",
    "cargo add serdee",
  ],
});

test("reports an imported package that is in no manifest or lock file", async (t) => {
  const { root, beforeTool } = repositoryOf(t, tree);
  const write = (content: string, file = "src/new.ts") =>
    beforeTool("Write", { file_path: path.join(root, file), content });
  for (const [content, nearest] of [
    ['import _ from "lodahs";\n', "`lodash`"],
    ['import { z } from "zood";\n', "`zod`"],
    ['import "date-fn";\n', "`date-fns`"],
    ['const x = require("lodashs");\n', "`lodash`"],
    ['import { cart } from "@shop/carts/deep";\n', "`@shop/cart`"],
    ['import type { X } from "totally-other";\n', "Add it first"],
    ['export { X } from "nanoyd-x";\n', "missing-package"],
  ] as const)
    assert.ok((await write(content)).includes(nearest), content);
  for (const content of [
    'import _ from "lodash";\nimport x from "lodash/fp";\n',
    'import { nanoid } from "nanoid";\n',
    'import x from "installed";\n',
    'import fs from "fs";\nimport p from "node:path";\nimport t from "fs/promises";\n',
    'import x from "shared/money";\n',
    'import x from "src/index";\n',
    'import x from "declared-thing";\n',
    'import x from "@/money";\nimport y from "~/money";\nimport z from "#money";\n',
    'import x from "virtual:thing";\nimport y from "https://esm.sh/thing";\n',
    'import * as vscode from "vscode";\n',
    '// import x from "lodahs";\n/*\nimport x from "lodahs";\n*/\n',
    'const text = `\nimport x from "lodahs";\n`;\n',
    '  import x from "lodahs";\n',
    "import x from name;\n",
    'import { z } from "zod";\n',
  ])
    assert.equal(await write(content), "", content);
  assert.equal(await write('import x from "lodahs";\n', "notes.md"), "");
  assert.equal(await write('import known from "already";\n', "src/index.ts"), "");
  const edit = { old_string: 'import a from "lodahs";', new_string: 'import b from "lodahs";' };
  assert.equal(await beforeTool("Edit", { file_path: path.join(root, "src/index.ts"), ...edit }), "");
});

test("reports no package that a configuration may name", async (t) => {
  for (const [file, text] of [
    ["tsconfig.json", '{"compilerOptions":{"paths":{"lodahs":["./x"]}}}'],
    ["tsconfig.json", '{"compilerOptions":{"paths":{"*":["./x/*"]}}}'],
    ["vite.config.ts", "export default { resolve: { alias: aliases } };"],
    ["deno.json", '{"imports":{"lodahs":"npm:lodash"}}'],
  ] as const) {
    const { root, beforeTool } = repositoryOf(t, { ...tree, [file]: text });
    const content = 'import x from "lodahs";\n';
    assert.equal(await beforeTool("Write", { file_path: path.join(root, "src/new.ts"), content }), "", text);
  }
});

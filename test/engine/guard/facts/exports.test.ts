import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { javascriptExports } from "../../../../src/engine/guard/facts/claims/module-names.ts";
import { projectOf, type Tree } from "./support/project.ts";

const tree: Tree = {
  "src/sums.ts": `import { other } from "./other.ts";
export function sum(a: number) { return a; }
export const total = 1, average = 2;
export type Price = number;
export interface Cart { readonly items: string }
export abstract class Shop {}
export const enum Kind { A }
export { other as another, type Local };
export * as everything from "./other.ts";
export default sum;
const hidden = 1;
`,
  "src/other.ts": "export const other = 1;\n",
  "src/open.ts": 'export * from "./other.ts";\nexport const a = 1;\n',
  "src/common.js": "module.exports = { a: 1 };\n",
  "src/pattern.ts": "export const { first, second: [third] } = load();\n",
  "src/folder/index.ts": "export const inside = 1;\n",
  "src/view.vue": "<script>export const a = 1</script>",
  "src/strange.ts": "export\n@decorated class Thing {}\n",
  "src/using.ts": 'import { summ } from "./sums.ts";\n',
  "pkg/__init__.py": "VERSION = 1\n",
  "pkg/cart.py": "import os\ndef total(): pass\nclass Cart: pass\nLIMIT: int = 3\n",
  "pkg/open.py": "from os import *\n",
  "pkg/lazy.py": "def __getattr__(name): pass\n",
};

test("reports a name that the other file does not export, with the nearest match", async (t) => {
  const { root, beforeTool } = projectOf(t, tree);
  const write = (content: string, file: string) =>
    beforeTool("Write", { file_path: path.join(root, file), content });
  for (const [content, nearest, file = "src/new.ts"] of [
    ['import { summ } from "./sums";\n', "`./sums` does not export `summ`. The nearest that it has: `sum`."],
    ['import { sum, totl } from "./sums.js";\n', "`total`"],
    ['import type { Prize } from "./sums.ts";\n', "`Price`"],
    ['import sum, { type Crat } from "./sums";\n', "`Cart`"],
    ['import {\n  sum,\n  averge,\n} from "./sums";\n', "`average`"],
    ['import { hidden } from "./sums";\n', "`hidden`, although the name is in that file."],
    ['export { anotherr } from "./sums";\n', "`another`"],
    ['import { insid } from "./folder";\n', "`inside`"],
    ['import { otherr } from "../src/other";\n', "`other`"],
    ["from .cart import totl\n", "`total`", "pkg/new.py"],
    ["from .cart import (total, Cartt)\n", "`Cart`", "pkg/new.py"],
    ["from . import VERSIO\n", "`VERSION`", "pkg/new.py"],
    ["from ..pkg.cart import LIMITS as L\n", "`LIMIT`", "pkg/new.py"],
  ] as const) {
    const report = await write(content, file);
    assert.ok(report.startsWith("missing-export") && report.includes(nearest), `${content}${report}`);
  }
});

test("reports no name that is exported or may be", async (t) => {
  const { root, beforeTool } = projectOf(t, tree);
  const write = (content: string, file: string) =>
    beforeTool("Write", { file_path: path.join(root, file), content });
  for (const [content, file = "src/new.ts"] of [
    ['import sum, { total, average, another, everything } from "./sums.ts";\n'],
    ['import { type Price, Cart, Shop, Kind, Local as Mine, default as x } from "./sums";\n'],
    ['import { anything } from "./open";\n'],
    ['import { anything } from "./common";\n'],
    ['import { first, third } from "./pattern";\n'],
    ['import { anything } from "./view.vue";\n'],
    ['import { anything } from "./strange";\n'],
    ['import { anything } from "./none";\n'],
    ['import { anything } from "./data.json";\n'],
    ['import * as sums from "./sums";\n'],
    ['import sums from "./sums";\n'],
    ['// import { summ } from "./sums";\n'],
    ['const text = `\nimport { summ } from "./sums";\n`;\n'],
    ['import { summ } from "./sums.ts";\n', "src/using.ts"],
    ['import { summ } from "./sums.ts";\n', "src/notes.md"],
    ['import { mine } from "./sums";\n', "src/sums.ts"],
    ["from .cart import total, Cart, LIMIT, os\n", "pkg/new.py"],
    ["from . import cart, VERSION\n", "pkg/new.py"],
    ["from .open import anything\n", "pkg/new.py"],
    ["from .lazy import anything\n", "pkg/new.py"],
    ["from .none import anything\n", "pkg/new.py"],
    ["from pkg.cart import anything\n", "pkg/new.py"],
    ['text = """\nfrom .cart import totl\n"""\n', "pkg/new.py"],
  ] as const)
    assert.equal(await write(content, file), "", content);
  const edit = {
    old_string: 'import { summ } from "./sums";',
    new_string: 'import { summ, sum } from "./sums";',
  };
  assert.equal(await beforeTool("Edit", { file_path: path.join(root, "src/other.ts"), ...edit }), "");
});

test("a file that may have other exports has no known ones", () => {
  for (const text of [
    "const a = 1;",
    'export * from "./a";',
    'export type * from "./a";',
    "exports.a = 1;",
    "module.exports = a;",
    "export = a;",
    "export as namespace A;",
    'declare module "x" { export const a: 1 }',
    'Object.defineProperty(exports, "a", {});',
    "export /* here */ const a = 1;",
  ])
    assert.equal(javascriptExports(text), null, text);
});

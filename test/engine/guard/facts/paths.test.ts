import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { projectOf, repositoryOf, testTable, type Tree } from "./support/project.ts";

const tree: Tree = {
  "package.json": JSON.stringify({ scripts: { build: "tsc" } }),
  "src/index.ts": "export {};\n",
  "src/cart/total-price.ts": "export {};\n",
  "src/cart/my file.ts": "export {};\n",
  "src/größe.ts": "export {};\n",
  "docs/guide.md": "# Guide\n",
  "tests/cart.test.ts": "",
  "run.sh": "",
  "tool.py": "",
};

testTable("paths", (t) => repositoryOf(t, tree), {
  fires: [
    ["cat src/indx.ts", "`src/indx.ts` does not exist (looked for in `"],
    ["cat src/indx.ts", "The nearest that is there: `src/index.ts`."],
    ["cat ./src/index.tsx", "`src/index.ts`"],
    ["head -n 20 src/total-price.ts", "`src/cart/total-price.ts`"],
    ["tail -20 docs/guides.md", "`docs/guide.md`"],
    ["sed -n '1,20p' src/cart/totalprice.ts", "`src/cart/total-price.ts`"],
    ["cd src && cat cart/totl-price.ts", "`cart/total-price.ts`"],
    ["cd sorce", "`sorce` does not exist"],
    ["ls -la src/crt", "`src/cart`"],
    ["grep -rn price src/carts", "`src/cart`"],
    ["rg -t ts price test", "`tests`"],
    ['wc -l "src/cart/my fil.ts"', "`src/cart/my file.ts`"],
    ["cp guide.md out.md", "`docs/guide.md`"],
    ["python3 tols.py --fast", "`tool.py`"],
    ["bash ./rum.sh", "`run.sh`"],
    ["wc -l < src/idex.ts", "`src/index.ts`"],
    ["cat index.ts | grep export", "`index.ts`", "src/cart"],
    ["timeout 5 cat src/indx.ts", "`src/index.ts`"],
    ["bash -c 'cat src/indx.ts'", "`src/index.ts`"],
    ["cat ROOT/src/indx.ts", "src/index.ts`"],
    ["cat src/wholly-other-thing.txt", "The nearest that is there: the folder `src`."],
    ["git status && cat src/indx.ts", "`src/index.ts`"],
    ["cat src/grösse.ts", "`src/größe.ts`"],
  ],
  silent: [
    "cat src/index.ts",
    "cat './src/../src/index.ts'",
    'cat "src/cart/my file.ts" src/cart/my\\ file.ts',
    "cat src/größe.ts",
    "cat ~none/anything",
    "cat $FILE",
    'cat "$DIR/none.ts"',
    "cat src/*.tsx",
    "cat $(git ls-files | head -1)",
    "touch new.txt && cat new.txt",
    "echo hello > new.txt; cat new.txt",
    "mkdir -p out && cd out && cat log.txt",
    "cp src/index.ts copy.ts && cat copy.ts",
    "npm run build && cat dist/main.js",
    "[ -f none.ts ] && cat none.ts",
    "test -e none.ts && cat none.ts",
    "cat none.ts 2>/dev/null",
    "cat none.ts || echo none",
    "if [ -e none ]; then cat none; fi",
    "ssh host cat none.ts",
    "docker exec box cat none.ts",
    "docker run --rm -v .:/app node cat none.ts",
    "find . -name none -exec cat {} \\;",
    "echo none.ts | xargs cat",
    "echo 'cat none.ts'",
    "grep none.ts src/index.ts",
    "cd $UNKNOWN && cat none.ts",
    "cd - && cat none.ts",
    "rm -f none.ts",
    "cat /tmp/none-of-these.txt",
    "cat /proc/self/none",
    "cat <<'END'\nnone\nEND",
    "cat - < src/index.ts",
    "cat --unknown-option none.ts",
    "tail -F none.log",
    "tar xf src.tar",
    "mv src/index.ts src/main.ts && cat src/main.ts",
    "git stash pop && cat none.ts",
    "f() { cat none.ts; }",
    "awk -v x=1 '{print x}' src/index.ts",
    "jq . package.json",
    "rg none src",
    "cat /app/src/none.ts",
    "bash missing-on-path",
    "python3 -m none",
    "node -e 'none'",
    ["cat ../src/index.ts", "docs"],
  ],
});

test("reports files that a tool reads or edits the same way", async (t) => {
  const { root, beforeTool } = repositoryOf(t, tree);
  const file = path.join(root, "src", "indx.ts");
  const there = path.join(root, "src", "index.ts");
  const nearest = /^missing-path: .*The nearest that is there: `.*src\/index\.ts`\.$/u;
  assert.match(await beforeTool("Read", { file_path: file }), nearest);
  assert.match(await beforeTool("view", { path: "src/indx.ts" }), nearest);
  assert.match(await beforeTool("Edit", { file_path: file, old_string: "a", new_string: "b" }), nearest);
  const edits = [{ old_string: "a", new_string: "b" }];
  assert.match(await beforeTool("MultiEdit", { file_path: file, edits }), nearest);
  const patch = "*** Begin Patch\n*** Update File: src/indx.ts\n@@\n-a\n+b\n*** End Patch";
  assert.match(await beforeTool("apply_patch", { input: patch }), nearest);
  assert.match(await beforeTool("replace", { file_path: file, old_string: "a", new_string: "b" }), nearest);
  // A file that the call makes, and one that is there.
  assert.equal(await beforeTool("Write", { file_path: file, content: "" }), "");
  assert.equal(await beforeTool("Edit", { file_path: file, old_string: "", new_string: "b" }), "");
  assert.equal(await beforeTool("create_file", { filePath: file, content: "" }), "");
  assert.equal(await beforeTool("apply_patch", { input: patch.replace("Update", "Add") }), "");
  assert.equal(await beforeTool("Read", { file_path: there }), "");
  assert.equal(await beforeTool("Read", { file_path: path.join(root, "src") }), "");
  assert.equal(await beforeTool("Read", { file_path: "/tmp/none-of-these.txt" }), "");
});

test("follows links, and does not report a broken one", async (t) => {
  const { root, before } = projectOf(t, tree);
  symlinkSync("src/index.ts", path.join(root, "linked.ts"));
  symlinkSync("src", path.join(root, "linked"));
  symlinkSync("none.ts", path.join(root, "dangling.ts"));
  for (const file of ["linked.ts", "linked/index.ts", "dangling.ts"])
    assert.equal(await before(`cat ${file}`), "", file);
  assert.match(await before("cat linked/indx.ts"), /`linked\/index\.ts`/u);
});

test("reports names of files as data", async (t) => {
  const { before } = projectOf(t, { "a`b\u202Ec\u0007.txt": "", "a`b.md": "" });
  const report = await before("cat 'a`b.txt'");
  assert.match(report, /^missing-path: `a\?b\.txt` does not exist/u);
  assert.doesNotMatch(report, /[\u202E\u0007\n]/u);
});

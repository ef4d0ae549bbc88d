import assert from "node:assert/strict";
import { test } from "node:test";
import { readCommandLine } from "../../../../src/engine/guard/commands/shell-reader.ts";
import { testContext } from "../support/shell-context.ts";

const folderOf = (text: string): string | null => readCommandLine(text, testContext).at(-1)?.folder ?? null;
const wordsOf = (text: string): string => {
  const last = readCommandLine(text, testContext).at(-1);
  return [last?.program ?? "", ...(last?.args.map((arg) => arg.text) ?? [])].join(" ");
};

test("a shell returns to the folders that it left", () => {
  const here = testContext.folder;
  assert.equal(folderOf("cd /tmp/a && cd - && ls"), here);
  assert.equal(folderOf("cd /tmp/a >/dev/null; cd - >/dev/null; ls"), here);
  assert.equal(folderOf('cd /tmp/a; cd "$OLDPWD"; ls'), here);
  assert.equal(folderOf("pushd /tmp/a && pushd /tmp/b && popd && ls"), "/tmp/a");
  assert.equal(folderOf("pushd /tmp/a; pushd; ls"), here);
  assert.equal(folderOf("pushd /tmp/a; popd; popd; ls"), null);
  assert.equal(folderOf("cd - && ls"), null);
});

test("an alias is replaced by its words, but not within itself", () => {
  assert.equal(wordsOf("alias c='rm -rf'; c ~/x"), `rm -rf ${testContext.home}/x`);
  assert.equal(wordsOf("alias c='rm -rf'; eval 'c /x'"), "rm -rf /x");
  assert.equal(wordsOf("alias rm='rm -i'; rm a"), "rm -i a");
  assert.equal(wordsOf("alias a=b b=a; a x"), "a x");
  assert.equal(wordsOf("alias c=rm; unalias c; c x"), "c x");
  assert.equal(wordsOf("BASH_ALIASES[z]='rm -rf'; z /x"), "rm -rf /x");
});

test("a push to a remote that the line adds goes to its address", () => {
  const address = "https://git.example.org/x/y";
  assert.equal(wordsOf(`git remote add x ${address} && git push x --all`), `git push ${address} --all`);
  assert.equal(wordsOf(`git remote add -f -t main x ${address}; git push x`), `git push ${address}`);
  assert.equal(wordsOf(`git remote add origin ${address} && git push origin main`), "git push origin main");
});

test("reads task files that the line writes as their programs do", () => {
  for (const text of [
    "printf 'all: wipe\\nwipe:\\n\\t@rm -rf $(HOME)\\n' > Makefile; make",
    "printf 'default:\\n  rm -rf ~\\n' > justfile && just",
    "printf 'tasks:\\n  default:\\n    cmds:\\n      - rm -rf ~\\n' > Taskfile.yml && task",
    `echo '{"scripts":{"x":"rm -rf ~"}}' > package.json && npm run x`,
    `echo '{"tasks":{"x":"rm -rf ~"}}' > deno.json && deno task x`,
    "printf 'pre-commit:\\n  commands:\\n    x:\\n      run: rm -rf ~\\n' > lefthook.yml && lefthook run pre-commit",
    `echo 'system("rm -rf ~")' > Rakefile && rake`,
    `printf '#!/usr/bin/env python3\\nimport os\\nos.system("rm -rf ~")' > t && ./t`,
    `echo 'int main(){system("rm -rf ~");}' > x.c && gcc x.c -o x && ./x`,
  ]) {
    const programs = readCommandLine(text, testContext).map(({ program }) => program);
    assert.ok(programs.includes("rm"), text);
  }
});

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { before, describe, it, type TestContext } from "node:test";
import { commands } from "../../../../src/engine/cli/commands.ts";
import { commandTree } from "../../../../src/engine/cli/completion/completion-tree.ts";
import { topics } from "../../../../src/engine/cli/guide.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { responseRow, Scratch } from "../support/support.ts";

async function purser(t: Pick<TestContext, "after">, ...argv: string[]): Promise<string> {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const { code, stdout, stderr } = await scratch.purser(argv);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  return stdout;
}

/** A line that is typed, and what is offered for its last word. Null stands for a stub of `purser` that knows two sessions. */
const offers: readonly [typed: string, offered: string[]][] = [
  ["purser st", ["status"]],
  ["purser golden ", ["check", "draft", "freeze", "install", "list", "new", "uninstall"]],
  ["purser golden list --s", ["--suite"]],
  ["purser usage --by s", ["server", "session", "skill", "subagent"]],
  ["purser usage --json --ag", ["--agent"]],
  ["purser guard on --family ou", ["output"]],
  ["purser plan compare mo", ["model"]],
  ["purser budget create checkout --pe", ["--per-prompt", "--period"]],
  ["purser budget create checkout --period ", ["day", "month", "run", "total", "week"]],
  ["purser status --session ", ["5f0c0000", "a1b2c3d4"]],
  ["purser handover a", ["a1b2c3d4"]],
  ["purser select ", ["backend", "frontend"]],
  ["purser compare model f", ["frontend"]],
  ["purser bench --runs ", []],
  ["purser golden list x", []],
  ["purser nothing ", []],
  ["purser help hand", ["handing-over", "handover"]],
  ["purser help --", ["--help"]],
];

/** A folder with the script of a shell, and a stub of `purser` that knows sessions and agents. */
async function placeOf(t: TestContext, shell: string): Promise<{ folder: string; script: string }> {
  const folder = scratchFolder(t);
  const script = path.join(folder, `purser.${shell}`);
  writeFileSync(script, await purser(t, "completion", shell));
  const stub = path.join(folder, "purser");
  const known =
    'case "$2" in sessions) printf "5f0c0000\\tFix it\\na1b2c3d4\\t\\n" ;; agents) printf "backend\\nfrontend\\n" ;; esac';
  writeFileSync(stub, `#!/bin/sh\n${known}\n`);
  chmodSync(stub, 0o755);
  return { folder, script };
}

function run(program: string, argv: readonly string[], folder: string): string {
  const env = {
    ...process.env,
    HOME: folder,
    PATH: `${folder}${path.delimiter}${process.env["PATH"] ?? ""}`,
  };
  const { status, stdout, stderr, error } = spawnSync(program, argv, {
    cwd: folder,
    env,
    encoding: "utf8",
    timeout: 30_000,
  });
  assert.deepEqual([status, stderr, error], [0, "", undefined], program);
  return stdout;
}

/** The lines printed, one for each offer. */
function linesOf(printed: string): string[] {
  const lines = printed.split("\n").map((line) => line.trim());
  assert.equal(lines.pop(), "");
  return lines;
}

function isThere(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;
}

/** Shells that a machine may lack. */
const missing = (program: string) => (isThere(program) ? false : `there is no ${program} here`);

describe("the completion of purser", () => {
  let tree: Awaited<ReturnType<typeof commandTree>>;
  before(async () => {
    tree = await commandTree(commands);
  });

  it("knows every command, and describes each of them and each option", () => {
    const [root] = tree;
    assert.deepEqual(
      root?.subcommands.map(({ name }) => name),
      [...Object.keys(commands), "help"],
    );
    for (const { description } of root.subcommands) assert.match(description, /^\S.{8,70}$/u);
    for (const { path: at, options } of tree)
      for (const { name, description, takesValue } of options)
        assert.ok(description !== "" || !takesValue, `purser ${at} --${name}`);
  });

  it("offers every page of the guide, and every command, to help", () => {
    const offered = tree.find((node) => node.path === "help")?.subcommands ?? [];
    const names = [...new Set([...Object.keys(topics), ...Object.keys(commands)])];
    assert.deepEqual(offered.map(({ name }) => name).toSorted(), names.toSorted());
    for (const { description } of offered) assert.match(description, /^\S.{8,70}$/u);
  });

  it("offers help everywhere, and only names that need no quotes", () => {
    for (const { path: at, options, subcommands } of tree) {
      assert.ok(
        options.some(({ name }) => name === "help"),
        at,
      );
      for (const { name } of [...options, ...subcommands]) assert.match(name, /^[a-z][a-z0-9-]*$/u);
      for (const { choices } of options) for (const choice of choices) assert.match(choice, /^[\w./-]+$/u);
    }
  });

  it("knows which values are files, folders, sessions and agents", () => {
    const kindOf = (at: string, name: string) =>
      tree.find((node) => node.path === at)?.options.find((option) => option.name === name)?.kind;
    assert.equal(kindOf("status", "cwd"), "folder");
    assert.equal(kindOf("bench", "junit"), "file");
    assert.equal(kindOf("status", "session"), "sessions");
    assert.equal(kindOf("golden new", "agent"), "agents");
    assert.equal(kindOf("bench", "runs"), null);
  });

  it("works in bash", { skip: missing("bash") }, async (t) => {
    const { folder, script } = await placeOf(t, "bash");
    const tries = offers.map(([typed]) => {
      const words = typed.split(" ").map((word) => `'${word}'`);
      return `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; COMPREPLY=(); _purser; printf '%s\\n' "\${COMPREPLY[@]}" | sort | tr '\\n' ' '; echo`;
    });
    const printed = run("bash", ["--norc", "-c", [`source ${script}`, ...tries].join("\n")], folder);
    assert.deepEqual(
      linesOf(printed),
      offers.map(([, offered]) => offered.join(" ")),
    );
    assert.equal(
      run("bash", ["--norc", "-c", `source ${script}; complete -p purser`], folder).trim(),
      "complete -F _purser purser",
    );
  });

  it("works in bash for files, folders and --option=value", { skip: missing("bash") }, async (t) => {
    const { folder, script } = await placeOf(t, "bash");
    writeFileSync(path.join(folder, "with space.md"), "");
    const ask = (words: string) =>
      run(
        "bash",
        [
          "--norc",
          "-c",
          `source ${script}; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _purser; printf '%s|' "\${COMPREPLY[@]}"`,
        ],
        folder,
      );
    assert.equal(ask("purser usage --by = d"), "day|");
    assert.equal(
      ask("purser usage --by ="),
      "day|session|project|model|agent|branch|subagent|tool|skill|server|machine|",
    );
    assert.equal(ask("purser try-without with"), "with space.md|");
    assert.equal(ask(`purser status --cwd ${path.dirname(folder)}/${path.basename(folder)}`), `${folder}|`);
  });

  it("works in fish", { skip: missing("fish") }, async (t) => {
    const { folder, script } = await placeOf(t, "fish");
    const asked = offers.map(([typed]) => `complete -C '${typed}' | cut -f1 | sort | tr '\\n' ' '; echo`);
    const printed = run("fish", ["--no-config", "-c", [`source ${script}`, ...asked].join("\n")], folder);
    assert.deepEqual(
      linesOf(printed),
      offers.map(([, offered]) => offered.join(" ")),
    );
  });

  it("is one that zsh can read", { skip: missing("zsh") }, async (t) => {
    const { folder, script } = await placeOf(t, "zsh");
    assert.equal(run("zsh", ["-f", "-n", script], folder), "");
    const loaded = `autoload -U compinit; compinit -u -D; source ${script}; print $_comps[purser]`;
    assert.equal(run("zsh", ["-f", "-c", loaded], folder), "_purser\n");
  });

  it("is one that PowerShell can read", { skip: missing("pwsh") }, async (t) => {
    const { folder, script } = await placeOf(t, "powershell");
    const parse = `$e = $null; [void][System.Management.Automation.Language.Parser]::ParseFile('${script}', [ref]$null, [ref]$e); $e.Count`;
    assert.equal(run("pwsh", ["-NoProfile", "-Command", parse], folder).trim(), "0");
  });

  it("closes every bracket and quote that it opens in PowerShell", async (t) => {
    const script = await purser(t, "completion", "powershell");
    const code = script.replace(/'(?:[^']|'')*'|"[^"]*"|#.*$/gmu, "");
    assert.doesNotMatch(code, /['"]/u);
    for (const [open, close] of ["()", "{}", "[]"])
      assert.equal(code.split(open ?? "").length, code.split(close ?? "").length, open);
  });

  it("explains how to load each script", async (t) => {
    const help = await purser(t, "completion");
    for (const shell of ["bash", "zsh", "fish", "powershell"]) {
      const [first = "", second = ""] = (await purser(t, "completion", shell)).split("\n");
      const [, loaded = "(none)"] = /with: (.+)$/mu.exec(`${first}\n${second}`) ?? [];
      assert.ok(loaded.includes(`purser completion ${shell}`) && help.includes(loaded), loaded);
    }
  });
});

describe("values that a shell offers", () => {
  it("are the newest sessions with their titles, in one line each", async (t) => {
    const scratch = new Scratch();
    t.after(() => scratch.dispose());
    const title = JSON.stringify({ type: "user", message: { role: "user", content: "Fix\tthe\nlogin" } });
    scratch.transcript("-argo/5f0c0000-1111.jsonl", `${title}\n${responseRow({ id: "1" })}`);
    scratch.transcript("-argo/a1b2c3d4-2222.jsonl", responseRow({ id: "2", day: 19 }));
    const { stdout } = await scratch.purser(["completion", "sessions"]);
    assert.deepEqual(stdout.split("\n").toSorted(), ["", "5f0c0000\tFix the login", "a1b2c3d4\t/argo"]);
  });

  it("are the agents with golden tasks", async (t) => {
    assert.deepEqual((await purser(t, "completion", "agents")).trim().split("\n"), [
      "backend",
      "frontend",
      "sql",
      "testing",
    ]);
  });
});

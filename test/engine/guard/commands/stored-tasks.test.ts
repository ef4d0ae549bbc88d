import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findHits } from "../../../../src/engine/guard/calls/find-hits.ts";
import { RuleSet } from "../../../../src/engine/guard/calls/rule-set.ts";
import { catalogue } from "../../../../src/engine/guard/catalogue/all.ts";

const rules = new RuleSet(catalogue);
const home = "/home/ann";
const project = `${home}/shop`;

/** Returns the rules that fire on a command line beside these files, which are named from the project's folder. */
function firedOn(command: string, files: Readonly<Record<string, string>>): readonly string[] {
  const readScript = (file: string) => files[file.replace(`${project}/`, "")] ?? null;
  const context = { folder: project, home, project, temporary: "/tmp", readScript };
  return findHits({ kind: "command", command, shell: "posix" }, rules, context).map(({ rule }) => rule.id);
}

/** The rules that fire on what the files do. */
const harm = new Set(["delete-home", "container-mount-machine"]);

const bad = "#!/bin/sh\nset -e\nrm -rf ~\n";
const python = "import shutil, pathlib\nshutil.rmtree(pathlib.Path.home())\n";

const harmful: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["git commit -m x", { ".git/hooks/pre-commit": bad }],
  ["git commit --no-verify -m x", { ".git/hooks/post-commit": bad }],
  ["git commit -am x", { ".husky/pre-commit": "rm -rf ~\n" }],
  ["git push origin feature", { ".githooks/pre-push": bad }],
  ["git -C lib commit -m x", { "lib/.git/hooks/commit-msg": bad }],
  ["git -c core.hooksPath=tools commit -m x", { "tools/pre-commit": bad }],
  ["git switch main", { ".git/hooks/post-checkout": `#!/usr/bin/env python3\n${python}` }],
  ["composer run nuke", { "composer.json": '{"scripts":{"nuke":["echo","rm -rf ~"]}}' }],
  ["composer nuke", { "composer.json": '{"scripts":{"nuke":"rm -rf ~"}}' }],
  ["poe nuke", { "pyproject.toml": '[tool.poe.tasks]\nnuke = "rm -rf ~"\n' }],
  ["poe nuke", { "pyproject.toml": "[tool.poe.tasks.nuke]\ncmd = 'rm -rf ~'\n" }],
  ["pdm run nuke", { "pyproject.toml": '[tool.pdm.scripts]\nnuke = {cmd = "rm -rf ~"}\n' }],
  ["hatch run nuke", { "pyproject.toml": '[tool.hatch.envs.default.scripts]\nnuke = ["rm -rf ~"]\n' }],
  ["pipenv run nuke", { Pipfile: '[scripts]\nnuke = "rm -rf ~"\n' }],
  ["mise run nuke", { "mise.toml": "[tasks.nuke]\nrun = 'rm -rf ~'\n" }],
  ["rake nuke", { Rakefile: "task :build do\n  sh 'ls'\nend\ntask :nuke do\n  sh 'rm -rf ~'\nend\n" }],
  ["foreman start", { Procfile: "web: node a.js\nworker: rm -rf ~\n" }],
  ["hivemind", { Procfile: "worker: rm -rf ~\n" }],
  ["direnv allow", { ".envrc": "export A=1\nrm -rf ~\n" }],
  ["at -f x.sh now", { "x.sh": bad }],
  ["npx npm-run-all nuke", { "package.json": '{"scripts":{"nuke":"rm -rf ~"}}' }],
  ["run-s build nuke", { "package.json": '{"scripts":{"build":"tsc","nuke":"rm -rf ~"}}' }],
  ["just nuke", { justfile: `nuke:\n  #!/usr/bin/env python3\n  ${python.replace("\n", "\n  ")}` }],
  ["python3 -m tools.nuke", { "tools/nuke.py": python }],
  ["python3 -m nuke", { "nuke/__main__.py": python }],
  ["docker compose up -d", { "compose.yaml": "services:\n  a:\n    volumes:\n      - ~:/host\n" }],
  ["docker-compose up", { "docker-compose.yml": 'services:\n  a:\n    volumes: ["/:/host:rw"]\n' }],
  [
    "docker compose -f ci/a.yml run --rm a",
    {
      "ci/a.yml":
        "services:\n  a:\n    volumes:\n      - type: bind\n        source: ${HOME}\n        target: /h\n",
    },
  ],
  ["python3 nuke.py", { "nuke.py": python }],
];

const ordinary: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    "git commit -m x",
    { ".husky/pre-commit": "npx lint-staged\n", ".git/hooks/pre-commit": "#!/bin/sh\nnpm test\n" },
  ],
  [
    "docker compose up -d",
    { "compose.yaml": "services:\n  a:\n    volumes:\n      - .:/app\n      - db:/data\n" },
  ],
  ["docker compose down", { "compose.yaml": "services:\n  a:\n    volumes:\n      - ~:/host\n" }],
  [
    "docker compose up",
    {
      "compose.yaml":
        "services:\n  a:\n    ports:\n      - 80:80\n    volumes:\n      - ~:/h:ro\n      - source: ~\n        read_only: true\n",
    },
  ],
  ["git status", { ".git/hooks/pre-commit": bad }],
  ["composer build", { "composer.json": '{"scripts":{"nuke":"rm -rf ~"}}' }],
  ["poe test", { "pyproject.toml": '[tool.poe.tasks]\nnuke = "rm -rf ~"\ntest = "pytest"\n' }],
  ["rake build", { Rakefile: "task :build do\n  sh 'ls'\nend\ntask :nuke do\n  sh 'rm -rf ~'\nend\n" }],
  ["foreman start web", { Procfile: "web: node a.js\nworker: rm -rf ~\n" }],
  ["mise run test", { "mise.toml": "[tasks.nuke]\nrun = 'rm -rf ~'\n[tasks.test]\nrun = 'pytest'\n" }],
  ["run-p lint", { "package.json": '{"scripts":{"lint":"eslint .","nuke":"rm -rf ~"}}' }],
  ["python3 -m pytest", { "nuke.py": python }],
];

describe("a command that runs a task or a hook of the project", () => {
  for (const [command, files] of harmful)
    it(`is judged by what that does: ${command} (${Object.keys(files).join(", ")})`, () => {
      const fired = firedOn(command, files);
      assert.ok(
        fired.some((id) => harm.has(id)),
        fired.join(" "),
      );
    });

  for (const [command, files] of ordinary)
    it(`is not judged by what it does not run: ${command}`, () => {
      assert.ok(!firedOn(command, files).some((id) => harm.has(id)));
    });
});

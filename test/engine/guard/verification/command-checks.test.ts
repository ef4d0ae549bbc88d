import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readCommand } from "../../../../src/engine/guard/work/read-command.ts";
import { testContext } from "../support/shell-context.ts";

const checks: Readonly<Record<string, readonly string[]>> = {
  test: [
    "npm test",
    "npm t",
    "cd web && npm test 2>&1 | tail -5",
    "CI=1 npm run test:unit -- --run",
    "pnpm -r test",
    "pnpm --filter web test",
    "yarn workspace web test",
    "corepack pnpm test",
    "npm --prefix web test",
    "npx vitest run src/a.test.ts",
    "npx --yes playwright test",
    "node --test test/",
    "bun test",
    "deno test",
    "python3 -m pytest -q",
    "pytest -q tests/test_a.py::test_b",
    "uv run pytest",
    "poetry run pytest",
    "python manage.py test",
    "python -m unittest discover",
    "tox -e py312",
    "cargo test --workspace",
    "cargo nextest run",
    "go test ./... -run TestTide",
    "make check",
    "make -j4 test",
    "just test",
    "./gradlew test",
    "mvn -q verify",
    "bundle exec rspec",
    "php artisan test",
    "composer test",
    "dotnet test",
    "mix test",
    "bash -lc 'cargo test'",
    "timeout 60 npm test || true",
    "docker compose exec app npm test",
    "sudo -u ann make check",
    "nohup npm test &",
    "./scripts/check.sh",
    "bash scripts/run-tests.sh",
    "for i in 1 2; do npm test; done",
  ],
  types: [
    "npx tsc --noEmit",
    "npm run typecheck",
    "yarn check-types",
    "mypy src",
    "pyright",
    "cargo check",
    "vue-tsc -b",
    "deno check main.ts",
    "php -l index.php",
    "node --check a.js",
    "bash -n install.sh",
  ],
  lint: [
    "uv run ruff check .",
    "ruff format --check",
    "eslint -c config.mjs src",
    "npm run lint",
    "npm run format:check",
    "prettier --check .",
    "go vet ./...",
    "cargo clippy -- -D warnings",
    "cargo fmt --check",
    "golangci-lint run",
    "shellcheck install.sh",
    "black --check .",
    "pre-commit run --all-files",
    "terraform validate",
    "bundle exec rubocop",
  ],
  build: [
    "npm run build",
    "make",
    "go build ./...",
    "cargo build --release",
    "docker build .",
    "vite build",
    "gcc a.c",
  ],
  run: [
    "node app.js",
    "go run .",
    "npm start",
    "cargo run",
    "python main.py",
    "curl -s http://localhost:3000/health",
  ],
};

const none = [
  "echo 'npm test'",
  'echo "run npm test first"',
  "git commit -m 'npm test passes'",
  "git log --grep 'npm test'",
  "grep -rn 'npm test' .",
  "cat package.json | jq .scripts.test",
  "ls test",
  "mkdir -p test/unit",
  "cd test",
  "test -f package.json",
  "rm -rf dist",
  "git checkout test",
  "git push origin test",
  "npm ci",
  "npm install --save-dev vitest",
  "npm ls eslint",
  "pip install pytest",
  "brew install shellcheck",
  "tsc --version",
  "pytest --collect-only",
  "npx tsc --help",
  "make -n test",
  "prettier --write .",
  "cargo fmt",
  "vim src/test.ts",
  "curl -s https://example.com/test",
  "node -e 'console.log(1)'",
  "python3 -c 'print(1)'",
  "ssh build-host npm test",
  "touch build.gradle",
  "cat <<'E'\nnpm test\nE",
  "# npm test",
  "",
];

function kindsOf(command: string): readonly string[] {
  return readCommand(command, testContext, "posix").checks;
}

test("finds the check that a command runs, through wrappers and pipes", () => {
  const faults = Object.entries(checks).flatMap(([kind, commands]) =>
    commands
      .filter((command) => !kindsOf(command).includes(kind))
      .map((command) => `${command}: ${kindsOf(command).join()}`),
  );
  assert.deepEqual(faults, []);
});

test("quoted text, reads, installs and programs that describe themselves are not checks", () => {
  assert.deepEqual(
    none.filter((command) => kindsOf(command).length > 0),
    [],
  );
});

test("one line may be several checks, and any text is read", () => {
  assert.deepEqual(kindsOf("npm run build && npm test; npx eslint ."), ["build", "test", "lint"]);
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      assert.deepEqual(kindsOf(`git commit -m '${text.replaceAll("'", "")}'`), []);
      readCommand(text, testContext, "posix");
      readCommand(text, testContext, "powershell");
    }),
  );
});

test("finds the source files that a line writes, and its effect", () => {
  const table: readonly (readonly [string, string, readonly string[]])[] = [
    ["sed -i s/a/b/ src/a.ts", "change", ["src/a.ts"]],
    ["cat > src/a.py <<'E'\nx = 1\nE", "change", ["src/a.py"]],
    ["npm test > test.log 2>&1", "change", []],
    ["npm test 2>/dev/null | tail -3", "check", []],
    ["git status --short && cat src/a.ts", "look", []],
    ["eslint --fix src", "change", []],
    ["echo x | tee src/a.rb", "change", ["src/a.rb"]],
    ["find . -name '*.ts' -delete", "change", []],
  ];
  for (const [command, effect, writes] of table) {
    const facts = readCommand(command, testContext, "posix");
    assert.deepEqual([facts.effect, facts.writes], [effect, writes], command);
  }
});

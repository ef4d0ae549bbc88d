import assert from "node:assert/strict";
import { test } from "node:test";
import { readCommandLine } from "../../../../src/engine/guard/commands/shell-reader.ts";
import { testContext } from "../support/shell-context.ts";

/** Returns the innermost program that a command line runs, with its words and its place. */
function innermost(line: string): string {
  const last = readCommandLine(line, testContext).at(-1);
  return last === undefined
    ? ""
    : [last.program, ...last.args.map(({ text }) => text), last.place === "here" ? "" : `@${last.place}`]
        .join(" ")
        .trim();
}

test("an interpreter runs the given file or module", () => {
  assert.equal(innermost("python3 -W ignore ./backend/manage.py flush"), "manage.py flush");
  assert.equal(innermost("python -m django flush"), "django flush");
  assert.equal(innermost("php artisan migrate:fresh"), "artisan migrate:fresh");
  assert.equal(
    innermost("node --env-file .env node_modules/.bin/prisma migrate reset"),
    "prisma migrate reset",
  );
  assert.equal(innermost("python3 manage.py shell -c 'x.delete()'"), "manage.py shell -c x.delete()");
});

test("an interpreter's code is not a file", () => {
  assert.equal(innermost("python3 -c 'import os; os.system(\"ls /srv\")'"), "ls /srv");
  assert.equal(innermost("node -e '1' prisma"), "node -e 1 prisma");
  assert.equal(innermost("ruby -rjson -ne 'puts 1' prisma"), "ruby -rjson -ne puts 1 prisma");
});

test("a package manager runs a package's program after a word that is not its own command", () => {
  assert.equal(innermost("pnpm --filter web prisma migrate reset"), "prisma migrate reset");
  assert.equal(innermost("yarn prisma migrate reset"), "prisma migrate reset");
  assert.equal(innermost("yarn add prisma"), "yarn add prisma");
  assert.equal(innermost("pnpm run build"), "pnpm run build");
});

test("options of wrappers may follow their operands and other letters", () => {
  assert.equal(innermost("gcloud compute ssh web --zone z --command='dropdb shop'"), "dropdb shop @remote");
  assert.equal(innermost("su postgres -c 'dropdb shop'"), "dropdb shop");
  assert.equal(innermost("sudo -iu postgres dropdb shop"), "dropdb shop");
  assert.equal(innermost("ansible all -b -m shell -a 'dropdb shop'"), "dropdb shop @remote");
});

test("platforms run commands on their machines", () => {
  assert.equal(innermost("heroku run -a shop rails db:drop"), "rails db:drop @remote");
  assert.equal(innermost("fly ssh console -a shop -C 'dropdb shop'"), "dropdb shop @remote");
  assert.equal(innermost("sudo k3s kubectl delete ns shop"), "kubectl delete ns shop");
});

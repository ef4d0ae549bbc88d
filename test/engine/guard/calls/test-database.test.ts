import assert from "node:assert/strict";
import { test } from "node:test";
import { findHits } from "../../../../src/engine/guard/calls/find-hits.ts";
import { isTestDatabase, isTestEnvironment } from "../../../../src/engine/guard/calls/test-database.ts";
import { RuleSet } from "../../../../src/engine/guard/calls/rule-set.ts";
import { catalogue } from "../../../../src/engine/guard/catalogue/all.ts";
import { testContext } from "../support/shell-context.ts";

test("recognizes test databases by a part of the name, on a near machine", () => {
  for (const name of [
    "shop_test",
    "test_shop",
    "postgres://localhost/shop_test",
    "postgres://ann:secret@localhost:5432/shop_test?schema=public",
    "postgresql://db/shop-test",
    "mysql2://root@127.0.0.1/shop_test1",
    "jdbc:postgresql://localhost/shop_test",
    "sqlite:///tmp/x.db",
    "/tmp/x.db",
    "db/test.sqlite3",
    ":memory:",
  ])
    assert.ok(isTestDatabase(name), name);
  for (const name of [
    "shop",
    "test",
    "contest",
    "latest",
    "postgres://db.example.com/shop_test",
    "postgres://prod-db/shop_test",
    "postgres://localhost/shop",
    "postgres://test.example.com/shop",
    "postgres://test:test@localhost/shop",
    "drop table shop_test",
  ])
    assert.ok(!isTestDatabase(name), name);
});

test("recognizes test environments by stage or database, unless they contradict", () => {
  assert.ok(isTestEnvironment([["RAILS_ENV", "test"]]));
  assert.ok(
    isTestEnvironment([
      ["NODE_ENV", "test"],
      ["DATABASE_URL", "postgres://localhost/shop_test"],
    ]),
  );
  assert.ok(
    !isTestEnvironment([
      ["NODE_ENV", "test"],
      ["DATABASE_URL", "postgres://db.example.com/shop"],
    ]),
  );
  assert.ok(
    !isTestEnvironment([
      ["RAILS_ENV", "production"],
      ["DATABASE_URL", "postgres://localhost/shop_test"],
    ]),
  );
  assert.ok(!isTestEnvironment([["TEST", "1"]]));
  assert.ok(!isTestEnvironment([]));
});

const rules = new RuleSet(catalogue);
const firedOn = (command: string, readText?: (file: string) => string | null): string[] =>
  findHits({ kind: "command", command, shell: "posix" }, rules, { ...testContext, readText }).map(
    ({ rule }) => rule.id,
  );

test("reads statements in the files of a database client", () => {
  const read: string[] = [];
  const readText = (file: string): string | null => {
    read.push(file);
    return file === "/home/ann/shop/db/drop.sql" ? "-- old\nDROP TABLE users;" : null;
  };
  for (const command of [
    "psql shop -f db/drop.sql",
    "psql --file=db/drop.sql shop",
    "psql shop < db/drop.sql",
    "cat db/drop.sql | psql shop",
    "cd db && mysql shop < drop.sql",
    "mysql shop -e 'source db/drop.sql'",
    "sqlite3 shop.db '.read db/drop.sql'",
    "sqlite3 shop.db < db/drop.sql",
    "psql shop <<< '\\i db/drop.sql'",
    "docker exec -i db psql -U shop < db/drop.sql",
    "sudo -u postgres psql shop -f /home/ann/shop/db/drop.sql",
  ])
    assert.deepEqual(firedOn(command, readText), ["sql-drop-table"], command);
  for (const command of [
    "psql shop -f db/other.sql",
    "psql shop_test -f db/drop.sql",
    "cat db/drop.sql",
    "git add db/drop.sql",
    "grep -n DROP db/drop.sql",
  ])
    assert.deepEqual(firedOn(command, readText), [], command);
  read.length = 0;
  firedOn("psql shop -f $FILE; psql shop < notes.txt; docker exec db psql shop -f db/drop.sql", readText);
  assert.deepEqual(read, []);
});

test("reads statements from a file that the command line writes", () => {
  assert.deepEqual(firedOn("echo 'DROP TABLE users;' > /tmp/x.sql && psql shop -f /tmp/x.sql"), [
    "sql-drop-table",
  ]);
  assert.deepEqual(firedOn("cat > x.sql <<'EOF'\nDROP TABLE users;\nEOF\nmysql shop < x.sql"), [
    "sql-drop-table",
  ]);
  assert.deepEqual(firedOn("echo 'DROP TABLE users;' > /tmp/x.sql"), []);
});

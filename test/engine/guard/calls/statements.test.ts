import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { matchingEffort } from "../../../../src/engine/guard/effort.ts";
import { readStatements } from "../../../../src/engine/guard/calls/statements.ts";

test("reads statements without comments, content of texts and quotes of names", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["SELECT 'drop table x; drop'; DROP  TABLE \"my users\";", ["SELECT ''", "DROP TABLE my_users"]],
    ["-- drop table x\nselect 1", ["select 1"]],
    ["/* drop; */ delete from [users]", ["delete from users"]],
    ["select 'it''s; so' ; select 2", ["select ''", "select 2"]],
    ["BEGIN; DELETE FROM t; COMMIT", ["BEGIN", "DELETE FROM t", "COMMIT"]],
    [".mode csv\nDELETE FROM t;", [".mode csv", "DELETE FROM t"]],
    ["\\c shop\nDROP TABLE t\nGO\n", ["\\c shop", "DROP TABLE t", "GO"]],
    ["DO $$ BEGIN DROP TABLE t; END $$;", ["DO", "DROP TABLE t", "END"]],
    ["CREATE FUNCTION f() AS $f$ DELETE FROM t; $f$", ["CREATE FUNCTION f() AS ''"]],
    ["shop", []],
    ["select 'open", ["select 'open"]],
  ];
  for (const [text, expected] of cases)
    assert.deepEqual(readStatements(text, matchingEffort()), expected, text);
});

test("any text gives statements without line ends and separators", () => {
  const piece = fc.constantFrom(
    "'",
    '"',
    "`",
    "$$",
    "$a$",
    "--",
    "/*",
    "*/",
    "\n",
    ";",
    "\\",
    " ",
    "do",
    ".x",
    "go",
    "[a]",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 60 }), (pieces) => {
      for (const statement of readStatements(pieces.join(""), matchingEffort()))
        assert.doesNotMatch(statement, /\n|;|^\s|\s$/u);
    }),
  );
});

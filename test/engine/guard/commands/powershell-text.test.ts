import assert from "node:assert/strict";
import test from "node:test";
import { plainPowerShell } from "../../../../src/engine/guard/commands/scripts/powershell.ts";
import { Effort } from "../../../../src/engine/guard/effort.ts";

test("a text of PowerShell with many variables and no end is read in one way only", () => {
  const text = `$x = "${"+$env:HOMEPATH".repeat(100)}`;
  assert.equal(plainPowerShell(text, new Effort(100_000)), text);
});

test("a variable with a path is written as its value", () => {
  const written = plainPowerShell('$x = "$env:HOMEPATH/cache"; rm $x', new Effort(100_000));
  assert.ok(written.includes("rm $env:HOMEPATH/cache"), written);
});

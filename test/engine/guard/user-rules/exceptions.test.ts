import assert from "node:assert/strict";
import { test } from "node:test";
import { makeExceptionTest } from "../../../../src/engine/guard/user-rules/apply.ts";
import { emptyConfig, type GuardException } from "../../../../src/engine/guard/user-rules/config.ts";
import {
  exceptionFor,
  patternOf,
} from "../../../../src/engine/guard/user-rules/describe-guard-user-rules.ts";

const now = new Date("2026-05-04T12:00:00").getTime();

function holds(exception: Omit<GuardException, "rule">, folder: string | null, text = "rm -rf x"): boolean {
  const silence = makeExceptionTest({ ...emptyConfig, exceptions: [{ rule: "delete-root", ...exception }] });
  return silence({ rule: "delete-root", texts: [text], folder, home: "/home/ann" }, now);
}

test("an exception for a folder applies in it and below it, however it is written", () => {
  for (const [folder, at] of [
    ["/home/ann/shop", "/home/ann/shop"],
    ["/home/ann/shop/", "/home/ann/shop/src"],
    ["/home/ann/shop", "/home/ann/shop/..cache"],
    ["~/my shop", "/home/ann/my shop/a"],
    ["~", "/home/ann/shop"],
    ["/home/ann/caf\u00e9", "/home/ann/cafe\u0301/src"],
    ["/home/ann/\u5e97", "/home/ann/\u5e97"],
    ["/", "/srv"],
  ] as const)
    assert.ok(holds({ folder }, at), `${folder} holds ${at}`);
});

test("it does not apply beside or above the folder, or if the folder is not a path", () => {
  for (const [folder, at] of [
    ["/home/ann/shop", "/home/ann/shop2"],
    ["/home/ann/shop", "/home/ann"],
    ["/home/ann/shop", null],
    ["shop", `${process.cwd()}/shop`],
    [".", process.cwd()],
    ["~bob/shop", "/home/ann/bob/shop"],
  ] as const)
    assert.ok(!holds({ folder }, at), `${folder} does not hold ${String(at)}`);
});

test("an exception lasts until the day before its end", () => {
  assert.ok(holds({ until: "2026-05-05" }, null));
  assert.ok(!holds({ until: "2026-05-04" }, null));
  assert.ok(!holds({ until: "2025-12-31" }, null));
});

test("an exception for a command applies to that command only, in the same case", () => {
  const like = patternOf("git branch -d fix [x]");
  assert.ok(holds({ like }, null, "git branch -d fix [x]"));
  assert.ok(!holds({ like }, null, "git branch -D fix [x]"));
  assert.ok(!holds({ like }, null, "git branch -d fix [x] && rm -rf /"));
  const wanted = { scope: "command", days: null, now } as const;
  assert.equal(exceptionFor({ rule: "delete-root", excerpt: "", folder: "/" }, wanted), null);
});

test("an exception applies to a command with characters that the ledger cannot store", () => {
  for (const excerpt of ["echo \ud83d…", "cat caf\ufffd.txt", "echo \udc00\ud800 x"]) {
    const like = patternOf(Buffer.from(excerpt).toString());
    assert.ok(holds({ like }, null, excerpt), excerpt);
    assert.equal(patternOf(excerpt), like);
  }
  assert.ok(!holds({ like: patternOf("echo \ufffd…") }, null, "rm \ud83d…"));
});

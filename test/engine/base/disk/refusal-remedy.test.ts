import assert from "node:assert/strict";
import { plainSentence } from "../../../../src/engine/base/language.ts";
import { test } from "node:test";
import {
  isDiskFull,
  refusalRemedy,
  withRefusalRemedy,
} from "../../../../src/engine/base/disk/refusal-remedy.ts";

test("a system's refusal has its own remedy", () => {
  for (const [why, remedy] of [
    ["the journal: ENOSPC", /free some space .+ nothing that was recorded is lost/u],
    ["/home/a/.purser: EDQUOT", /free some space/u],
    ["/home/a/.purser/ledger.sqlite: EACCES", /allow yourself to read and write it/u],
    ["/home/a/.purser: EPERM", /allow yourself to read and write it/u],
    ["/mnt/a: EROFS", /make its disk writable/u],
  ] as const) {
    const named = refusalRemedy(plainSentence(why))?.text ?? "";
    assert.match(named, remedy);
    assert.equal(withRefusalRemedy(plainSentence(why)).text, `${why}. What to do: ${named}`);
  }
});

test("other reasons have no remedy, even if a name contains a code", () => {
  for (const why of ["damaged", "/a/ENOSPCS: EIO", "EACCESS", ""]) {
    assert.equal(refusalRemedy(plainSentence(why)), null);
    assert.equal(withRefusalRemedy(plainSentence(why)).text, why);
  }
});

test("a full disk and a used-up quota are the same", () => {
  assert.deepEqual(["ENOSPC", "EDQUOT", "EACCES", "constructor", ""].map(isDiskFull), [
    true,
    true,
    false,
    false,
    false,
  ]);
});

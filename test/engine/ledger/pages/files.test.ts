import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import fc from "fast-check";
import { nodeRandomFiles } from "../../../../src/engine/ledger/pages/random-file.ts";
import { pageSize } from "../../../../src/engine/ledger/store/database.ts";
import { openLog, PageLog } from "../../../../src/engine/ledger/pages/change-log.ts";
import { PageOverlay } from "../../../../src/engine/ledger/pages/paged-file.ts";
import { PageSums } from "../../../../src/engine/ledger/pages/sums.ts";
import { scratchFolder } from "../../support/scratch.ts";

const page = (value: number) => new Uint8Array(pageSize).fill(value);
const writes = fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { minLength: 1, maxLength: 80 });

test("An overlay and a log return the last content of each page", async (t) => {
  const folder = scratchFolder(t);
  let number = 0;
  await fc.assert(
    fc.asyncProperty(writes, async (reported) => {
      const file = path.join(folder, `log-${(number += 1)}`);
      const overlay = new PageOverlay();
      const log = new PageLog(file, await nodeRandomFiles.open(file, "create"));
      const known = new Map(reported);
      for (const [each, value] of reported) {
        overlay.set(each, page(value));
        log.take([[each, page(value)]]);
      }
      await log.seal(7);
      const handle = await nodeRandomFiles.open(file, "read");
      const sealed = openLog(handle);
      assert.equal(sealed?.generation, 7);
      assert.deepEqual([overlay.count, log.count], [known.size, known.size]);
      const numbers = [...known.keys()].sort((one, other) => one - other);
      assert.deepEqual([log.pages(), sealed.pages()], [numbers, numbers]);
      const scratch = new Uint8Array(pageSize);
      for (const [each, value] of known) {
        assert.deepEqual(overlay.get(each), page(value));
        for (const from of [log, sealed]) {
          assert.ok(from.read(each, scratch));
          assert.deepEqual(scratch, page(value));
        }
        assert.equal(sealed.sumOf(each), log.sumOf(each));
      }
      assert.equal(log.read(201, scratch) || sealed.read(201, scratch), false);
      overlay.release();
      assert.equal(overlay.get(numbers[0] ?? 0), undefined);
      await handle.close();
      await log.close();
    }),
    { numRuns: 30 },
  );
});

test("A log that is cut off or has any changed byte is rejected", async (t) => {
  const file = path.join(scratchFolder(t), "log");
  const log = new PageLog(file, await nodeRandomFiles.open(file, "create"));
  log.take([3, 9, 4].map((each) => [each, page(each)] as const));
  await log.seal(2);
  await log.close();
  const whole = readFileSync(file);
  const isThere = async (bytes: Buffer) => {
    writeFileSync(file, bytes);
    const handle = await nodeRandomFiles.open(file, "read");
    const found = openLog(handle);
    await handle.close();
    return found !== null;
  };
  assert.ok(await isThere(whole));
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (index, bit) => {
      assert.equal(await isThere(whole.subarray(0, index)), false, `cut off at ${index}`);
      const flipped = Buffer.from(whole);
      flipped[index] = (flipped[index] ?? 0) ^ (1 << bit);
      // The rest of the header's page is unused.
      const isNobodys = index >= 36 && index < pageSize;
      assert.equal(await isThere(flipped), isNobodys, `flipped at ${index}`);
    }),
    { numRuns: 100 },
  );
});

test("Sums are decoded as written, or rejected", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(0xffff_ffff), { maxLength: 50 }),
      fc.nat(9),
      fc.nat(),
      (values, generation, index) => {
        const sums = new PageSums(generation).after(values.map((sum, each) => [each, sum]));
        const encoded = sums.encoded();
        const decoded = PageSums.decoded(encoded);
        assert.deepEqual([decoded?.generation, decoded?.count], [generation + 1, values.length]);
        assert.deepEqual(
          values.map((_, each) => decoded?.of(each)),
          values,
        );
        encoded[index % encoded.length] = (encoded[index % encoded.length] ?? 0) ^ 1;
        assert.equal(PageSums.decoded(encoded), null);
        assert.equal(PageSums.decoded(encoded.subarray(0, index % encoded.length)), null);
      },
    ),
  );
});

test("The sums of the next content leave the current sums unchanged", () => {
  const sums = new PageSums(1).after([
    [0, 5],
    [1, 6],
  ]);
  const next = sums.after([
    [1, 7],
    [4, 8],
  ]);
  assert.deepEqual([sums.of(1), sums.count, sums.generation], [6, 2, 2]);
  assert.deepEqual([next.of(0), next.of(1), next.of(4), next.count, next.generation], [5, 7, 8, 5, 3]);
});
